/** Where a command reads from and writes to: the process, or a stand-in for it. */
export interface Io {
  readonly in: NodeJS.ReadStream;
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
}

/** Writes a line. */
export const line = (stream: NodeJS.WritableStream, text = ''): void => void stream.write(`${text}\n`);
