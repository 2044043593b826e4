import * as fc from 'fast-check';
import { named, rareFlaws, variants, type Flaw, type Variant } from '../../proof/index.js';
import { rowOf } from '../../proof/selftest/matrix.js';
import { judgeTrial } from '../../proof/selftest/run-trial.js';
import { exploreTrials } from '../../proof/selftest/subjects.js';
import { foundOr, type Hunt } from './hunt.js';
import { listed } from './listed.js';

/** Server, and the seed that exploring starts at. */
interface Explored {
  readonly kind: 'flaw' | 'variant';
  readonly name: string;
  readonly animals: number;
  readonly seed: number;
}

/** Sizes: the usual, none, few, and more than a page of 100. */
const SIZES = [48, 0, 3, 21, 100, 150] as const;

/** True if a member leaves the size of the store open. A variant about that size is not correct with another. */
const ofAnySize = ({ options }: Flaw | Variant): boolean => options.animals === undefined;

const one = (
  kind: Explored['kind'],
  entries: readonly (Flaw | Variant)[],
  sizes: typeof SIZES | readonly [48],
) =>
  fc.record({
    kind: fc.constant(kind),
    name: fc.noShrink(fc.constantFrom(...entries.filter(ofAnySize).map(({ name }) => name))),
    animals: listed<number>(sizes as readonly [number, ...number[]]),
    seed: fc.noShrink(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  });

/**
 * Exploring with any seed. Correct servers on stores of any size pass. A rare flaw is charged only with what
 * it breaks. One seed in ten may miss such a flaw.
 */
export const exploring: Hunt<Explored> = {
  name: 'explore',
  cases: fc.oneof(
    one(
      'variant',
      variants.filter(({ needs }) => needs === 'suites'),
      SIZES,
    ),
    one('flaw', rareFlaws, [48]),
  ),
  judge: async ({ kind, name, animals, seed }) => {
    const [trial] = named(
      kind,
      exploreTrials(seed)
        .filter(({ subject }) => subject.kind === kind)
        .map((each) => ({ ...each, name: each.subject.name })),
      [name],
    );
    if (!trial) throw new Error(`there is no ${kind} named ${name}`);
    const results = await judgeTrial({ ...trial, start: { ...trial.start, animals } });
    const { wronged, missed } = rowOf(trial.subject, results, 0);
    return foundOr(
      wronged.map((id) => `${id} is red, and the server breaks nothing of it`),
      kind === 'variant' ? 'let pass' : missed.length > 0 ? 'left open' : 'caught',
    );
  },
  inParallel: 4,
  caseMs: 8_000,
};
