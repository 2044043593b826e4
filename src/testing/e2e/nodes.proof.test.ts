import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  attestationIn,
  certificateIn,
  certifiedRecords,
  ndjson,
  SOUND_EXCHANGE,
} from '../../outcome/acceptance/certified-run.test.support.js';
import { sha256 } from '../../base/kernel/config-file.js';
import { packageRoot } from '../../base/kernel/package.js';
import { gather } from '../../log/gathered.test.support.js';
import { startReference, type Reference } from '../../reference/index.js';
import { startProcess, type Ended } from './support/command.js';
import { redisServer, type RedisServer } from './support/redis.js';
import { idsThat, resultsIn } from './support/results.js';

/** A quick pass over the kit on the Nodes that it supports, against a store of odd names. */

/**
 * The first supported version and the newest. The workflow `nodes` passes all of `npm test` on these and
 * those between them.
 */
const SUPPORTED = ['20.19.0', '26'] as const;
/**
 * Too old, without `import()` and `node:` names: what it reads, every later one reads. `start.test.ts`
 * compares the versions.
 */
const TOO_OLD = '8';

/** npm's package with the Node of this system; the package `node` chooses it by a script. */
const BINARY = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

const START = join(packageRoot(), 'dist/src/app/cli/start.cjs');
const KIT = pathToFileURL(join(packageRoot(), 'dist/src/index.js')).href;

/** Names that a reader of lines, an escaper or a page may take for something else. */
const ODD_NAMES = [
  'line\u2028separator\u2029paragraph\u0085next',
  '\u202Eright to left\u202C \u200Bzero width\u200D',
  '\uFEFFmark',
  'lone accent \u0301\u0308',
  'control \u0000\u0007\u001B[31m\u007F',
  'x'.repeat(5_000),
  '__proto__',
  'constructor',
  '<script>alert(1)</script>&amp;"\'',
  '🐈‍⬛',
];

let place = '';
let server: Reference;
let redis: RedisServer;
const endings: (() => unknown)[] = [];

before(async () => {
  place = mkdtempSync(join(tmpdir(), 'petstore-nodes-'));
  endings.push(() => rmSync(place, { recursive: true, force: true }));
  writeFileSync(join(place, 'package.json'), '{ "private": true }');
  const wanted = [...SUPPORTED, TOO_OLD].map((version) => `n${version}@npm:${BINARY}@${version}`);
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', ...wanted];
  const installed = await startProcess('npm', install, { cwd: place }).ended;
  assert.equal(installed.code, 0, installed.stderr);
  server = await startReference({ animals: 20 });
  endings.push(() => server.close());
  redis = await redisServer({ after: (end) => endings.push(end as () => unknown) });
  for (const name of ODD_NAMES) {
    const { status } = await fetch(`${server.baseUrl}/pets`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.keys.enterprise}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, categoryId: 7 }),
    });
    assert.equal(status, 201);
  }
  writeFileSync(
    join(place, 't.yaml'),
    `name: odd\nbaseUrl: ${server.baseUrl}\nkeys: { business: "\${KEY}" }\n`,
  );
  writeFileSync(
    join(place, 's.yaml'),
    'name: short\nphases: [{ name: hold, duration: 1s, rate: 20/s }]\noperations: [{ operation: listPets, weight: 1 }, { operation: getPet, weight: 1 }]\n',
  );
  const odd = {
    ...SOUND_EXCHANGE,
    answer: { ...SOUND_EXCHANGE.answer, headers: [...SOUND_EXCHANGE.answer.headers] },
  };
  const records = certifiedRecords({
    exchanges: [
      { ...odd, answer: { ...odd.answer, headers: [...odd.answer.headers, ['X-Odd', ODD_NAMES[0] ?? '']] } },
    ],
  });
  const [log, text] = [gather(records), ndjson(records)];
  writeFileSync(join(place, 'log.ndjson'), text);
  writeFileSync(join(place, 'certificate.json'), JSON.stringify(certificateIn(log, sha256(text))));
  writeFileSync(join(place, 'certificate.intoto.json'), JSON.stringify(attestationIn(log, sha256(text))));
});

