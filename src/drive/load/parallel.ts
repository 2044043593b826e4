import { now, type HttpLimits } from '../../wire/exchange/connection.js';
import { textOf } from '../../wire/exchange/decode.js';
import { pairsOf } from '../../wire/exchange/headers.js';
import { withBodyOnDisk } from '../../wire/exchange/body-on-disk.js';
import type { RequestSpec } from '../../wire/exchange/request-spec.js';
import type { Answer } from '../../wire/exchange/types.js';
import { loadAnswer, type LoadAnswer, bytesOf, wireOf, type WireContext } from './requests.js';
import { sendTraffic } from '../../wire/autocannon.js';
import type { Whole } from '../../wire/one-connection.js';
import type { Reuse } from '../../wire/exchange/reuse.js';

/** Requests over several connections, each of which sends its next after a response. */
export interface ParallelOptions {
  readonly origin: string;
  readonly limits: HttpLimits;
  readonly context: WireContext;
  readonly connections: number;
  readonly reuse: Reuse;
  /** Returns the id of the next request within the run. */
  readonly nextId: () => string;
  /**
   * Returns the next request, in order of sending; null for none. The first `connections` requests must
   * exist.
   */
  readonly next: () => RequestSpec | null;
  /** Receives each response. True stops: open requests still get a response, and nothing more is sent. */
  readonly stopsAt: (answer: LoadAnswer) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Sends requests in parallel, each once. One without a response stops the rest.
 *
 * @returns responses in order of sending; a request without one has kind `none`
 */
export async function inParallel(options: ParallelOptions): Promise<readonly LoadAnswer[]> {
  const { context } = options;
  const { host } = new URL(options.origin);
  const answers: LoadAnswer[] = [];
  let isOver = options.signal.aborted;
  const settle = (spec: RequestSpec, sentAt: number, answer: Answer): void => {
    const times = { intendedAt: sentAt, sentAt, answeredAt: now() };
    const { exchange, sample } = loadAnswer(options.nextId(), spec, context, times, answer);
    // Hundreds are kept before there is time to judge them: long bodies go to disk.
    const settled = { exchange: withBodyOnDisk(exchange), sample };
    answers.push(settled);
    if (options.stopsAt(settled)) isOver = true;
  };
  await sendTraffic<RequestSpec, number>({
    ...options,
    next: () => (isOver ? null : options.next()),
    isOver: () => isOver,
    bytesOf: (spec) => bytesOf(wireOf(spec, context), host),
    isSafe: ({ method }) => method === 'GET',
    // An experiment counts its requests: a repeated one would count against the server.
    again: () => false,
    left: now,
    answered: (spec, sentAt, answer) => settle(spec, sentAt, 'kind' in answer ? answer : responseOf(answer)),
    failed(spec, sentAt, fault) {
      settle(spec, sentAt ?? now(), { kind: 'none', ...fault });
      isOver = true;
    },
  });
  return answers.toSorted((one, other) => one.sample.sentAt - other.sample.sentAt);
}

/** Returns a complete response as checks take it. */
export const responseOf = ({ status, headers, bytes }: Whole): Answer => ({
  kind: 'response',
  status,
  headers: pairsOf(headers),
  ...textOf(bytes),
});
