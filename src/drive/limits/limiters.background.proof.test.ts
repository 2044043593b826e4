import { searching } from '../../testing/limiters/searching.js';
import { testsSound } from './limiters.test.support.js';

testsSound(searching(8, 7));
