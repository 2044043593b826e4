import type { Socket } from 'node:net';

/** Errors of a write to a connection that the other side has ended or reset. */
const BROKEN: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'ECONNABORTED']);

type Done = (error?: Error | null) => void;

/**
 * Lets a socket read on after a write that failed, because the other side no longer reads. A server may
 * respond before it has read the request, and close (RFC 9112, 9.6): its response may have arrived before the
 * connection broke, and Node would drop it with the socket. What is written later goes nowhere. The read side
 * still ends with the connection: with its end or its error.
 */
export function readingOn<One extends Socket>(socket: One): One {
  let isBroken = false;
  const { _write: write, _writev: writev } = socket;
  const tolerant =
    (done: Done): Done =>
    (error) => {
      isBroken ||= BROKEN.has((error as NodeJS.ErrnoException | null | undefined)?.code ?? '');
      done(isBroken ? null : error);
    };
  socket._write = (chunk, encoding, done) => {
    if (isBroken) done();
    else write.call(socket, chunk, encoding, tolerant(done));
  };
  if (writev)
    socket._writev = (chunks, done) => {
      if (isBroken) done();
      else writev.call(socket, chunks, tolerant(done));
    };
  return socket;
}
