import type { TestContext } from 'node:test';
import { httpFront } from '../../http-front.js';

/** Request as it came over the wire, and the status code of its response. */
export interface Seen {
  readonly line: string;
  readonly body: string;
  readonly status: number;
}

/** Starts a proxy in front of a server that records requests in the order of their responses. */
export async function recording(context: TestContext, upstream: string) {
  const seen: Seen[] = [];
  const { baseUrl, close } = await httpFront(upstream, {
    headers: (_headers, { request, body }, status) => {
      seen.push({ line: `${request.method} ${request.url}`, body, status });
    },
  });
  context.after(close);
  return { baseUrl, seen };
}
