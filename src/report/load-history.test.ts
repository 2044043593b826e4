import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadRun, type LoadRun } from '../outcome/acceptance/load-history.js';
import type { Results } from '../outcome/results/results.js';
import { loadRunLines } from './load-history.js';
import { historyPage } from './pages/history/page.js';

/** Returns the summary of a load run. */
const load = (day: number, label: string, capacity: object): LoadRun =>
  loadRun(`run-${day}`, {
    target: { name: 'staging' },
    scope: { selection: { scenario: 'evening' } },
    startedAt: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
    label,
    verdict: 'conformant',
    complete: true,
    capacity,
  } as unknown as Results);

/** A run of an older kit that sent only a part of its scenario. */
const oldPart = (day: number): LoadRun =>
  loadRun(`run-${day}`, {
    target: { name: 'staging' },
    scope: { selection: { scenario: 'evening', part: '2/4' } },
    startedAt: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
    verdict: 'inconclusive',
    complete: true,
    capacity: { phases: [phase('warm', 2, 900)] },
  } as unknown as Results);
const phase = (name: string, perSecond: number, p99: number) => ({ name, perSecond, latencyMs: { p99 } });
const searched = (day: number, label: string, rate: number): LoadRun =>
  load(day, label, {
    phases: [phase('1: 10/s', 10, 5), phase('2: 160/s', 90, 9_000)],
    find: {
      conditions: ['p99 < 250ms'],
      steps: [],
      answer: { kind: rate === 0 ? 'worse' : 'found', perSecond: rate },
    },
  });

test('a history names the phase of a p99, and the capacity of a search, and trends by build', () => {
  const runs = [
    load(1, '1.1', { phases: [phase('warm', 10, 20), phase('spike', 200, 110)] }),
    load(2, '1.2', { phases: [phase('warm', 10, 300), phase('spike', 190, 140)] }),
    load(3, '1.3', { phases: [phase('warm', 10, 20), phase('spike', 180, 170)] }),
    searched(4, '1.3', 82),
    searched(5, '1.4', 0),
    searched(6, '1.5', 98),
  ];
  const lines = loadRunLines(runs);
  const text = lines.join('\n');
  assert.match(text, /build 1\.1: kept; in spike throughput 200\/s, p99 110 ms/);
  assert.match(text, /build 1\.2: kept; in warm throughput 10\/s, p99 300 ms/);
  assert.match(text, /build 1\.5: kept; capacity 98\/s with p99 < 250ms/);
  assert.match(text, /build 1\.4: kept; no rate can be named$/m);
  assert.doesNotMatch(text, /9 s|9,000/, 'the worst step of a search is no figure of it');
  assert.deepEqual(lines.slice(-3), [
    '  p99 of spike, evening on staging: 110 ms (build 1.1), 140 ms (build 1.2), 170 ms (build 1.3)',
    '  throughput of spike, evening on staging: 200/s (build 1.1), 190/s (build 1.2), 180/s (build 1.3)',
    '  capacity, evening on staging: 82/s (build 1.3), 98/s (build 1.5)',
  ]);
  const html = historyPage({ runs: [], requirements: [], damaged: [], loadRuns: runs });
  assert.match(html, /capacity, evening on staging.*82\/s \(build 1\.3\), 98\/s \(build 1\.5\)/s);
  assert.match(html, /in warm throughput 10\/s, p99 300\sms/);
  assert.match(html, /capacity 98\/s with p99 &lt; 250ms/);
});

test('a part of a run, of an older kit or of a worker, is named and belongs to no trend', () => {
  const phases = [phase('warm', 10, 20)];
  const ofWorker = load(4, '1.3', { phases: [phase('warm', 5, 800)], part: { index: 1, count: 2 } });
  const runs = [load(1, '1.1', { phases }), oldPart(2), load(3, '1.2', { phases }), ofWorker];
  assert.deepEqual(
    runs.map(({ part }) => part),
    [null, '2/4', null, '1/2'],
  );
  const trends = loadRunLines(runs).filter((line) => line.includes(' of warm, '));
  assert.ok(trends.some((line) => line.includes('20 ms (build 1.1), 20 ms (build 1.2)')));
  assert.doesNotMatch(trends.join('\n'), /900|800/);
  const html = historyPage({ runs: [], requirements: [], damaged: [], loadRuns: runs });
  assert.match(html, /evening, part 2\/4/);
  assert.match(html, /evening, part 1\/2/);
});
