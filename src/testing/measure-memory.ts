import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startReference } from '../reference/index.js';
import { MAIN, startProcess } from './e2e/support/command.js';
import { resultsIn } from './e2e/support/results.js';
import { median, scratch } from './measure.js';

/** Uses up a day of 200,000 in less than two minutes. */
const ENTERPRISE = { perMinute: 20_000, perDay: 200_000 };
const MINUTE_SECONDS = 10;

/** Uses up a day of the reference server, and watches the command's heap meanwhile. */
export async function measureDay() {
  using folder = scratch();
  const { cwd } = folder;
  await using server = await startReference({ minuteSeconds: MINUTE_SECONDS, plans: { enterprise: ENTERPRISE } });
  const { perMinute, perDay } = ENTERPRISE;
  writeFileSync(
    join(cwd, 'target.yaml'),
    `name: measured
baseUrl: ${server.baseUrl}
keys: { enterprise: '\${KEY}' }
plans: { enterprise: { perMinute: ${perMinute}, perDay: ${perDay} } }
windows: { minute: ${MINUTE_SECONDS} }
`,
  );
  const watch = ['--expose-gc', '--import', join(import.meta.dirname, 'heap-watch.js')];
  const words = ['run', '--target', 'target.yaml', '--profile', 'day-quota', '--include', 'day-quota'];
  const { stderr } = await startProcess(
    process.execPath,
    [...watch, MAIN, ...words, '--report-dir', 'run', '--reporter', 'quiet'],
    { cwd, env: { KEY: server.keys.enterprise } },
  ).ended;
  const figures = [...stderr.matchAll(/^heap (\d+) rss (\d+)$/gm)].map(([, heap, rss]) => ({
    heap: Number(heap) / 1e6,
    rss: Number(rss) / 1e6,
  }));
  const heaps = figures.map(({ heap }) => heap);
  const fifth = Math.floor(heaps.length / 5);
  return {
    requests: resultsIn(join(cwd, 'run')).requests.total,
    /** Heap after collection in the last fifth of the run over that in the second fifth, when all code is loaded. */
    growth: median(heaps.slice(-fifth)) / median(heaps.slice(fifth, 2 * fifth)),
    /** Maximum. */
    heapMegabytes: Math.max(...heaps),
    residentMegabytes: Math.max(...figures.map(({ rss }) => rss)),
  };
}
