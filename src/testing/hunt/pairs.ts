import { flaws, variants } from '../../reference/index.js';
import { judgeTrial } from '../../selftest/run-trial.js';
import { heldAgainst } from './expectation.js';
import type { Hunt } from './hunt.js';
import { membersOf, pairsOf, settingFor, type Server } from './servers.js';

const shownBy = (half: 'suites' | 'load') => (server: Server) => membersOf(server).some(({ needs }) => needs === half);

const judge = (half: 'suites' | 'load') => async (server: Server, directory: string) =>
  heldAgainst(server, await judgeTrial(settingFor(half, server), directory));

/** Two flaws, two variants or one of each, of which the suites show one or both. */
export const pairsOfSuites: Hunt<Server> = {
  name: 'pairs',
  cases: pairsOf([...flaws.filter(({ needs }) => needs === 'suites'), ...variants], shownBy('suites')),
  judge: judge('suites'),
  sideBySide: 6,
  caseMs: 3_000,
};

/** The same of limiters, beside which a server may differ in what the suites see. */
export const pairsOfLimiters: Hunt<Server> = {
  name: 'pairs',
  cases: pairsOf([...flaws.filter(({ needs }) => needs === 'load'), ...variants], shownBy('load')),
  judge: judge('load'),
  // In virtual time it waits for nothing.
  sideBySide: 1,
  caseMs: 3_000,
};
