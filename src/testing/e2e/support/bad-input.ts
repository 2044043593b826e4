import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { petstore, petstoreHere, type Ended } from './command.js';
import { folder } from './folder.js';

/** An address at which no server listens. */
export const ADDRESS = 'http://127.0.0.1:9/v1';
export const WITH_KEY = ['--base-url', ADDRESS, '--key', 'free=some-key-of-a-test'] as const;

/** A mistake before the first request: one sentence, the remedy, exit code 2, no stack. */
export interface BadInput {
  readonly title: string;
  readonly words: readonly string[];
  /** First line: the usage or configuration error. */
  readonly says: RegExp;
  /** The remedy. */
  readonly helps: RegExp;
  /** Files in the folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Checks the form of a usage or configuration error, its first line and its remedy. */
export function expectUsage({ code, stdout, stderr }: Ended, says: RegExp, helps: RegExp): void {
  assert.equal(code, 2, stdout + stderr);
  assert.match(stderr, /^(usage|configuration) /);
  assert.match(stderr.split('\n')[0] ?? '', says);
  assert.match(stderr, helps);
  assert.match(stderr, /^what to do +\S/m);
  assert.match(stderr, /^code +[\w-]+$/m);
  assert.doesNotMatch(stderr, /^ {4}at /m);
  // A comparison is printed before the write fails, so that nothing is lost.
  if (!says.source.includes('cannot be written')) assert.equal(stdout, '');
}

/** Kind of error; one case of each also runs in a separate process, whose main file is that of all commands. */
const kindOf = ({ stderr }: Ended): string => stderr.split(' ', 1)[0] ?? '';
const started = new Set<string>();

export function testsBadInput({ title, words, says, helps, files = {}, env = {} }: BadInput): void {
  test(title, async (t) => {
    const cwd = folder(t);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(cwd, name, '..'), { recursive: true });
      writeFileSync(join(cwd, name), text);
    }
    const ended = await petstoreHere(words, { cwd, env });
    expectUsage(ended, says, helps);
    const kind = kindOf(ended);
    if (started.has(kind)) return;
    started.add(kind);
    assert.deepEqual(await petstore(words, { cwd, env }), ended);
  });
}
