import { searching } from '../../testing/limiters/searching.js';
import { testsReplicas } from './replicas.test.support.js';

testsReplicas(searching(1));
