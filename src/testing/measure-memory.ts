import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startReference } from '../reference/index.js';
import { MAIN, startProcess } from './e2e/support/command.js';
import { resultsIn } from './e2e/support/results.js';
import { scratch } from './measure.js';

/** Uses up a day in less than two minutes: nearly as long as a run may be, with its requests beyond the day. */
const ENTERPRISE = { perMinute: 20_000, perDay: 190_000 };
const MINUTE_SECONDS = 10;

/** Uses up a day of the reference server, and watches the command's heap meanwhile. */
export async function measureDay() {
  using folder = scratch();
  const { cwd } = folder;
  await using server = await startReference({
    minuteSeconds: MINUTE_SECONDS,
    plans: { enterprise: ENTERPRISE },
  });
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
  return {
    requests: resultsIn(join(cwd, 'run')).requests.total,
    /** Maximum after collection. */
    heapMegabytes: Math.max(...figures.map(({ heap }) => heap)),
    residentMegabytes: Math.max(...figures.map(({ rss }) => rss)),
  };
}
