import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { redactor } from '../wire/exchange/redact.js';
import { startReference } from '../reference/index.js';
import { historyPage } from '../report/pages/history/page.js';
import { readHistory } from '../outcome/acceptance/read-history.js';
import { renderPage } from '../report/pages/render-page.js';
import { STATES } from '../report/pages/synthetic/states.test.support.js';
import { petstore } from './e2e/support/command.js';
import { measureFailing, measurePassing, median, scratch, type Measured } from './measure.js';
import { CORES_OF_FOUR, measureFleet } from './measure-fleet.js';
import { measureLoad, type Contest } from './measure-load.js';
import { measureDay } from './measure-memory.js';
import { measureWorkers } from './measure-workers.js';
import { measureProxy } from './measure-proxy.js';
import { measureStart } from './measure-start.js';
import { packageRoot } from '../base/kernel/package.js';

/** `npm run bench`: prints what the kit costs on this machine, next to the promised bounds. */

/** Enough for a median on a machine that does other things as well. */
const REPETITIONS = 5;

async function repeated(measure: () => Promise<Measured>): Promise<readonly Measured[]> {
  const all: Measured[] = [];
  for (let count = 0; count < REPETITIONS; count += 1) all.push(await measure());
  return all;
}

/** Time of a command as a person types it, ms; the best of three, because other work only adds to it. */
function typedMs(wordsOf: (repetition: number) => readonly string[], cwd: string): number {
  return Math.min(
    ...[1, 2, 3].map((repetition) => {
      const [program = '', ...rest] = wordsOf(repetition);
      const startedAt = performance.now();
      const { status, stderr } = spawnSync(program, rest, { cwd });
      if (status !== 0) throw new Error(`${program} ${rest.join(' ')} failed:\n${String(stderr)}`);
      return performance.now() - startedAt;
    }),
  );
}

/** Time of `npm start` from start to end, ms. */
function firstRunMs(): number {
  using folder = scratch();
  return typedMs(
    (repetition) => ['npm', 'start', '--', '--report-dir', join(folder.cwd, `${repetition}`)],
    packageRoot(),
  );
}

/** Bound on the first run of the kit, in empty Playwright runs. */
const EMPTY_RUNS = 10;

/** Time of `npx playwright test` with one empty test, from start to end, ms. */
function emptyPlaywrightMs(): number {
  using folder = scratch(join(packageRoot(), 'test-results-bench-'));
  const { cwd } = folder;
  writeFileSync(
    join(cwd, 'empty.spec.js'),
    "import { test } from '@playwright/test';\ntest('empty', () => {});\n",
  );
  writeFileSync(join(cwd, 'playwright.config.js'), "export default { reporter: 'line', workers: 1 };\n");
  return typedMs(() => ['npx', 'playwright', 'test'], cwd);
}

/** Copies of one run of the suites in a folder: about a year of nightly runs. */
const NIGHTS = 400;

async function historyOfNights(): Promise<{ readonly ms: number; readonly megabytes: number }> {
  using folder = scratch();
  const { cwd } = folder;
  await using server = await startReference();
  const env = { KEY: server.keys.business };
  const words = ['run', '--base-url', server.baseUrl, '--key', 'business=${KEY}', '--only', 'suites'];
  await petstore([...words, '--report-dir', 'runs/0', '--reporter', 'quiet'], { cwd, env });
  rmSync(join(cwd, 'runs/0/playwright'), { recursive: true });
  for (let night = 1; night < NIGHTS; night += 1)
    cpSync(join(cwd, 'runs/0'), join(cwd, `runs/${night}`), { recursive: true });
  const startedAt = performance.now();
  const page = historyPage(await readHistory(join(cwd, 'runs')));
  return { ms: performance.now() - startedAt, megabytes: page.length / 1e6 };
}

function heavyPage(): { readonly ms: number; readonly megabytes: number } {
  const input = STATES.heavy();
  const startedAt = performance.now();
  const page = renderPage(input);
  return { ms: performance.now() - startedAt, megabytes: page.length / 1e6 };
}

/** Time to redact 1 MiB over the time for a sixteenth of it. Quadratic redaction would give 256. */
function redactingRatio(): number {
  const redact = redactor(['pk-some-key-of-a-bench-0123456789', 'another-key-of-another-plan-0123456789']);
  const timed = (length: number): number => {
    const text = 'pk-some-key-'.repeat(length / 12);
    const startedAt = performance.now();
    redact(text);
    return performance.now() - startedAt;
  };
  timed(1 << 16);
  return timed(1 << 20) / timed(1 << 16);
}

const megabytesUsed = (): string => `${Math.round(process.memoryUsage.rss() / 1e6)} MB`;
const say = (what: string, figure: string, bound: string): void =>
  void process.stdout.write(`${what.padEnd(48)}${figure.padStart(10)}   ${bound}\n`);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

