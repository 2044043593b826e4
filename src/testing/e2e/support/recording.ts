import { EventEmitter, once } from 'node:events';
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { answering } from './servers.js';

/** A request as it came over the wire, and the status of its answer. */
export interface Seen {
  readonly line: string;
  readonly body: string;
  readonly status: number;
}

/** What stands before a server. */
interface Recording {
  readonly baseUrl: string;
  readonly seen: Seen[];
  /** Resolves once so many requests were answered. */
  readonly until: (count: number) => Promise<void>;
}

/** Stands before a server and writes down what it is asked, in the order of the answers. */
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
