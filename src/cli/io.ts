import { harmless } from '../words/harmless.js';

/** Input and output of a command: those of the process, or a substitute. */
export interface Io {
  readonly in: NodeJS.ReadStream;
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
}

/** Writes a line; whatever stands in it, it stays one, and does nothing to a terminal. */
export const line = (stream: NodeJS.WritableStream, text = ''): void => painted(stream, harmless(text, true));

/** Writes a line of which every piece was made harmless before it was coloured. */
export const painted = (stream: NodeJS.WritableStream, text: string): void => void stream.write(`${text}\n`);
