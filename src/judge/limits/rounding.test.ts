import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { calendarWindow, fixedFromFirst, type MakeLimiter } from '../../testing/limiters/limiters.js';
import { PLAIN, simulate, type Circumstances } from '../../testing/simulated/simulate.js';

const untested = async (make: MakeLimiter, around: Partial<Circumstances>): Promise<readonly string[]> =>
  (await simulate({ make }, { ...PLAIN, ...around })).findings.flatMap((one) =>
    one.requirement === 'rate-retry-after-honoured' && one.kind === 'untried' ? [one.what] : [],
  );

describe('rounding of Retry-After', () => {
  for (const [name, make] of [
    ['windows from their first request', fixedFromFirst],
    ['windows of the clock', (limit, windowMs) => calendarWindow(limit, windowMs, 0)],
  ] satisfies readonly [string, MakeLimiter][])
    it(`is shown by refusals at moments of their own: ${name}`, async () => {
      for (const seed of [1, 2, 3]) assert.deepEqual(await untested(make, { seed }), []);
    });

  it('is untested in windows of few seconds', async () => {
    const [what = ''] = await untested(fixedFromFirst, { minuteSeconds: 3 });
    assert.match(what, /whether Retry-After is rounded up to the second \(headers count whole seconds/);
  });
});
