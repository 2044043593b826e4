import type { RunRequest } from '../request.js';
import { explorePhase } from './explore.js';
import { loadPhase } from './load.js';
import { ownPhase } from './own.js';
import { preflightPhase } from './preflight.js';
import type { Phase } from './phase.js';
import { suitesPhase } from './suites.js';
import { trafficPhase } from './traffic.js';

/** All phases of a run, in their order. */
export const PHASES: readonly Phase[] = [
  preflightPhase,
  suitesPhase,
  loadPhase,
  trafficPhase,
  // Comes late: load counts all requests with a key, and violations of the suites need no story.
  explorePhase,
  // Comes last, so own suites cannot change the findings about the interface.
  ownPhase,
];

/** Returns the phases that a run has. */
export const phasesOf = (request: RunRequest): readonly Phase[] =>
  PHASES.filter(({ wanted }) => wanted(request));
