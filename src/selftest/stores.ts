import type { PlanName, RequirementId } from '../contract/types.js';
import { startReference } from '../reference/index.js';
import type { Results } from '../verdict/results.js';
import { judgeWithoutPlaywright } from './plain-host.js';
import type { Trial } from './subjects.js';
import { targetOf } from './run-trials.js';

/** Sizes of stores at which a judgement turns: none, one, a few, and each side of the pages of 20 and of 100 animals. */
export const STORE_SIZES: readonly number[] = [0, 1, 3, 10, 19, 20, 21, 25, 99, 100, 101, 1_000];

/** The store and the run that a server of the suites' half is met with. */
export interface Encounter {
  /** How many animals there are at the start; those that the subject asks for where absent. */
  readonly animals?: number;
  /** Further variants that the server has, e.g. other statuses or ids of its animals. */
  readonly variants?: readonly string[];
  /** Whose key the suites use. */
  readonly plan?: PlanName;
  readonly writes?: boolean;
}

/** Judges one server of the suites' half on a store of one's choice. */
export async function judgeOnStore(
  { start, minuteSeconds, asOf, enterprise }: Trial,
  { animals, variants = [], plan = 'business', writes = true }: Encounter = {},
): Promise<Results> {
  const reference = await startReference({
    minuteSeconds,
    ...start,
    variants: [...(start.variants ?? []), ...variants],
    ...(animals !== undefined && { animals }),
  });
  try {
    const target = targetOf(reference, { minuteSeconds, enterprise });
    return await judgeWithoutPlaywright({ ...target, suiteKey: plan, writes }, asOf);
  } finally {
    await reference.close();
  }
}

/**
 * The rows that a flaw should have turned red and that passed without a word: a row that did not apply, was not
 * established or passed in part has said that it did not see all.
 */
export const silentMisses = (
  turns: readonly RequirementId[],
  { requirements }: Pick<Results, 'requirements'>,
): readonly RequirementId[] =>
  requirements
    .filter(({ id, outcome, partly }) => turns.includes(id) && outcome === 'passed' && !partly)
    .map(({ id }) => id);
