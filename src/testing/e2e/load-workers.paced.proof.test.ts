import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { against, loading, wasTooSlow } from './support/loading.js';
import { untilEnded } from './support/processes.js';
import { resultsIn } from './support/results.js';
import { answering } from './support/servers.js';
import { reference } from './support/targets.js';

const scenario = (phases: string): string => `
name: small
phases:
${phases}
operations:
  - { operation: listPets, weight: 3, query: { limit: [5, 20], status: [available, pending, sold] } }
  - { operation: createPet, weight: 1 }
keys: [business, enterprise]
thresholds: [errors < 1%, violations = 0, { phase: hold, served: = 80 }]
`;
const SHORT =
  '  - { name: hold, duration: 2s, rate: 40/s }\n  - { name: flood, duration: 1s, connections: 3 }';
/** Longer than any machine needs to find the workers of a run. */
const LONG = '  - { name: hold, duration: 60s, rate: 10/s }';

/** Returns the process ids of a run's workers. */
function workersOf(pid: number | undefined): readonly number[] {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' }).split(
    '\n',
  );
  return lines.filter((line) => line.includes('load-worker.js')).map((line) => Number.parseInt(line, 10));
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Returns the text of every file in a folder and below it. */
const textsIn = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'utf8'));

test('two workers send the whole schedule, with one report, one file of requests, no key in it, and metrics of each', async (t) => {
  const { origin, newest } = await collector(t);
  const words = ['--workers', '2', '--out', 'rows.ndjson', '--otlp', origin];
  const { cwd, directory, server, code, stdout, stderr } = await against(t, scenario(SHORT), {}, words);
  const { capacity } = resultsIn(directory);
  const isSlow = wasTooSlow(directory);
  assert.equal(code, isSlow ? 3 : 0, stdout + stderr);
  assert.match(stdout, /2 of 2 workers are connected: worker-1, worker-2/);
  assert.match(stdout, /^parts +Sent by/m);
  assert.deepEqual(
    capacity?.agents.map(({ name, problem }) => [name, isSlow ? null : problem]),
    [
      ['worker-1', null],
      ['worker-2', null],
    ],
  );
  const [hold, flood] = capacity?.phases ?? [];
  assert.equal((hold?.sent ?? 0) + (hold?.dropped ?? 0), 80);
  const rows = readFileSync(join(cwd, 'rows.ndjson'), 'utf8').trimEnd().split('\n');
  const parsed = rows.map((row) => JSON.parse(row) as { type: string; part: string | null; trace: string });
  const samples = parsed.filter(({ type }) => type === 'sample');
  assert.equal(samples.length, (hold?.sent ?? 0) + (flood?.sent ?? 0));
  assert.deepEqual(new Set(samples.map(({ part }) => part)), new Set(['1/2', '2/2']));
  assert.ok(parsed.some(({ type, part }) => type === 'second' && part === null));
  assert.match(
    stdout,
    new RegExp(`rows.ndjson holds ${new Intl.NumberFormat('en').format(rows.length)} rows`),
  );
  const texts = [...textsIn(cwd), stdout, stderr];
  for (const key of Object.values(server.keys)) assert.ok(texts.every((text) => !text.includes(key)));
  await partsStayParts(cwd, directory);

  for (const part of [/ 1\/2"/, / 2\/2"/])
    assert.ok(
      [...newest.keys()].some((instance) => part.test(instance)),
      [...newest.keys()].join(),
    );
  assert.equal(
    [...newest.values()].reduce((sum, one) => sum + one, 0),
    samples.length,
  );
  // On a busy machine an export may have timed out, which its worker says instead.
  assert.equal(stdout.match(/Metrics (?:were sent to|at \S+ are incomplete)/g)?.length, 2, stdout);
});

/** Judges the logs of both workers again: each is only a part, and has a key of its own. */
async function partsStayParts(cwd: string, directory: string): Promise<void> {
  const keys: string[][] = [];
  for (const index of [1, 2]) {
    const folder = join(directory, 'parts', String(index));
    const { code, stdout, stderr } = await petstoreHere(['report', folder], { cwd });
    assert.equal(code, 3, stdout + stderr);
    assert.match(stdout, new RegExp(`part ${index} of 2`));
    const { capacity, scope, requests } = resultsIn(folder);
    assert.deepEqual(capacity?.part, { index, count: 2 });
    assert.deepEqual(scope.selection, { scenario: 'small' });
    assert.ok(capacity.thresholds.every(({ outcome }) => outcome === 'inconclusive'));
    keys.push(Object.keys(requests.byKey).filter((key) => key !== 'anonymous'));
  }
  assert.deepEqual(keys, [['business'], ['enterprise']], 'each key is spent by one part, preflight included');
}

