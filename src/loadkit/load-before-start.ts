import { operationNames } from '../base/interface/names.js';
import type { Judging } from '../judge/checks/layers.js';
import { newHistogram } from '../log/histogram.js';
import { loadAutocannon } from '../wire/autocannon.js';
import type { CapacityPlan } from './plan.js';

/** A body that fits no shape: only such a one reaches the library that names its faults. */
const UNSOUND = null;

/**
 * Loads the libraries that a scenario may need, which takes up to 0.6 s of a processor. During a phase each
 * would hold up the load: autocannon at the start of a closed loop, histograms at the first request, the
 * validator at the first unsound body.
 */
export async function loadBeforeStart(
  { phases }: Pick<CapacityPlan, 'phases'>,
  { contract, validator }: Judging,
): Promise<void> {
  newHistogram();
  for (const operation of operationNames)
    for (const status of contract.operations[operation].statuses)
      validator.validate(operation, status, UNSOUND);
  if (phases.some(({ phase }) => phase.kind === 'closed')) await loadAutocannon();
}
