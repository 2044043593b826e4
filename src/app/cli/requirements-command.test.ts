import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collector } from '../../report/terminal/reporter.test.support.js';
import type { Arguments } from './command-options.js';
import type { Io } from './io.js';
import { command } from './requirements-command.js';

for (const [where, shape, fits] of [
  ['wraps between words on a screen of 80 columns', { isTTY: true, columns: 80 }, true],
  ['has one line for each requirement on a wide screen', { isTTY: true, columns: 200 }, false],
  ['has one line for each requirement in a file', {}, false],
] as const)
  test(`the list of requirements ${where}`, async () => {
    const out = collector(shape);
    await command({} as Arguments<'requirements'>, { out: out.stream } as unknown as Io);
    const text = out.text();
    assert.equal(
      text.split('\n').every((line) => line.length <= 80),
      fits,
    );
    assert.ok(
      text.replaceAll(/\s+/g, ' ').includes('error-shape must A declared 400, 401 or 404 has an Error with'),
    );
  });