after(async () => {
  for (const end of endings.toReversed()) await end();
});

const nodeOf = (version: string): string => join(place, 'node_modules', `n${version}`, 'bin/node');

/** Runs a command on a Node; it must end with the code, and without a warning of Node's. */
async function expectEnd(
  version: string,
  words: readonly string[],
  code: number | readonly number[],
): Promise<Ended> {
  const env = { KEY: server.keys.business };
  const ended = await startProcess(nodeOf(version), words, { cwd: place, env }).ended;
  assert.ok([code].flat().includes(ended.code ?? NaN), `${words.join(' ')}\n${ended.stdout}${ended.stderr}`);
  assert.doesNotMatch(ended.stdout + ended.stderr, /\(node:\d+\)|Warning:|--trace-warnings/);
  return ended;
}

const PROGRAM = `import { certify } from ${JSON.stringify(KIT)};
const [baseUrl] = process.argv.slice(1);
const { results } = await certify(baseUrl, { keys: { business: '\${KEY}' }, requirements: ['list-ok', 'list-limit-default'] });
process.stdout.write(results.verdict);`;

for (const version of SUPPORTED)
  describe(`Node ${version}`, () => {
    const directory = `run-${version}`;

    test('run and exploring find nothing wrong, compare and report read the log', async () => {
      const run = ['run', '--target', 't.yaml', '--only', 'suites', '--explore', '60', '--seed', '5'];
      await expectEnd(version, [START, ...run, '--report-dir', directory], 0);
      const results = resultsIn(join(place, directory));
      assert.deepEqual([...idsThat(results, 'failed'), ...idsThat(results, 'inconclusive')], []);
      await expectEnd(version, [START, 'compare', directory, directory], 0);
      await expectEnd(version, [START, 'report', directory], 0);
      await expectEnd(version, [START, 'verify', 'certificate.json'], 0);
    });

    test('load runs in one process and on an agent', async () => {
      const load = ['load', '--target', 't.yaml', '--scenario', 's.yaml', '--report-dir'];
      // On a busy machine the generator may be late, which is no verdict about the server.
      await expectEnd(version, [START, ...load, `load-${version}`], [0, 3]);
      const agent = startProcess(
        nodeOf(version),
        [START, 'agent', '--redis', redis.url, '--name', 'one', '--allow-loopback'],
        {
          cwd: place,
          env: { KEY: server.keys.business },
        },
      );
      await agent.shows(/waits for work/);
      await expectEnd(
        version,
        [START, ...load, `fleet-${version}`, '--agents', '1', '--redis', redis.url],
        [0, 3],
      );
      agent.child.kill('SIGTERM');
      const { stdout, stderr } = await agent.ended;
      assert.doesNotMatch(stdout + stderr, /\(node:\d+\)|Warning:/);
      for (const name of [`load-${version}`, `fleet-${version}`]) {
        const { capacity, requirements } = resultsIn(join(place, name));
        assert.deepEqual(
          requirements.filter(({ outcome }) => outcome === 'failed'),
          [],
        );
        assert.deepEqual(
          capacity?.phases.map(({ violations, errors }) => [violations, errors]),
          [[0, 0]],
        );
      }
    });

    test('the API judges', async () => {
      const { stdout } = await expectEnd(version, ['--input-type=module', '-e', PROGRAM, server.baseUrl], 0);
      assert.equal(stdout, 'conformant');
    });
  });

test(`Node ${TOO_OLD} is too old, and one sentence says so`, async () => {
  const { stdout, stderr } = await expectEnd(TOO_OLD, [START, 'run'], 2);
  assert.equal(stdout, '');
  assert.match(
    stderr,
    new RegExp(`^petstore-conformance needs Node 20\\.19 or later; this is v${TOO_OLD}\\.\\S+\\.\n$`),
  );
});
