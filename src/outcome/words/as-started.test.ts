import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asShared, asStarted, withCommands } from './as-started.js';

const PATH = '/usr/local/bin:/usr/bin';

const STARTED: readonly (readonly [what: string, script: string, cwd: string, command: string])[] = [
  [
    'a local install',
    '/home/a/node_modules/.bin/petstore-conformance',
    '/home/a',
    'npx petstore-conformance',
  ],
  [
    'a folder below it',
    '/home/a/node_modules/.bin/petstore-conformance',
    '/home/a/b',
    'npx petstore-conformance',
  ],
  [
    'npx’s cache',
    '/home/a/.npm/_npx/1/node_modules/.bin/petstore-conformance',
    '/b',
    'npx petstore-conformance',
  ],
  [
    'Windows',
    'C:\\a\\node_modules\\petstore-conformance\\dist\\src\\cli\\main.js',
    'C:\\a',
    'npx petstore-conformance',
  ],
  [
    'a local install of another folder',
    '/home/a/node_modules/.bin/petstore-conformance',
    '/home/b',
    '/home/a/node_modules/.bin/petstore-conformance',
  ],
  ['PATH', '/usr/local/bin/petstore-conformance', '/home/a', 'petstore-conformance'],
  ['PATH under another name', '/usr/local/bin/pets', '/home/a', 'pets'],
  ['a link that is not in PATH', '/opt/pets', '/home/a', '/opt/pets'],
  ['a link below the folder', '/home/a/bin/pets', '/home/a', './bin/pets'],
  ['a checkout', '/kit/dist/src/app/cli/main.js', '/kit', 'npx petstore-conformance'],
  [
    'a folder above a checkout',
    '/kits/kit/dist/src/app/cli/main.js',
    '/kits',
    'node kit/dist/src/app/cli/main.js',
  ],
  [
    'a checkout, from another folder',
    '/kit/dist/src/app/cli/main.js',
    '/home/a',
    'node /kit/dist/src/app/cli/main.js',
  ],
  ['a path with a blank', '/my kit/dist/start.cjs', '/home/a', "node '/my kit/dist/start.cjs'"],
];
for (const [what, script, cwd, command] of STARTED)
  test(`the next command works where the kit was started from ${what}`, () =>
    assert.equal(
      asStarted('petstore-conformance run', script, { cwd, path: PATH, real: '/kit/start.cjs' }),
      `${command} run`,
    ));

test('a program that runs the kit inside itself gets the kit’s name', () =>
  assert.equal(
    asStarted('petstore-conformance run', '/app/ci.js', { cwd: '/app', path: PATH, real: '/app/ci.js' }),
    'petstore-conformance run',
  ));

test('another command, and none, stay as they are', () => {
  assert.equal(asStarted('curl -I x', '/opt/pets'), 'curl -I x');
  assert.equal(asStarted(null, '/opt/pets'), null);
});

test('commands in a sentence are written as they were started, and other words are not', () => {
  const sentence = 'Write petstore-conformance client -- npm test, or npx petstore-conformance run.';
  assert.equal(
    withCommands(sentence, './bin/pets'),
    'Write ./bin/pets client -- npm test, or npx petstore-conformance run.',
  );
  for (const text of [
    'petstore-conformance 1.0.0',
    '/opt/petstore-conformance run',
    'by petstore-conformance.',
  ])
    assert.equal(withCommands(text, 'pets'), text);
});

const shared = (script: string) =>
  asShared('petstore-conformance run', script, { cwd: '/home/a', path: PATH, real: script });

test('a command in a file for others has npx or the name, and no path of this machine', () => {
  assert.equal(shared('/home/a/node_modules/.bin/petstore-conformance'), 'npx petstore-conformance run');
  assert.equal(shared('/kit/dist/src/app/cli/main.js'), 'petstore-conformance run');
});