interface Exported {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string; readonly value: object }[] };
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string;
        readonly histogram?: { readonly dataPoints: readonly { readonly count: number }[] };
      }[];
    }[];
  }[];
}

/** Collects metrics as OpenTelemetry exports them: requests by the instance that sent them. */
async function collector(t: TestContext) {
  const newest = new Map<string, number>();
  const address = await answering(t, (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { resourceMetrics } = JSON.parse(Buffer.concat(pieces).toString()) as Exported;
      for (const { resource, scopeMetrics } of resourceMetrics) {
        const instance = JSON.stringify(
          resource.attributes.find(({ key }) => key === 'service.instance.id')?.value,
        );
        const latencies = scopeMetrics.flatMap(({ metrics }) =>
          metrics.filter(({ name }) => name === 'petstore.load.latency'),
        );
        const counts = latencies.flatMap(
          ({ histogram }) => histogram?.dataPoints.map(({ count }) => count) ?? [],
        );
        newest.set(
          instance,
          counts.reduce((sum, one) => sum + one, 0),
        );
      }
      response.end('{}');
    });
  });
  return { origin: new URL(address).origin, newest };
}

test('a worker that dies is a lost part, which is named and leaves the thresholds open', async (t) => {
  const server = await reference(t, {});
  const { business, enterprise } = server.keys;
  const cwd = folder(t);
  const words = ['--workers', '2'];
  const run = loading(cwd, server.baseUrl, { business, enterprise }, scenario(LONG), words);
  await run.shows(/waiting until|hold/);
  const [first = 0, second = 0] = workersOf(run.child.pid);
  process.kill(second, 'SIGKILL');
  // The others go on until they are stopped.
  await run.shows(/\d+ s +hold/);
  assert.ok(isAlive(first));
  run.child.kill('SIGINT');
  const { code, stdout } = await run.ended;
  assert.equal(code, 3, stdout);
  const { capacity } = resultsIn(join(cwd, 'out'));
  assert.match(
    capacity?.problems?.join('; ') ?? '',
    /part \d \(worker-\d\) was lost: its process ended \(SIGKILL\)/,
  );
  // Its requests are unknown, and were not none.
  assert.match(stdout, /worker-\d +– +– +incomplete/);
  assert.ok(capacity?.thresholds.every(({ outcome }) => outcome === 'inconclusive'));
  assert.ok((capacity?.phases[0]?.sent ?? 0) > 0);
  assert.ok(!isAlive(first), 'an interrupted run leaves no worker');
});

test('workers end when their coordinator is killed', async (t) => {
  const server = await reference(t, {});
  const { business, enterprise } = server.keys;
  const run = loading(folder(t), server.baseUrl, { business, enterprise }, scenario(LONG), [
    '--workers',
    '2',
  ]);
  await run.shows(/2 of 2 workers/);
  const workers = workersOf(run.child.pid);
  assert.equal(workers.length, 2);
  run.child.kill('SIGKILL');
  await once(run.child, 'exit');
  await untilEnded(workers);
});

const REFUSED: readonly (readonly [words: readonly string[], message: RegExp])[] = [
  [['--workers', '0'], /--workers takes auto or a whole number from 1 to 256, not "0"/],
  [['--workers', 'some'], /not "some"/],
  [['--workers', '2', '--agents', '2', '--redis', 'redis://h'], /--workers and --agents exclude each other/],
  [['--workers', '2', '--find', 'p99 < 1s'], /--find decides after each step/],
  [['--workers', '3', '--dry-run'], /3 parts would share 2 keys/],
];
for (const [words, message] of REFUSED)
  test(`load ${words.join(' ')} ends with 2 before any request`, async (t) => {
    const { code, stderr, server } = await against(t, scenario(SHORT), {}, words);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
    assert.equal(server.requests(), 0);
  });

test('--workers auto and --workers 1 need no more than one process', async (t) => {
  const { code, stdout } = await petstoreHere(['load', '--workers', 'auto', '--dry-run'], { cwd: folder(t) });
  assert.equal(code, 0);
  assert.match(stdout, /nothing was sent\n$/);
});