process.stdout.write(`Node ${process.version}, ${cpus().length} cores, medians of ${REPETITIONS}\n\n`);
const passing = await repeated(measurePassing);
const failing = await repeated(measureFailing);
const runMs = (all: readonly Measured[]) => median(all.map((measured) => measured.runMs));
say('suites and preflight, all passing', seconds(runMs(passing)), 'under 3 s');
say('suites and preflight, most failing', seconds(runMs(failing)), '');
say('most failing against all passing', (runMs(failing) / runMs(passing)).toFixed(2), 'at most 2');
say('the command, from start to end', seconds(median(passing.map(({ commandMs }) => commandMs))), '');
say('requests of the suites', String(passing[0]?.results.requests.total), '');
say(
  'with the key',
  String(passing[0]?.results.requests.byKey['business']),
  'at most 250, a quarter of its minute',
);
const firstMs = firstRunMs();
const emptyMs = emptyPlaywrightMs();
say(
  'npm start: suites, load and reports',
  seconds(firstMs),
  `npx playwright test with an empty test takes ${seconds(emptyMs)}`,
);
say('  in empty Playwright runs', (firstMs / emptyMs).toFixed(1), `at most ${EMPTY_RUNS}`);
const start = await measureStart();
say('one requirement, in empty Playwright runs', start.byClock.toFixed(2), 'at most 1.7');
say('  by processor time', start.byProcessor.toFixed(2), 'at most 1.7');

const day = await measureDay();
const people = new Intl.NumberFormat('en-US');
say(
  `heap at ${people.format(day.requests)} requests of a day`,
  `${Math.round(day.heapMegabytes)} MB`,
  `about 60: all samples are kept; ${Math.round(day.residentMegabytes)} MB resident`,
);

const load = await measureLoad();
const rates = ({ bare, checked }: Contest): string =>
  `${people.format(Math.round(checked))} to ${people.format(Math.round(bare))} a second`;
say(
  'load: every answer checked against none, reads',
  load.reads.byClock.toFixed(2),
  `at least 0.9; ${rates(load.reads)}`,
);
say('  by processor time', load.reads.byProcessor.toFixed(2), 'at least 0.8');
say('  a tenth of creations', load.creations.byClock.toFixed(2), `at least 0.8; ${rates(load.creations)}`);
say('  by processor time', load.creations.byProcessor.toFixed(2), 'at least 0.8');
say(
  '  open loop at 2,000/s, gaps from the intended',
  `${load.open.gapP99.toFixed(2)} ms`,
  `p99 under 2 ms; timers alone ${load.timersP99.toFixed(2)} ms, ${load.open.dropped} dropped`,
);
say(
  '  artillery, which checks nothing',
  load.artillery === null ? '–' : `${people.format(Math.round(load.artillery))}/s`,
  load.artillery === null ? 'is not installed: npm install --global artillery' : 'with as many connections',
);

const workers = await measureWorkers();
say(
  'load: two workers against one process',
  (workers.two / workers.one).toFixed(2),
  `${people.format(Math.round(workers.two))} to ${people.format(Math.round(workers.one))} a second; about 1 on two cores`,
);
for (const [name, { p50, p99 }] of Object.entries(workers.truth))
  say(
    `  latencies of ${name === 'one' ? 'one process' : 'two workers'} against known delays`,
    `${p50.toFixed(3)}, ${p99.toFixed(3)}`,
    'p50 and p99 over the true ones, 0.95 to 1.05',
  );

const { direct, proxied } = await measureProxy();
say(
  'proxy: added to a listing over a kept connection',
  `${(proxied.p50 - direct.p50).toFixed(2)} ms`,
  `median, under 1 ms; ${proxied.p50.toFixed(2)} against ${direct.p50.toFixed(2)} ms`,
);
say(
  '  at the 99th percentile',
  `${(proxied.p99 - direct.p99).toFixed(2)} ms`,
  `${proxied.p99.toFixed(2)} against ${direct.p99.toFixed(2)} ms`,
);

const fleet = await measureFleet();
if (fleet) {
  const enough = cpus().length >= CORES_OF_FOUR;
  say(
    'load: four agents against four times one',
    (fleet.four / fleet.one / 4).toFixed(2),
    enough ? 'at least 0.95' : `says nothing on ${cpus().length} cores`,
  );
  say(
    '  against four workers without Redis',
    (fleet.four / fleet.workers).toFixed(2),
    'about 1: what the split itself costs',
  );
  say(
    '  processor time of a request, four against one',
    fleet.costRatio.toFixed(2),
    enough ? 'about 1' : 'more where they take turns',
  );
} else say('load: four agents against four times one', '–', 'redis-server is not installed');

const page = heavyPage();
say('page of 100,000 load exchanges', seconds(page.ms), `under 5 s, ${megabytesUsed()} of 500`);
say('  its size', `${page.megabytes.toFixed(1)} MB`, 'under 3 MB');
const history = await historyOfNights();
say(`history of ${NIGHTS} runs`, seconds(history.ms), `under 5 s, ${megabytesUsed()} of 300`);
say('  its size', `${history.megabytes.toFixed(1)} MB`, 'under 3 MB');
say('redacting 16 times as much', redactingRatio().toFixed(0), 'about 16');
