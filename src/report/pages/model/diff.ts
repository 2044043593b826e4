import type * as Diff from 'diff';
import { createRequire } from 'node:module';
import { once } from '../../../base/kernel/config-file.js';

/** Loaded with the first comparison: a page without a violation needs none. */
const library = once(() => createRequire(import.meta.url)('diff') as typeof Diff);

/** A piece of a text, marked if the other text lacks it. */
export interface DiffPiece {
  readonly text: string;
  readonly differs: boolean;
}

/** Most tokens of a side that is compared: marks help only in short texts. */
const MOST_TOKENS = 400;
/** Smallest common share: below it, marks would only be noise. */
const LEAST_COMMON = 0.25;

/** By words, numbers and signs. Marks texts with almost nothing in common as a whole. */
export function diff(expected: string, actual: string): { expected: DiffPiece[]; actual: DiffPiece[] } {
  const sides = [tokens(expected), tokens(actual)] as const;
  const changes = sides.some(({ length }) => length > MOST_TOKENS) ? [] : library().diffArrays(...sides);
  const shared = words(
    changes.filter(({ added, removed }) => !added && !removed).flatMap(({ value }) => value),
  );
  if (shared < LEAST_COMMON * Math.max(...sides.map(words), 1))
    return { expected: whole(expected), actual: whole(actual) };
  return {
    expected: pieces(changes.filter(({ added }) => !added)),
    actual: pieces(changes.filter(({ removed }) => !removed)),
  };
}

const tokens = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_.-]+|[^\s\p{L}\p{N}_.-]/gu) ?? [];

const words = (side: readonly string[]): number => side.filter((token) => token.trim() !== '').length;

const whole = (text: string): DiffPiece[] => (text === '' ? [] : [{ text, differs: true }]);

/** Joins neighbours of one kind; blanks between two marked words are marked too. */
function pieces(side: readonly Diff.ChangeObject<string[]>[]): DiffPiece[] {
  const all = side.flatMap(({ value, added, removed }) =>
    value.map((text) => ({ text, differs: added || removed })),
  );
  const joined: { text: string; differs: boolean }[] = [];
  for (const [index, { text, differs }] of all.entries()) {
    const isBlank = text.trim() === '';
    const marked = isBlank
      ? (all[index - 1]?.differs ?? false) && (all[index + 1]?.differs ?? false)
      : differs;
    const last = joined.at(-1);
    if (last?.differs === marked) last.text += text;
    else joined.push({ text, differs: marked });
  }
  return joined;
}
