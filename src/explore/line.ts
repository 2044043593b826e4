import { now, waitUntil } from '../exchange/connection.js';
import { answerHeader, statusOf } from '../exchange/headers.js';
import type { RequestSpec, Sender } from '../exchange/sender.js';
import type { Exchange } from '../exchange/types.js';
import { MAX_PATIENCE, pauseAfter, pauseBefore, type Pause } from '../probes/patience.js';

/** Options of a line to the target. */
export interface LineOptions {
  readonly openSender: () => Sender;
  /** In clear; goes to the senders and nowhere else. */
  readonly key: string;
  /** Most requests in all, with and without the key, as the target counts them. */
  readonly most: number;
  /** The plan's minute on this target, ms, and its requests. */
  readonly windowMs: number;
  readonly perMinute: number;
  /** Whether nobody else uses the key meanwhile. */
  readonly exclusive: boolean;
  readonly signal?: AbortSignal | undefined;
  /** The last answer to the key before. */
  readonly last?: Exchange | undefined;
  readonly onPause?: (pause: Pause) => void;
}

/** Why no more is sent. */
export type Closing = 'spent' | 'limited' | 'unanswered';

/** The way to the target, with a fixed maximum of requests, paced so that no rate limit is reached. */
export interface Line {
  /** Sends requests in parallel, as far as the rate limit allows; null if it sends none because not all may go. */
  send(specs: readonly RequestSpec[]): Promise<readonly Exchange[] | null>;
  readonly spent: () => number;
  readonly left: () => number;
  /** Number of requests by key. */
  readonly byKey: () => Readonly<Record<string, number>>;
  /** Why the line is closed; null while it is open. */
  readonly closed: () => Closing | null;
  /** Waits, and says so. */
  readonly pause: (pause: Pause) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A target that leaves so many requests in a row without an answer is left alone: each may cost a whole timeout. */
const MAX_UNANSWERED = 3;

/**
 * So much of the allowance is never touched: a count that is one out must not end in a 429, nor must what others send
 * with the key between two requests, where it is not the run's alone.
 */
const inHandOf = (perMinute: number, exclusive: boolean): number => (exclusive ? 1 : Math.ceil(perMinute / 10));

const remainingOf = (exchange: Exchange): number | null => {
  const text = answerHeader(exchange, 'x-ratelimit-remaining')?.trim();
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
};

const isOfStrangers = (spec: RequestSpec): boolean => spec.credential.kind !== 'valid';

/** Opens the line; connections are opened as they are needed. */
export function openLine({
  openSender,
  key,
  most,
  windowMs,
  perMinute,
  exclusive,
  signal,
  last: before,
  onPause,
}: LineOptions): Line {
  const inHand = inHandOf(perMinute, exclusive);
  const senders: Sender[] = [];
  const counts: Record<string, number> = { anonymous: 0 };
  let spent = 0;
  let unanswered = 0;
  let closed: Closing | null = null;
  let last = before;
  /** Where Remaining is not told or not to be trusted: when the last requests with the key went out. */
  let sentAt: number[] = [];
  let trustRemaining = true;
  /** What remains to those without a key, where that was seen to fall. */
  let strangers: { readonly first: number; readonly left: number } | null = null;

  const senderAt = (at: number): Sender => (senders[at] ??= openSender());

  async function pause(what: Pause): Promise<void> {
    onPause?.(what);
    await waitUntil(now() + what.ms, signal);
  }

  /** Waits until so many requests with the key have room; gives how many may go side by side. */
  async function room(wanted: number): Promise<number> {
    const remaining = last && trustRemaining ? remainingOf(last) : null;
    if (remaining === null) return ownRoom(wanted);
    if (remaining >= wanted + inHand) return wanted;
    if (remaining > inHand) return 1;
    // Asked as if nothing were left, for what is in hand is not to be used.
    const before = last && pauseBefore(asUsedUp(last), now(), windowMs);
    if (before) {
      await pause(before);
      last = undefined;
      return 1;
    }
    return 1;
  }

  /** The same by the plan's own figure. */
  async function ownRoom(wanted: number): Promise<number> {
    sentAt = sentAt.filter((at) => at > now() - windowMs);
    if (sentAt.length + wanted < perMinute / 2 || sentAt.length === 0) return wanted;
    await pause({
      ms: (sentAt[0] ?? now()) + windowMs - now(),
      what: 'room in the plan’s minute, of which the target tells nothing',
    });
    return wanted;
  }

  async function sendOnce(spec: RequestSpec, at: number): Promise<Exchange> {
    const withKey = spec.credential.kind === 'valid';
    // A request on a connection of its own is never sent a second time: the last ones that are allowed go there.
    const isLast = most - spent <= 2 * SIDE_BY_SIDE;
    spent += 1;
    const exchange = await senderAt(at).send(spec, spec.credential.kind === 'none' ? null : key, isLast);
    spent += exchange.attempts - 1;
    const who = spec.credential.kind === 'valid' ? spec.credential.plan : 'anonymous';
    counts[who] = (counts[who] ?? 0) + exchange.attempts;
    unanswered = exchange.answer.kind === 'none' ? unanswered + 1 : 0;
    if (unanswered >= MAX_UNANSWERED) closed = 'unanswered';
    if (withKey) {
      sentAt.push(exchange.sentAt);
      // Side by side, the answer that leaves least is the newest.
      const [old, fresh] = [last && remainingOf(last), remainingOf(exchange)];
      if (last === undefined || exchange.sentAt > last.sentAt + last.latencyMs || (old ?? 0) >= (fresh ?? 0))
        last = exchange;
    } else {
      const left = remainingOf(exchange);
      if (left !== null) strangers = { first: strangers?.first ?? left, left };
    }
    return exchange;
  }

  /** One request, waited for where the target asks for it. */
  async function patient(spec: RequestSpec, at: number): Promise<Exchange> {
    let exchange = await sendOnce(spec, at);
    for (let attempt = 0; attempt < MAX_PATIENCE && spent < most; attempt += 1) {
      const after = pauseAfter(exchange, attempt, windowMs);
      if (!after) break;
      await pause(after);
      exchange = await sendOnce(spec, at);
    }
    if (statusOf(exchange) === 429) closed = 'limited';
    return exchange;
  }

  return {
    async send(specs) {
      if (closed) return null;
      if (spent + specs.length > most) {
        closed = 'spent';
        return null;
      }
      const anonymous = specs.filter(isOfStrangers).length;
      if (anonymous > 0 && strangers && strangers.first > 0 && strangers.left <= anonymous + 1) return null;
      const wide = specs.length === anonymous ? specs.length : await room(specs.length - anonymous);
      if (wide >= specs.length - anonymous && specs.length > 1)
        return Promise.all(specs.map((spec, at) => patient(spec, at)));
      const answers: Exchange[] = [];
      for (const spec of specs) {
        if (answers.length > 0 && !isOfStrangers(spec)) await room(1);
        if (closed || spent >= most) return null;
        answers.push(await patient(spec, 0));
      }
      return answers;
    },
    spent: () => spent,
    left: () => (closed ? 0 : most - spent),
    byKey: () => ({ ...counts }),
    closed: () => closed,
    pause,
    close: async () => {
      await Promise.all(senders.map((sender) => sender.close()));
    },
  };
}

/** As many requests side by side as a story has at most, each on a connection of its own. */
const SIDE_BY_SIDE = 8;

/** The same answer as if nothing remained. */
const asUsedUp = (exchange: Exchange): Exchange =>
  exchange.answer.kind === 'none'
    ? exchange
    : {
        ...exchange,
        answer: {
          ...exchange.answer,
          headers: exchange.answer.headers.map(([name, value]) =>
            name.toLowerCase() === 'x-ratelimit-remaining' ? ([name, '0'] as const) : ([name, value] as const),
          ),
        },
      };
