/** A piece of a text, and whether the other text lacks it. */
export interface DiffPiece {
  readonly text: string;
  readonly differs: boolean;
}

/** Beyond this many tokens a side is not compared: the table grows with the product. */
const MOST_TOKENS = 400;

/** With less than this share in common two texts are simply different, and marks would only be noise. */
const LEAST_COMMON = 0.25;

/**
 * Two texts compared by words, numbers and signs; what only one of them has is marked. Texts with next to nothing in
 * common are marked whole.
 */
export function diff(expected: string, actual: string): { expected: DiffPiece[]; actual: DiffPiece[] } {
  const left = tokens(expected);
  const right = tokens(actual);
  const common = left.length > MOST_TOKENS || right.length > MOST_TOKENS ? null : commonTokens(left, right);
  const shared = common ? words(left.filter((_, index) => common.left.has(index))) : 0;
  if (!common || shared < LEAST_COMMON * Math.max(words(left), words(right), 1))
    return { expected: whole(expected), actual: whole(actual) };
  return { expected: pieces(left, common.left), actual: pieces(right, common.right) };
}

const tokens = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_.-]+|[^\s\p{L}\p{N}_.-]/gu) ?? [];

const words = (side: readonly string[]): number => side.filter((token) => token.trim() !== '').length;

const whole = (text: string): DiffPiece[] => (text === '' ? [] : [{ text, differs: true }]);

/** The longest common subsequence, as positions in either side. */
function commonTokens(left: readonly string[], right: readonly string[]): { left: Set<number>; right: Set<number> } {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1)
    for (let column = right.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const found = { left: new Set<number>(), right: new Set<number>() };
  for (let row = 0, column = 0; row < left.length && column < right.length;) {
    if (left[row] === right[column]) {
      found.left.add(row++);
      found.right.add(column++);
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return found;
}

/** Neighbours of one kind joined; blanks between two marked words are marked with them. */
function pieces(side: readonly string[], common: ReadonlySet<number>): DiffPiece[] {
  const differs = side.map((_, index) => !common.has(index));
  const blank = (index: number) => side[index]?.trim() === '';
  const joined: { text: string; differs: boolean }[] = [];
  for (const [index, text] of side.entries()) {
    const marked = blank(index) ? differs[index - 1] === true && differs[index + 1] === true : differs[index] === true;
    const last = joined.at(-1);
    if (last?.differs === marked) last.text += text;
    else joined.push({ text, differs: marked });
  }
  return joined;
}
