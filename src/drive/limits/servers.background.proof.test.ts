import { searching } from '../../testing/limiters/searching.js';
import { EACH, testsSound } from './limiters.test.support.js';
import { SERVERS } from './servers.test.support.js';

testsSound(searching(1, 11), EACH, SERVERS);
