import { safeText } from '../../outcome/words/safe-text.js';

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
