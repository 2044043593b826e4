import { now, type HttpLimits } from '../exchange/connection.js';
import { decode, textOf } from '../exchange/decode.js';
import type { RequestSpec } from '../exchange/sender.js';
import type { Answer, Header } from '../exchange/types.js';
import { loadAnswer, putAside, type LoadAnswer } from './answers.js';
import { sendTraffic, valueOf, type Head } from './autocannon.js';
import { bytesOf, wireOf, type WireContext } from './requests.js';
import type { Reuse } from './reuse.js';

/** Requests sent on several connections, each of which sends its next as soon as its last is answered. */
export interface ParallelOptions {
  readonly origin: string;
  readonly limits: HttpLimits;
  readonly context: WireContext;
  readonly connections: number;
  readonly reuse: Reuse;
  /** Names the next request within the run. */
  readonly nextId: () => string;
  /**
   * What is sent next, asked for in the order of sending; null when nothing is. The first `connections` requests must
   * be there.
   */
  readonly next: () => RequestSpec | null;
  /** Is shown each answer as it comes. True stops: what is under way is still answered, and nothing more is sent. */
  readonly stopsAt: (answer: LoadAnswer) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Sends requests in parallel, each once. One without an answer stops the rest.
 * @returns answers in the order of sending; none is lost: a request without an answer has one of kind `none`
 */
export async function inParallel(options: ParallelOptions): Promise<readonly LoadAnswer[]> {
  const { context, limits } = options;
  const { host } = new URL(options.origin);
  const answers: LoadAnswer[] = [];
  let isOver = options.signal.aborted;
  const settle = (spec: RequestSpec, sentAt: number, answer: Answer): void => {
    const times = { intendedAt: sentAt, sentAt, answeredAt: now() };
    const settled = putAside(loadAnswer(options.nextId(), spec, context, times, answer));
    answers.push(settled);
    if (options.stopsAt(settled)) isOver = true;
  };
  await sendTraffic<RequestSpec, number>({
    ...options,
    next: () => (isOver ? null : options.next()),
    isOver: () => isOver,
    bytesOf: (spec) => bytesOf(wireOf(spec, context), host),
    isSafe: ({ method }) => method === 'GET',
    // An experiment counts its requests: one more than it asked for would be held against the server.
    again: () => false,
    left: now,
    answered: (spec, sentAt, head, body) => settle(spec, sentAt, answerOf(head, body, limits.maxBodyBytes)),
    failed(spec, sentAt, fault) {
      settle(spec, sentAt ?? now(), { kind: 'none', ...fault });
      isOver = true;
    },
  });
  return answers.toSorted((one, other) => one.sample.sentAt - other.sample.sentAt);
}

function answerOf({ statusCode, headers }: Head, body: Buffer, maxBodyBytes: number): Answer {
  const pairs = Array.from({ length: Math.floor(headers.length / 2) }, (_, at): Header => [
    headers[at * 2] ?? '',
    headers[at * 2 + 1] ?? '',
  ]);
  // Nobody asks for a coding here; a sender that is not told any may choose its own (RFC 9110, 12.5.3).
  const decoded = decode(body, valueOf(headers, 'content-encoding'), maxBodyBytes);
  if (!decoded.ok) return { kind: 'none', code: decoded.code, message: decoded.problem };
  return { kind: 'response', status: statusCode, headers: pairs, ...textOf(decoded.bytes) };
}
