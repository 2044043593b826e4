import { searching } from '../../testing/limiters/searching.js';
import { EACH, testsSound } from './limiters.test.support.js';

testsSound(searching(8, 7), EACH);
