import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { portOf } from '../../testing/loopback.js';
import { rateHeadersWith } from '../../base/interface/rate-headers.js';

export type LocalServer = Awaited<ReturnType<typeof localServer>>;

/** Starts a server that responds as a test demands, and counts. */
export async function localServer(
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void,
) {
  const paths: string[] = [];
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    paths.push(`${request.method} ${request.url}`);
    const count = paths.length;
    request.resume();
    request.on('end', () => answer(request, response, count));
  });
  server.on('connection', (socket) => {
    most = Math.max(most, (open += 1));
    socket.on('close', () => (open -= 1));
  });
  return {
    origin: `http://127.0.0.1:${await portOf(server)}`,
    /** Number of requests whose head arrived. */
    requests: () => paths.length,
    paths: (): readonly string[] => paths,
    /** Most open connections: as many as a sender used at the given latency. */
    connections: () => most,
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

export const anAnimal = JSON.stringify([{ id: 7, name: 'Rex', categoryId: 3, status: 'sold' }]);

/** Returns rate headers with the given Remaining of 60, and a window that ends in 1 s. */
export const rateHeaders = (remaining: number): Record<string, string> => ({
  'Content-Type': 'application/json',
  ...Object.fromEntries(
    rateHeadersWith({
      limit: 60,
      remaining: Math.max(0, remaining),
      reset: Math.ceil(Date.now() / 1000) + 1,
    }),
  ),
});

/** Responds 429 with all that a 429 needs. */
export function refuse(response: ServerResponse, retryAfter = '1'): void {
  response.writeHead(429, { ...rateHeaders(0), 'Retry-After': retryAfter });
  response.end(JSON.stringify({ code: 'rate_limited', message: 'too many', status: 429 }));
}
