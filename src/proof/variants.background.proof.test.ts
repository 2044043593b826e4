import { variants } from './index.js';
import { testsVariants } from './variants.test.support.js';

testsVariants(variants);
