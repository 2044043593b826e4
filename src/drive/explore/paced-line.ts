import { isInUsualForm } from '../../judge/checks/rate-headers.js';
import { now } from '../../wire/exchange/connection.js';
import { statusOf, rateHeader } from '../../wire/exchange/headers.js';
import type { RequestSpec } from '../../wire/exchange/request-spec.js';
import type { Sender } from '../../wire/exchange/sender.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { openLine } from '../probes/line.js';
import { pauseToReset, type Pause } from '../probes/waits.js';

export interface PacedLineOptions {
  readonly openSender: () => Sender;
  /** In clear; only for the senders. */
  readonly key: string;
  /** Most requests with and without the key, as the target counts them. */
  readonly most: number;
  /** Length of the plan's minute on this target, ms. */
  readonly windowMs: number;
  readonly perMinute: number;
  /** True if no other client uses the key during the run. */
  readonly exclusive: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Last response to the key before exploring. */
  readonly last?: Exchange | undefined;
  readonly onPause?: (pause: Pause) => void;
}

/** Reason for sending no more. */
export type Closing = 'spent' | 'limited' | 'unanswered';

/**
 * Returns the part of the rate limit that is never used. It keeps a count that is off by one from a 429. For
 * a shared key it also leaves room for other clients.
 */
const inHandOf = (perMinute: number, exclusive: boolean): number =>
  exclusive ? 1 : Math.ceil(perMinute / 10);

const remainingOf = (exchange: Exchange): number | null => {
  const text = rateHeader(exchange, 'remaining')?.trim();
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
};

/** True if a request was refused a connection, or one that it may be sent again on was closed. */
const hasNoConnection = ({ answer, operation }: Exchange): boolean =>
  answer.kind === 'none' &&
  (answer.code === 'refused' || (answer.code === 'reset' && operation !== 'createPet'));

const isOfStrangers = (spec: RequestSpec): boolean => spec.credential.kind !== 'valid';

export type PacedLine = ReturnType<typeof openPacedLine>;

