import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RATE_HEADERS } from '../../base/interface/rate-headers.js';
import { judgeTrial } from './run-trial.js';
import { trials } from './subjects.js';

const LENGTHS = [3, 6, 60] as const;

/** Returns the rows of a server under load in virtual time. */
async function rowsOf(name: string, minuteSeconds: number) {
  const trial = trials().find(({ subject, needs }) => subject.name === name && needs === 'load');
  assert.ok(trial, name);
  const { requirements } = await judgeTrial({ ...trial, minuteSeconds });
  return requirements;
}

type Rows = Awaited<ReturnType<typeof rowsOf>>;

const redIn = (rows: Rows): readonly string[] =>
  rows.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned').map(({ id }) => id);

const openIn = (rows: Rows): readonly string[] =>
  rows.filter(({ outcome }) => outcome === 'inconclusive').map(({ id }) => id);

test('a Limit of the day beside Remaining and Reset of the minute is red in those words, and hides nothing', async () => {
  for (const minuteSeconds of LENGTHS) {
    const rows = await rowsOf('limit-of-the-day', minuteSeconds);
    assert.deepEqual(redIn(rows), ['rate-headers-wellformed']);
    assert.deepEqual(openIn(rows), []);
    const [finding] = rows.find(({ id }) => id === 'rate-headers-wellformed')?.findings ?? [];
    assert.match(finding?.message ?? '', /Limit speaks of the day, but Remaining and Reset of the minute/);
    assert.match(
      finding?.actual ?? '',
      new RegExp(`^${RATE_HEADERS.limit}: 1000, -Remaining: 59, -Reset in \\d`),
    );
  }
});

test('a plan with a foreign limit is judged by the plan, and no row asks for readable headers', async () => {
  for (const minuteSeconds of LENGTHS) {
    const rows = await rowsOf('free-served-by-an-old-table', minuteSeconds);
    // In a short window the rounding of the headers leaves no span in which a whole one must be over.
    const windows = minuteSeconds === 60 ? ['rate-window'] : [];
    assert.deepEqual(redIn(rows), ['rate-limit-value', 'rate-429', ...windows]);
    assert.deepEqual(
      rows.filter(({ reason }) => reason?.code === 'headers-missing'),
      [],
    );
  }
});

test('a sound server that names the day once less is left of it describes one window', async () => {
  assert.deepEqual(redIn(await rowsOf('day-in-headers-once-tighter', 3)), []);
});
