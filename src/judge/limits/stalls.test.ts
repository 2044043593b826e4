import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixedFromFirst, tokenBucket } from '../../testing/limiters/limiters.js';
import { PLAIN, simulate, type Circumstances } from '../../testing/simulated/simulate.js';
import { heldUp } from '../../wire/exchange/stalls.js';

/** Stalls of up to six seconds, two a second: bursts and steady runs fall far behind. */
const BUSY: Circumstances = {
  ...PLAIN,
  busy: { everyMs: 400, longestMs: 6000, atSends: 0.05, workMs: 20 },
};

/** Hardly runs at all. */
const HELD_UP: Circumstances = {
  ...PLAIN,
  busy: { everyMs: 50, longestMs: 20_000, atSends: 0.1, workMs: 20 },
};

/** Reasons why rows are open, as "rate-429 slow-responses". */
const openIn = async (...[behaviour, circumstances]: Parameters<typeof simulate>) => {
  const { findings, told } = await simulate(behaviour, circumstances);
  const open = findings.flatMap((finding) =>
    finding.kind === 'inconclusive' ? [{ ...finding.reason, row: finding.requirement }] : [],
  );
  return { open, told };
};

describe('what took too long', () => {
  it('is charged to this machine where its stalls explain it, with their length', async () => {
    const { open } = await openIn({ make: fixedFromFirst }, BUSY);
    const steady = open.filter(({ row }) => row === 'rate-not-early');
    assert.ok(steady.length > 0);
    for (const { code, text } of steady) {
      assert.equal(code, 'machine-busy');
      assert.match(text, /this machine was held up for .+ of /);
    }
    assert.ok(!open.some(({ code }) => code === 'slow-responses'));
  });

  it('is charged to the target where this machine was idle', async () => {
    const { open } = await openIn({ make: fixedFromFirst }, { ...PLAIN, latencyMs: 4000 });
    assert.ok(open.some(({ row, code }) => row === 'rate-429' && code === 'slow-responses'));
    assert.ok(!open.some(({ code }) => code === 'machine-busy'));
  });

  it('is asked again where this machine spoiled it, and then open with that reason', async () => {
    const { open, told } = await openIn({ make: tokenBucket }, HELD_UP);
    const bursts = told.filter((line) => /free (burst|window):/.test(line));
    assert.equal(bursts.length, 3, told.join('\n'));
    assert.ok(open.some(({ row, code }) => row === 'rate-429' && code === 'machine-busy'));
  });
});

describe('the time for which a process was held up', () => {
  it('counts the part of each stall within the span, and overlapping ones once', () => {
    const stalls = [
      { from: 0, to: 10 },
      { from: 20, to: 40 },
      { from: 30, to: 50 },
      { from: 90, to: 120 },
    ];
    assert.equal(heldUp(stalls, 5, 100), 5 + 30 + 10);
    assert.equal(heldUp(stalls, 60, 80), 0);
  });
});
