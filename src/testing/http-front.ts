import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { portOf } from './loopback.js';

/** Request that a proxy may answer itself or forward. */
export interface Passing {
  readonly request: IncomingMessage;
  readonly body: string;
  /** Counted from 1, over all connections. */
  readonly number: number;
}

/** Behaviour of a proxy; by default it forwards everything unchanged. */
export interface FrontOptions {
  /** Answers a request and returns true, or returns false to forward it. */
  readonly intercept?: (passing: Passing, response: ServerResponse) => boolean;
  /** Changes the headers of the service's response. */
  readonly headers?: (headers: Record<string, string | string[]>, passing: Passing, status: number) => void;
  /** Closes every connection after its response, without `Connection: close`. */
  readonly hangsUp?: boolean;
  /** Delay of each response to a request after the first, ms. */
  readonly delayMs?: number;
}

/**
 * Starts a small HTTP proxy in front of a service, on a free loopback port. Its base address has the
 * service's path.
 */
export async function httpFront(
  service: string,
  { intercept = () => false, headers: change = () => undefined, hangsUp = false, delayMs = 0 }: FrontOptions,
) {
  const behind = new URL(service);
  let number = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const passing = { request, body: body.toString('latin1'), number: (number += 1) };
      if (hangsUp) {
        response.setHeader('Connection', 'keep-alive');
        response.once('finish', () => request.socket.end());
      }
      response.sendDate = false;
      if (intercept(passing, response)) return;
      const { method, url, headers } = request;
      const handed = ask(
        { host: behind.hostname, port: behind.port, method, path: url, headers },
        (answer) => {
          const given = Object.fromEntries(
            Object.entries(answer.headers).flatMap(([name, value]) =>
              value === undefined || name === 'connection' || name === 'keep-alive' ? [] : [[name, value]],
            ),
          );
          const { statusCode = 502 } = answer;
          change(given, passing, statusCode);
          const forward = (): void => {
            response.writeHead(statusCode, given);
            answer.pipe(response);
          };
          if (delayMs > 0 && passing.number > 1) setTimeout(forward, delayMs);
          else forward();
        },
      );
      handed.on('error', () => response.destroy());
      handed.end(body);
    });
  });
  return {
    baseUrl: `http://127.0.0.1:${await portOf(server)}${behind.pathname}`,
    requests: () => number,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
