import { flaws, variants } from '../../reference/index.js';
import { judgeTrial } from '../../selftest/run-trial.js';
import { heldAgainst } from './expectation.js';
import type { Hunt } from './hunt.js';
import { membersOf, pairsOf, settingFor, type Server } from './servers.js';

const shownBy = (half: 'suites' | 'load') => (server: Server) => membersOf(server).some(({ needs }) => needs === half);

const judge = (half: 'suites' | 'load') => async (server: Server, directory: string) =>
  heldAgainst(server, await judgeTrial(settingFor(half, server), directory));

/** Two flaws, two variants or one of each; the suites show at least one of them. */
export const pairsOfSuites: Hunt<Server> = {
  name: 'pairs',
  cases: pairsOf([...flaws.filter(({ needs }) => needs === 'suites'), ...variants], shownBy('suites')),
  judge: judge('suites'),
  inParallel: 6,
  caseMs: 3_000,
};

/** As `pairsOfSuites`, for limiters: a load run shows at least one of the two. */
export const pairsOfLimiters: Hunt<Server> = {
  name: 'pairs',
  cases: pairsOf([...flaws.filter(({ needs }) => needs === 'load'), ...variants], shownBy('load')),
  judge: judge('load'),
  // Virtual time has no waits, so parallel cases gain nothing.
  inParallel: 1,
  caseMs: 3_000,
};
