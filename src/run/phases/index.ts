import type { RunRequest } from '../request.js';
import { explorePhase } from './explore.js';
import { loadPhase } from './load.js';
import { ownPhase } from './own.js';
import { preflightPhase } from './preflight.js';
import type { Phase } from './phase.js';
import { suitesPhase } from './suites.js';
import { trafficPhase } from './traffic.js';

/** In the order of a run. */
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

const isEarly = ({ name }: Phase): boolean => name === 'preflight' || name === 'load';

/**
 * Returns the phases that a run has, in their order. A quick run begins with load: a key that the suites have
 * used would be silent for a window first, and the suites use the window after the burst.
 */
export function phasesOf(request: RunRequest): readonly Phase[] {
  const wanted = PHASES.filter((phase) => phase.wanted(request));
  if (request.selection?.quick !== true) return wanted;
  return [...wanted.filter(isEarly), ...wanted.filter((phase) => !isEarly(phase))];
}
