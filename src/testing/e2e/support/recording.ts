import { EventEmitter, once } from 'node:events';
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { answering } from './servers.js';

/** Request as it came over the wire, and the status code of its response. */
export interface Seen {
  readonly line: string;
  readonly body: string;
  readonly status: number;
}

interface Recording {
  readonly baseUrl: string;
  readonly seen: Seen[];
  /** Resolves after this many responses. */
  readonly until: (count: number) => Promise<void>;
}

/** Starts a proxy in front of a server that records requests in the order of their responses. */
export async function recording(context: TestContext, upstream: string): Promise<Recording> {
  const seen: Seen[] = [];
  const { origin } = new URL(upstream);
  const arrivals = new EventEmitter();
  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { method = 'GET', url = '/', headers } = request;
    const onward = ask(`${origin}${url}`, { method, headers, setHost: false }, (answer) => {
      const status = answer.statusCode ?? 0;
      seen.push({ line: `${method} ${url}`, body, status });
      arrivals.emit('seen');
      response.writeHead(status, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  }
  const baseUrl = await answering(context, (request, response) => void relay(request, response));
  const until = async (count: number): Promise<void> => {
    while (seen.length < count) await once(arrivals, 'seen');
  };
  return { baseUrl, seen, until };
}
