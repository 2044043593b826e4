import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { OwnProblem } from '../../log/record.js';

interface Failure {
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** Returns the failure of an assertion; null for other errors, which say nothing about the target. */
export function failureOf(error: unknown): Failure | null {
  if (!(error instanceof Error)) return null;
  const { matcherResult } = error as {
    readonly matcherResult?: { readonly expected?: unknown; readonly actual?: unknown };
  };
  const isAssert = (error as NodeJS.ErrnoException).code === 'ERR_ASSERTION';
  if (!matcherResult && !isAssert) return null;
  const { expected, actual } = matcherResult ?? (error as { expected?: unknown; actual?: unknown });
  const [first = ''] = clean(error.message).split('\n');
  return {
    message: first,
    ...(expected !== undefined && { expected: written(expected) }),
    ...(actual !== undefined && { actual: written(actual) }),
  };
}

/** What Playwright knows of a running test. */
export interface Running {
  readonly errors: readonly { readonly message?: string }[];
  readonly expectedStatus: string;
}

const SKIPPED = 'Test is skipped:';

/** Returns the sentence of a test that skipped itself; null for other errors. */
export function skippedBy(error: unknown, { expectedStatus }: Running): string | null {
  if (expectedStatus !== 'skipped' || !(error instanceof Error) || !error.message.startsWith(SKIPPED))
    return null;
  const reason = clean(error.message.slice(SKIPPED.length));
  return `its test skipped itself${reason === '' ? '' : `: ${reason}`}`;
}

export function softFailure(text: string): Failure {
  const lines = clean(text).split('\n');
  const after = (label: string) =>
    lines
      .find((line) => line.startsWith(label))
      ?.slice(label.length)
      .trim();
  const [expected, actual] = [after('Expected:'), after('Received:')];
  return {
    message: (lines[0] ?? '').replace(/^Error: /, ''),
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
  };
}

const written = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));

/** Converts a thrown value to a sentence, with its line in the own suite. */
export function placeOf(error: unknown, files: readonly string[]): OwnProblem {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${String(error)}`;
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const [first = ''] = clean(message).split('\n');
  for (const [, place = '', line] of stack.matchAll(/\(?((?:file:\/\/)?\/[^()\n]+?):(\d+):\d+\)?$/gm)) {
    const file = place.startsWith('file:') ? fileURLToPath(place) : place;
    if (files.includes(file)) return { message: first, file, line: Number(line) };
  }
  return { message: first };
}

export const clean = (text: string): string => stripVTControlCharacters(text).trim();
