import type { Socket } from 'node:net';

/** Errors of a write to a connection that the other side has ended or reset. */
const BROKEN: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'ECONNABORTED']);

type Done = (error?: Error | null) => void;

/** How a stream of Node writes (`stream.Writable`, for implementers). */
interface Writes {
  readonly _write: (chunk: unknown, encoding: BufferEncoding, done: Done) => void;
  readonly _writev?: (
    chunks: { readonly chunk: unknown; readonly encoding: BufferEncoding }[],
    done: Done,
  ) => void;
}

const codeOf = (error: NodeJS.ErrnoException | null | undefined): string => error?.code ?? '';

/**
 * Lets a socket read on after a write that failed, because the other side no longer reads. A server may
 * respond before it has read the request, and close (RFC 9112, 9.6): its response may have arrived before the
 * connection broke, and Node would drop it with the socket. What is written later goes nowhere. The read side
 * still ends with the connection: with its end or its error.
 */
export function readingOn<One extends Socket>(socket: One): One {
  let isBroken = false;
  const before: Writes = socket;
  const { _write: write, _writev: writev } = before;
  const tolerant =
    (done: Done): Done =>
    (error) => {
      isBroken ||= BROKEN.has(codeOf(error));
      done(isBroken ? null : error);
    };
  const writes: Writes = {
    _write(chunk, encoding, done) {
      if (isBroken) done();
      else write.call(socket, chunk, encoding, tolerant(done));
    },
    ...(writev && {
      _writev(chunks, done) {
        if (isBroken) done();
        else writev.call(socket, chunks, tolerant(done));
      },
    }),
  };
  return Object.assign(socket, writes);
}
