import type { RequestSpec } from '../exchange/sender.js';
import type { HttpLimits } from '../exchange/connection.js';
import type { LoadAnswer } from './answers.js';
import type { WireContext } from './requests.js';

/**
 * Requests sent on several connections, each of which sends its next as soon as its last is answered. There are two
 * engines: autocannon, and a plain one for servers that close their connections, where autocannon cannot tell which
 * answer belongs to which request.
 */
export interface ParallelOptions {
  readonly origin: string;
  readonly limits: HttpLimits;
  readonly context: WireContext;
  readonly connections: number;
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

/** Answers are in the order of sending, and none is lost: a request without an answer has one of kind `none`. */
export type SendsInParallel = (options: ParallelOptions) => Promise<readonly LoadAnswer[]>;

/** In the order of sending. */
export const inOrderOfSending = (answers: readonly LoadAnswer[]): readonly LoadAnswer[] =>
  answers.toSorted((one, other) => one.sample.sentAt - other.sample.sentAt);
