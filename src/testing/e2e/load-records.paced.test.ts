import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { folder } from './support/folder.js';
import { against, KEY, loadingHere, scenario } from './support/loading.js';
import { recordsIn, resultsIn } from './support/results.js';
import { answering, closedPort } from './support/servers.js';
import { optionalPackage } from '../../base/kernel/package.js';
import { rateHeadersWith } from '../../base/interface/rate-headers.js';

/** Starts a server that answers each listing with 21 animals, and records the trace ids of requests. */
async function tracing(t: TestContext) {
  const traces: string[] = [];
  const baseUrl = await answering(t, (request, response) => {
    traces.push(
      /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(String(request.headers['traceparent']))?.[1] ?? 'none',
    );
    response.writeHead(200, {
      'Content-Type': 'application/json',
      ...Object.fromEntries(
        rateHeadersWith({ limit: 1000, remaining: 900, reset: Math.ceil(Date.now() / 1000) + 30 }),
      ),
    });
    const pets = Array.from({ length: 21 }, (_, at) => ({
      id: at + 1,
      name: 'a',
      categoryId: 1,
      status: 'available',
    }));
    response.end(JSON.stringify(pets));
  });
  return { baseUrl, traces };
}

const LISTINGS = scenario('thresholds: [errors < 1%]')
  .replace('keys: [business, enterprise]', 'keys: [business]')
  .replaceAll(/^ {2}- \{ operation: (?:getPet|createPet).*\n/gm, '');

test('--out contains every request and second, with trace ids known to the server', async (t) => {
  const { baseUrl, traces } = await tracing(t);
  const cwd = folder(t);
  const ended = await loadingHere(cwd, baseUrl, { business: KEY }, LISTINGS, ['--out', 'run.ndjson']);
  assert.match(ended.stdout, /run\.ndjson holds \d+ rows\./);
  const text = readFileSync(join(cwd, 'run.ndjson'), 'utf8');
  assert.ok(!text.includes(KEY));
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const samples = rows.filter(({ type }) => type === 'sample');
  assert.equal(
    samples.length,
    resultsIn(join(cwd, 'out')).capacity?.phases.reduce((sum, { sent }) => sum + sent, 0),
  );
  assert.ok(samples.every(({ trace }) => traces.includes(String(trace))));
  assert.equal(
    rows.filter(({ type }) => type === 'second').length,
    recordsIn(join(cwd, 'out')).filter(({ type }) => type === 'second').length,
  );
  assert.ok(
    rows.every(
      ({ type, ms, sent, byStatus }) =>
        type !== 'second' || Number(ms) >= 50 || sent !== 0 || byStatus !== '',
    ),
    'an empty piece of a second',
  );
  const page = readFileSync(join(cwd, 'out/index.html'), 'utf8');
  const [shown = ''] = /(?<=first: trace )[0-9a-f]{32}/.exec(page) ?? [];
  assert.ok(traces.includes(shown), 'the page names no trace of the server');
  assert.ok(ended.stdout.replaceAll(/\s+/g, ' ').includes(`trace ${shown}`));
  assert.ok(readFileSync(join(cwd, 'out/summary.md'), 'utf8').includes(shown));
});

test('an existing file, a link or another extension is rejected before any request', async (t) => {
  const { baseUrl, traces } = await tracing(t);
  const cwd = folder(t);
  writeFileSync(join(cwd, 'there.csv'), 'mine');
  symlinkSync(join(cwd, 'elsewhere.csv'), join(cwd, 'link.csv'));
  for (const words of [
    ['--out', 'there.csv'],
    ['--out', 'link.csv'],
    ['--out', 'run.txt'],
    ['--out', 'nowhere/run.csv'],
    ['--otlp', 'http://user:word@127.0.0.1:4318'],
  ]) {
    const { code, stderr } = await loadingHere(cwd, baseUrl, { business: KEY }, LISTINGS, words);
    assert.equal(code, 2, words.join(' '));
    assert.match(stderr, /Nothing was sent\./);
  }
  assert.deepEqual([traces, readFileSync(join(cwd, 'there.csv'), 'utf8')], [[], 'mine']);
  assert.ok(!existsSync(join(cwd, 'elsewhere.csv')) && !existsSync(join(cwd, 'out')));
});

interface Exported {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string;
        readonly histogram?: { readonly dataPoints: readonly { readonly count: number }[] };
        readonly sum?: { readonly dataPoints: readonly { readonly asDouble: number }[] };
      }[];
    }[];
  }[];
}

test('an OpenTelemetry collector gets every request, and a missing collector changes nothing', async (t) => {
  const bodies: string[] = [];
  const collector = await answering(t, (request, response) => {
    assert.equal(request.url, '/v1/metrics');
    request.setEncoding('utf8');
    let body = '';
    request.on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      bodies.push(body);
      response.end('{}');
    });
  });
  const origin = new URL(collector).origin;
  const { code, stdout, directory } = await against(t, scenario('thresholds: [errors < 1%]'), {}, [
    '--otlp',
    origin,
  ]);
  // Thresholds are open where the machine could not keep the schedule; its counts hold all the same.
  assert.ok(code === 0 || code === 3, stdout);
  // On a machine that stands still an export may time out: the next one holds its counts.
  assert.match(
    stdout,
    /Metrics (?:were sent to \S+\/v1\/metrics \(\d+ exports\)|at \S+ are incomplete: [^(]*\([^)]*time)/i,
  );
  const last = JSON.parse(bodies.at(-1) ?? '') as Exported;
  const metrics = last.resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap((scope) => scope.metrics),
  );
  const sent = resultsIn(directory).capacity?.phases.reduce((sum, phase) => sum + phase.sent, 0);
  const countOf = (name: string): number =>
    metrics
      .filter((metric) => metric.name === name)
      .flatMap(({ histogram, sum }) => [
        ...(histogram?.dataPoints.map(({ count }) => count) ?? []),
        ...(sum?.dataPoints.map(({ asDouble }) => asDouble) ?? []),
      ])
      .reduce((total, one) => total + one, 0);
  assert.deepEqual(
    ['http.client.request.duration', 'petstore.load.latency', 'petstore.load.sent'].map(countOf),
    [sent, sent, sent],
  );

  const away = new URL(await closedPort()).origin;
  const alone = await against(t, scenario('thresholds: [errors < 1%]'), {}, ['--otlp', away]);
  assert.ok(alone.code === 0 || alone.code === 3, alone.stdout);
  assert.match(alone.stdout, /are incomplete: \d+ of \d+ exports failed \(.*ECONNREFUSED/);
});

test('a missing optional package is named with its install command', async () => {
  const name: string = 'a-package-that-nobody-has-installed';
  await assert.rejects(
    optionalPackage(() => import(name), 'what is missing', 'npm install it'),
    { code: 'not-installed', message: 'what is missing' },
  );
});
