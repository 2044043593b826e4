import { searching } from '../../testing/limiters/searching.js';
import { testsReplicas } from './replicas.test.support.js';

// Other circumstances than those of the test.
testsReplicas(searching(5, 2));
