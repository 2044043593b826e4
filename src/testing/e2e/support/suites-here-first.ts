import { runSuitesHere } from './suites-here.js';

// Preloaded into the command by `SUITES_HERE`.
runSuitesHere();
