import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';
import { against, KEY, loadingHere, scenario } from './support/loading.js';
import { closedPort } from './support/servers.js';
import { reference } from './support/targets.js';

test('load on a closed port sends nothing and exits with 3', async (t) => {
  const keys = { business: KEY, enterprise: `${KEY}-2` };
  const { code, stdout } = await loadingHere(folder(t), await closedPort(), keys, scenario());
  assert.equal(code, 3);
  assert.match(stdout, /Cannot start: nothing listens[\s\S]*No load was sent/);
});

test('a dry run prints the schedule with requests per key and sends nothing', async (t) => {
  const { code, stdout, server } = await against(t, scenario('thresholds: [errors < 1%]'), {}, ['--dry-run']);
  assert.equal(code, 0);
  assert.match(stdout, /hold +2 s at 40\/s +80 requests/);
  assert.match(stdout, /business +53 requests on schedule/);
  assert.match(stdout, /nothing was sent/);
  assert.equal(server.requests(), 0);
});

const BAD: readonly [what: string, text: string, message: RegExp][] = [
  [
    'no phases',
    scenario().replace(/phases:[\s\S]*operations:/, 'phases: []\noperations:'),
    /s\.yaml:3: .*phases/,
  ],
  [
    'a schedule beyond a plan',
    scenario().replace('rate: 40/s', 'rate: 4000/min').replace('duration: 2s', 'duration: 60s'),
    /requests within 60 s with the business key/,
  ],
  [
    'a closed loop without remaining requests',
    scenario()
      .replace('rate: 40/s', 'rate: 2000/min')
      .replace('duration: 2s', 'duration: 120s')
      .replace('operations:', '  - { name: flood, duration: 5s, connections: 3 }\noperations:'),
    /leaves no request|requests within 60 s/,
  ],
  [
    'a missing key',
    scenario().replace('keys: [business, enterprise]', 'keys: [free]'),
    /uses the free key, but the target t has none/,
  ],
  ['an unknown operation', scenario().replace('getPet', 'gitPet'), /did you mean +getPet/],
  [
    'a threshold for an unknown phase',
    scenario('thresholds: [{ phase: holt, p99: < 1s }]'),
    /no phase "holt"[\s\S]*did you mean +hold/,
  ],
];

for (const [what, text, message] of BAD)
  test(`load with ${what} exits with 2 and sends nothing`, async (t) => {
    const { code, stderr, server } = await against(t, text);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
    assert.match(stderr, /what to do/);
    assert.equal(server.requests(), 0);
  });

test('a production target gets no load without permission', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, {});
  writeFileSync(
    join(cwd, 'p.yaml'),
    `name: p\nbaseUrl: ${server.baseUrl}\nkeys: { business: "\${K}" }\nproduction: true\n`,
  );
  writeFileSync(join(cwd, 's.yaml'), scenario().replace('[business, enterprise]', '[business]'));
  const { code, stderr } = await petstoreHere(['load', '--target', 'p.yaml', '--scenario', 's.yaml'], {
    cwd,
    env: { K: server.keys.business },
  });
  assert.equal(code, 2);
  assert.match(stderr, /--allow-load-on-production/);
  assert.equal(server.requests(), 0);
});

test('wrong load options exit with 2', async (t) => {
  const cwd = folder(t);
  for (const [words, message] of [
    [['--slice', '1/4'], /load no longer takes --slice[^]*load --workers N/],
    [['--start-at', '2031-01-01T00:00:00Z'], /load no longer takes --start-at[^]*load --agents N/],
    [['--scenario', 'nowhere.yaml'], /does not exist/],
    [['--scenari', 'x'], /Did you mean --scenario/],
    [['--target', 'staging'], /./],
  ] as const) {
    const { code, stderr } = await petstoreHere(['load', ...words], { cwd });
    assert.equal(code, 2, words.join(' '));
    assert.match(stderr, message);
  }
});
