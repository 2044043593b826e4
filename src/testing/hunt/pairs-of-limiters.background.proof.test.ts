import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeTrial } from '../../proof/selftest/run-trial.js';
import { flaws } from '../../proof/index.js';
import { heldAgainst } from './expectation.js';
import { areCompatible, hidesRace, settingFor } from './servers.js';

/** Longest minute, s: longer ones take the most time to judge, and the hunt draws them too. */
const LONGEST = 12;

/** Every second flaw meets the one that comes this many later: far enough for a flaw of another kind. */
const STEP = 23;

const members = flaws.filter(
  ({ needs, include, options }) =>
    needs === 'load' && include === undefined && (options.minuteSeconds ?? 0) <= LONGEST,
);

test('of two mistakes of a limiter at least one shows', async () => {
  const missed: string[] = [];
  for (const [place, one] of members.entries()) {
    const other = members[(place + STEP) % members.length];
    if (place % 2 === 1 || other === undefined || !areCompatible(one, other)) continue;
    const server = { flaws: [one.name, other.name], variants: [] };
    if (hidesRace(server)) continue;
    const judged = await heldAgainst(server, await judgeTrial(settingFor('load', server)));
    if (judged.kind === 'found') missed.push(`${one.name}, ${other.name}: ${judged.what.join('; ')}`);
  }
  assert.deepEqual(missed, []);
});
