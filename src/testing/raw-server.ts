import { createServer, type Socket } from 'node:net';
import { portOf } from './loopback.js';

/** Request as it came over a socket. */
export interface RawRequest {
  readonly socket: Socket;
  /** Head and body as text. */
  readonly text: string;
  /** Counted from 1, over all connections. */
  readonly number: number;
  /** Number of its connection, counted from 1. */
  readonly connection: number;
}

/** Server that answers with raw bytes, for responses that a well-behaved HTTP library prevents. */
export type RawServer = Awaited<ReturnType<typeof rawServer>>;

/**
 * Starts a server on a free loopback port; calls `answer` for every complete request. Closes each connection
 * beyond `most` at a time.
 */
export async function rawServer(
  answer: (request: RawRequest) => void,
  { most = Infinity }: { readonly most?: number } = {},
) {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let refused = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    if (sockets.size >= most) {
      refused += 1;
      return void socket.destroy();
    }
    const connection = (connections += 1);
    let pending = '';
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      for (let length = wholeRequest(pending); length !== null; length = wholeRequest(pending)) {
        const request = { socket, text: pending.slice(0, length), number: requests.length + 1, connection };
        pending = pending.slice(length);
        requests.push(request);
        answer(request);
      }
    });
  });
  return {
    origin: `http://127.0.0.1:${await portOf(server)}`,
    requests: requests as readonly RawRequest[],
    /** Number of opened connections. */
    connections: () => connections,
    /** Number of connections beyond `most`, closed without a response. */
    refused: () => refused,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/**
 * Answers the requests of one connection at a time, as a server with one thread does: those of the next one
 * wait until it is closed.
 */
export function oneByOne(answer: (request: RawRequest) => void): (request: RawRequest) => void {
  const open: Socket[] = [];
  const waiting = new Map<Socket, RawRequest>();
  return (request) => {
    const { socket } = request;
    if (!open.includes(socket)) {
      open.push(socket);
      socket.once('close', () => {
        open.splice(open.indexOf(socket), 1);
        const next = open[0] && waiting.get(open[0]);
        if (next) answer(next);
      });
    }
    if (open[0] === socket) answer(request);
    else waiting.set(socket, request);
  };
}

function wholeRequest(text: string): number | null {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return null;
  const length = head + 4 + Number(/^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length >= length ? length : null;
}

/** Sends a response with a body and its length; the connection stays open. */
export function respond(
  socket: Socket,
  body: string | Buffer,
  headers: readonly string[] = ['Content-Type: application/json'],
  status = '200 OK',
): void {
  const bytes = Buffer.from(body);
  socket.write(
    `HTTP/1.1 ${status}\r\n${[...headers, `Content-Length: ${bytes.length}`].join('\r\n')}\r\n\r\n`,
  );
  socket.write(bytes);
}