/** Opens a line to the target for parallel requests, paced to stay below every rate limit. */
export function openPacedLine(options: PacedLineOptions) {
  const { openSender, key, most, windowMs, perMinute, exclusive, signal, onPause } = options;
  const inHand = inHandOf(perMinute, exclusive);
  const senders: Sender[] = [];
  const counts: Record<string, number> = { anonymous: 0 };
  let closed: Closing | null = null;
  let { last } = options;
  /** Times of recent requests with the key, for pacing without a usable Remaining. */
  let sentAt: number[] = [];
  /** Remaining in responses to requests without a key, first and latest, and when the latest was sent. */
  let strangers: { readonly first: number; readonly left: number; readonly at: number } | null = null;

  /** True if requests without a key may have used up what the target allows them in the present window. */
  const areStrangersSpent = (wanted: number): boolean =>
    strangers !== null &&
    strangers.first > 0 &&
    strangers.left <= wanted + 1 &&
    now() < strangers.at + windowMs;

  const senderAt = (at: number): Sender => (senders[at] ??= openSender());

  const line = openLine({
    most,
    // The target counts a request without the key too.
    counts: () => true,
    costOf: ({ attempts }) => attempts,
    send: (spec, fresh, lane) =>
      senderAt(lane).send(spec, spec.credential.kind === 'none' ? null : key, fresh),
    lanes: SIDE_BY_SIDE,
    windowMs,
    onPause,
    signal,
  });
  const { pause, spent } = line;

  /** Waits until there is room for the requests with the key; returns how many may run in parallel. */
  async function room(wanted: number): Promise<number> {
    const remaining = last ? remainingOf(last) : null;
    if (remaining === null) return ownRoom(wanted);
    if (remaining >= wanted + inHand) return wanted;
    if (remaining > inHand) return 1;
    // The reserve must stay unused.
    const before = last && pauseToReset(last, now(), windowMs);
    if (before) {
      await pause(before);
      last = undefined;
    }
    return 1;
  }

  /** Returns the room by the plan's own figure. */
  async function ownRoom(wanted: number): Promise<number> {
    sentAt = sentAt.filter((at) => at > now() - windowMs);
    if (sentAt.length + wanted < perMinute / 2 || sentAt.length === 0) return wanted;
    await pause({
      ms: (sentAt[0] ?? now()) + windowMs - now(),
      what: 'room in the plan’s minute, because the target sends no rate headers',
    });
    return wanted;
  }

  async function sendOnce(spec: RequestSpec, at: number): Promise<Exchange> {
    const withKey = spec.credential.kind === 'valid';
    const exchange = await line.sendOnce(spec, { lane: at });
    const who = spec.credential.kind === 'valid' ? spec.credential.plan : 'anonymous';
    counts[who] = (counts[who] ?? 0) + exchange.attempts;
    if (line.isUnanswered()) closed = 'unanswered';
    if (withKey) {
      sentAt.push(exchange.sentAt);
      // Among parallel responses, the one with the smallest Remaining is the newest.
      const [old, fresh] = [last && remainingOf(last), remainingOf(exchange)];
      const isNewest =
        last === undefined || exchange.sentAt > last.sentAt + last.latencyMs || (old ?? 0) >= (fresh ?? 0);
      if (isNewest && isInUsualForm(exchange)) last = exchange;
    } else {
      const left = remainingOf(exchange);
      if (left !== null) strangers = { first: strangers?.first ?? left, left, at: exchange.sentAt };
    }
    return exchange;
  }

  /** Sends a request, and waits and retries if the target asks for it. */
  async function patient(spec: RequestSpec, at: number): Promise<Exchange> {
    const { exchange } = await line.retry(await sendOnce(spec, at), {
      again: () => sendOnce(spec, at),
      isSpent: () => !line.affords(1),
    });
    if (statusOf(exchange) === 429) closed = 'limited';
    return exchange;
  }

  /**
   * Sends requests in parallel, and again by itself each one that got no connection: the server may allow an
   * address fewer. Then closes the connections of all lanes but the first, which are idle until the next
   * parallel requests.
   */
  async function inParallel(specs: readonly RequestSpec[]): Promise<readonly Exchange[]> {
    const answers = await Promise.all(specs.map((spec, at) => patient(spec, at)));
    await Promise.all(senders.splice(1).map((sender) => sender.close()));
    for (const [at, spec] of specs.entries()) {
      const exchange = answers[at];
      if (exchange && hasNoConnection(exchange) && !closed && line.affords(1))
        answers[at] = await patient(spec, 0);
    }
    return answers;
  }

  return {
    /**
     * Sends requests, in parallel if the rate limit allows. Returns null, and sends none, if it may not send
     * all.
     */
    async send(specs: readonly RequestSpec[]): Promise<readonly Exchange[] | null> {
      if (closed) return null;
      if (!line.affords(specs.length)) {
        closed = 'spent';
        return null;
      }
      const anonymous = specs.filter(isOfStrangers).length;
      if (anonymous > 0 && areStrangersSpent(anonymous)) return null;
      const wide = specs.length === anonymous ? specs.length : await room(specs.length - anonymous);
      if (wide >= specs.length - anonymous && specs.length > 1) return inParallel(specs);
      const answers: Exchange[] = [];
      for (const spec of specs) {
        if (answers.length > 0 && !isOfStrangers(spec)) await room(1);
        if (closed || !line.affords(1)) return null;
        answers.push(await patient(spec, 0));
      }
      return answers;
    },
    spent,
    left: (): number => (closed ? 0 : most - spent()),
    byKey: (): Readonly<Record<string, number>> => ({ ...counts }),
    /** Returns why the line is closed; null while it is open. */
    closed: (): Closing | null => closed,
    pause,
    close: async (): Promise<void> => {
      await Promise.all(senders.map((sender) => sender.close()));
    },
  };
}

/** Most parallel requests of a story, each on its own connection. */
const SIDE_BY_SIDE = 8;
