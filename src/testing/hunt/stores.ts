import * as fc from 'fast-check';
import { flaws, variants, type Flaw, type Variant } from '../../reference/index.js';
import { judgeTrial } from '../../selftest/run-trial.js';
import { heldAgainst } from './expectation.js';
import type { Hunt } from './hunt.js';
import { listed } from './listed.js';
import { settingFor, type Server } from './servers.js';

/** Empty, nearly empty, around pages of 20 and 100 with a run's own animals, and far beyond. */
const SIZES = [0, 1, 3, 10, 19, 20, 21, 25, 99, 100, 101, 1_000] as const;

type Stored = Server & { readonly animals: number };

/** Members for the suites. A variant that sets the size of its store is not correct with another: it is left out. */
const ofSuites = (members: readonly (Flaw | Variant)[]): readonly string[] =>
  members
    .filter((member) => member.needs === 'suites' && ('turns' in member || member.options.animals === undefined))
    .map(({ name }) => name);

const deck: readonly Stored[] = SIZES.flatMap((animals) => [
  ...ofSuites(flaws).map((name) => ({ flaws: [name], variants: [], animals })),
  ...ofSuites(variants).map((name) => ({ flaws: [], variants: [name], animals })),
]);

const size = listed<number>(SIZES);
const none = fc.tuple();
const one = (names: readonly string[]) => fc.tuple(fc.noShrink(fc.constantFrom(...names)));

/** Every flaw and every variant of the suites on stores of every size. */
export const stores: Hunt<Stored> = {
  name: 'stores',
  cases: fc.oneof(
    fc.record({ flaws: one(ofSuites(flaws)), variants: none, animals: size }),
    fc.record({ flaws: none, variants: one(ofSuites(variants)), animals: size }),
  ),
  deck,
  judge: async (server, directory) => heldAgainst(server, await judgeTrial(settingFor('suites', server), directory)),
  inParallel: 6,
  caseMs: 3_000,
};
