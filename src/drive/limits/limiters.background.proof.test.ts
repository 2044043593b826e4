import { searching } from '../../testing/limiters/searching.js';
import { EACH, IN_TURN, testsSound } from './limiters.test.support.js';

testsSound(searching(1), IN_TURN);
testsSound(searching(8, 7), EACH);
