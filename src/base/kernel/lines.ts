import { decoderOf } from './text-encoding.js';

/**
 * Yields the lines of a text that comes in pieces, without their ends. Only LF ends a line, and a CR before
 * it belongs to the end. Node's `readline` also ends lines at U+2028 and U+2029 from Node 24 on, which JSON
 * may have inside a text (RFC 8259, section 7). The last line needs no end.
 *
 * @param most the longest line that is read, since an endless one would exhaust memory, and the error for a
 *   longer one
 */
export async function* linesOf(
  pieces: AsyncIterable<Buffer>,
  most: { readonly characters: number; readonly error: () => Error } | null = null,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  // Parts of the open line: joining them only at its end keeps a long line cheap.
  let parts: string[] = [];
  let open = 0;
  for await (const piece of pieces) {
    decoder ??= decoderOf(piece);
    const text = decoder.decode(piece, { stream: true });
    const [first = '', ...others] = text.split('\n');
    for (const [at, part] of [first, ...others].entries()) {
      if (at > 0) {
        yield withoutReturn(parts.join(''));
        parts = [];
        open = 0;
      }
      parts.push(part);
      open += part.length;
      if (most !== null && open > most.characters) throw most.error();
    }
  }
  if (open > 0) yield withoutReturn(parts.join(''));
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
