import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { petstore, type Ended } from './command.js';
import { filesIn, folder } from './folder.js';
import { unpacked } from './playwright-report.js';
import { searchFor } from './search.js';
import { targetFile } from './targets.js';

/** Key of which any part is recognizable. */
export const CANARY = 'cnry_Q7xWv2LzP9kR4mT8bN3sD6fG1hJ5yU0eA';

/** Keys of other plans, just as recognizable. */
export const OTHERS = {
  free: 'free_M3nB8vC1xZ6lK9jH4gF7dS2aP5oI0uYtR',
  sacrificial: 'lamb_E4rT9yU2iO7pA1sD6fG3hJ8kL5zX0cVbN',
};

/** Letters in a row that are certainly part of a key. */
const PART = 8;

/** Returns every text that gives a key away: its parts, its reverse, and their readable encodings. */
function tracesOf(key: string): readonly string[] {
  const hex = Buffer.from(key).toString('hex');
  const encoded = base64(key);
  return [
    ...[key, backwards(key), ...encoded, ...encoded.flatMap(base64)].flatMap((text) => partsOf(text)),
    ...partsOf(hex, 2 * PART),
    hex.replaceAll(/../g, '%$&'),
    hex.replaceAll(/../g, String.raw`\u00$&`),
    hex.replaceAll(/../g, '&#x$&;'),
  ];
}

/** Reverses a text. */
export const backwards = (text: string): string => Array.from(text).reverse().join('');

/** Encodes a text in Base64 at each offset, without the characters that depend on its neighbours. */
const base64 = (text: string): readonly string[] =>
  [0, 1, 2].map((shift) =>
    Buffer.from(`${'.'.repeat(shift)}${text}`)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  );

const partsOf = (text: string, length: number = PART): readonly string[] =>
  Array.from({ length: text.length - length + 1 }, (_, at) => text.slice(at, at + length));

/** Every text that gives one of the keys away. */
export const TRACES = [CANARY, ...Object.values(OTHERS)].flatMap(tracesOf);
const trace = searchFor(TRACES, PART);

/** Fails if a text holds a part of a key, and shows the place. */
export function expectClean(where: string, text: string): void {
  const found = trace(text);
  if (!found) return;
  assert.fail(`${where} holds a part of a key: …${text.slice(Math.max(0, found.at - 80), found.at + 80)}…`);
}

/** Fails if a command's output, or any file below its folder, holds a part of a key. */
export function expectNothingLeft(cwd: string, { stdout, stderr }: Ended): void {
  expectClean('stdout', stdout);
  expectClean('stderr', stderr);
  for (const { name, bytes } of filesIn(cwd)) {
    expectClean(`the name ${name}`, name);
    expectClean(name, bytes.toString('latin1'));
    expectClean(`${name}, read as UTF-16`, bytes.toString('utf16le'));
    if (name.endsWith('.html'))
      for (const text of unpacked(bytes.toString('utf8'))) expectClean(`${name}, unpacked`, text);
  }
}

/** Lines of a target file that name the other plans' variables, and these variables. */
export const settings = Object.entries(OTHERS).map(([plan]) => `  ${plan}: \${OTHER_${plan.toUpperCase()}}`);
export const others = Object.fromEntries(
  Object.entries(OTHERS).map(([plan, key]) => [`OTHER_${plan.toUpperCase()}`, key]),
);

/**
 * Runs the command against an address, and searches all its output for keys.
 *
 * @param more further variables of the command's environment
 */
export async function runAgainst(
  t: TestContext,
  baseUrl: string,
  words: readonly string[],
  more: Readonly<Record<string, string>> = {},
  lines: readonly string[] = [],
) {
  const cwd = folder(t);
  const { file, env } = targetFile(cwd, baseUrl, CANARY, [...settings, ...lines]);
  const ended = await petstore(['run', '--target', file, ...words], {
    cwd,
    env: { ...env, ...others, ...more },
  });
  expectNothingLeft(cwd, ended);
  assert.ok(
    filesIn(cwd).some(({ name }) => name.endsWith('log.ndjson')),
    ended.stderr,
  );
  return { cwd, ended };
}

export const suites = ['--only', 'suites', '--verbose'];
