import { safeText, wrapped } from '../../outcome/words/safe-text.js';

export interface Io {
  readonly in: NodeJS.ReadStream;
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
}

/** Writes a line. Its text cannot break it or control a terminal. */
export const line = (stream: NodeJS.WritableStream, text = ''): void => painted(stream, safeText(text, true));

export function print(stream: NodeJS.WritableStream, texts: Iterable<string>): void {
  for (const text of texts) line(stream, text);
}

/** Writes a coloured line, whose parts were made harmless before. */
export const painted = (stream: NodeJS.WritableStream, text: string): void => void stream.write(`${text}\n`);

/** Widest line of a terminal that is wrapped here. */
const WIDTH = 80;

/** Writes lines that begin with a label of some columns. On a terminal a long text goes on next to its label. */
export function printLabelled(
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean },
  texts: readonly string[],
  label: number,
): void {
  const isLong = (text: string): boolean => stream.isTTY === true && text.length > WIDTH;
  print(
    stream,
    texts.flatMap((text) => (isLong(text) ? wrapped(text.slice(0, label), text.slice(label)) : [text])),
  );
}
