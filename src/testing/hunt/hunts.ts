import * as fc from 'fast-check';
import { flaws, variants, type Flaw, type Variant } from '../../proof/index.js';
import { judgeTrial } from '../../proof/selftest/run-trial.js';
import { heldAgainst } from './expectation.js';
import { exploring } from './exploring.js';
import type { Hunt, HuntName } from './hunt.js';
import { keys } from './keys.js';
import { listed } from './listed.js';
import { secondClients } from './second-clients.js';
import { hidesRace, membersOf, pairsOf, settingFor, type Server } from './servers.js';

const shownBy = (half: 'suites' | 'load') => (server: Server) =>
  membersOf(server).some(({ needs }) => needs === half);

const judge = (half: 'suites' | 'load') => async (server: Server) =>
  heldAgainst(server, await judgeTrial(settingFor(half, server)));

/** Empty, nearly empty, around pages of 20 and 100 with a run's own animals, and far beyond. */
const SIZES = [0, 1, 3, 10, 19, 20, 21, 25, 99, 100, 101, 1_000] as const;

type Stored = Server & { readonly animals: number };

/**
 * Members for the suites. A variant that sets the size of its store is not correct with another: it is left
 * out.
 */
const ofSuites = (members: readonly (Flaw | Variant)[]): readonly string[] =>
  members
    .filter(
      (member) => member.needs === 'suites' && ('turns' in member || member.options.animals === undefined),
    )
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
  judge: judge('suites'),
  inParallel: 6,
  caseMs: 3_000,
};

/** Two flaws, two variants or one of each; the suites show at least one of them. */
const pairsOfSuites: Hunt<Server> = {
  name: 'pairs',
  cases: pairsOf([...flaws.filter(({ needs }) => needs === 'suites'), ...variants], shownBy('suites')),
  judge: judge('suites'),
  inParallel: 6,
  caseMs: 3_000,
};

/** As `pairsOfSuites`, for limiters: a load run shows at least one of the two. */
const pairsOfLimiters: Hunt<Server> = {
  name: 'pairs',
  cases: pairsOf(
    [...flaws.filter(({ needs }) => needs === 'load'), ...variants],
    (server) => shownBy('load')(server) && !hidesRace(server),
  ),
  judge: judge('load'),
  // Virtual time has no waits, so parallel cases gain nothing.
  inParallel: 1,
  caseMs: 3_000,
};

/** Hunt with a hidden type of case: hunts differ in it, and are kept in one list. */
export type AnyHunt = <Result>(use: <Case>(hunt: Hunt<Case>) => Result) => Result;

const kept =
  <Case>(hunt: Hunt<Case>): AnyHunt =>
  (use) =>
    use(hunt);

/** All hunts, in the order in which they run. */
export const HUNTS: readonly AnyHunt[] = [
  kept(stores),
  kept(pairsOfSuites),
  kept(exploring),
  kept(keys),
  kept(pairsOfLimiters),
  kept(secondClients),
];

/** Returns the hunts of a name. */
export const huntsOf = (name: HuntName): readonly AnyHunt[] =>
  HUNTS.filter((hunt) => hunt((it) => it.name === name));
