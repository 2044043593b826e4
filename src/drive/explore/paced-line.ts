import { isInUsualForm } from '../../judge/checks/rate-headers.js';
import { now } from '../../wire/exchange/connection.js';
import { statusOf, rateHeader } from '../../wire/exchange/headers.js';
import type { RequestSpec } from '../../wire/exchange/request-spec.js';
import type { Sender } from '../../wire/exchange/sender.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { openLine } from '../probes/line.js';
import { pauseToReset, type Pause } from '../probes/waits.js';

interface PacedLineOptions {
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

type Closing = 'spent' | 'limited' | 'unanswered';

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

/** A line to the target for parallel requests, paced to stay below every rate limit. */
export class PacedLine {
  private readonly inHand: number;
  private readonly senders: Sender[] = [];
  private readonly counts: Record<string, number> = { anonymous: 0 };
  private closing: Closing | null = null;
  private last: Exchange | undefined;
  /** Times of recent requests with the key, for pacing without a usable Remaining. */
  private sentAt: number[] = [];
  /** Remaining in responses to requests without a key, first and latest, and when the latest was sent. */
  private strangers: { readonly first: number; readonly left: number; readonly at: number } | null = null;
  private readonly line: ReturnType<typeof openLine>;

  constructor(private readonly options: PacedLineOptions) {
    const { key, most, windowMs, perMinute, exclusive, signal, onPause, last } = options;
    this.inHand = inHandOf(perMinute, exclusive);
    this.last = last;
    this.line = openLine({
      most,
      // The target counts a request without the key too.
      counts: () => true,
      costOf: ({ attempts }) => attempts,
      send: (spec, fresh, lane) =>
        this.senderAt(lane).send(spec, spec.credential.kind === 'none' ? null : key, fresh),
      lanes: SIDE_BY_SIDE,
      windowMs,
      onPause,
      signal,
    });
  }

  /** True if requests without a key may have used up what the target allows them in the present window. */
  private areStrangersSpent(wanted: number): boolean {
    return (
      this.strangers !== null &&
      this.strangers.first > 0 &&
      this.strangers.left <= wanted + 1 &&
      now() < this.strangers.at + this.options.windowMs
    );
  }

  private senderAt(at: number): Sender {
    return (this.senders[at] ??= this.options.openSender());
  }

  /** Waits until there is room for the requests with the key; returns how many may run in parallel. */
  private async room(wanted: number): Promise<number> {
    const remaining = this.last ? remainingOf(this.last) : null;
    if (remaining === null) return this.ownRoom(wanted);
    if (remaining >= wanted + this.inHand) return wanted;
    if (remaining > this.inHand) return 1;
    // The reserve must stay unused.
    const before = this.last && pauseToReset(this.last, now(), this.options.windowMs);
    if (before) {
      await this.pause(before);
      this.last = undefined;
    }
    return 1;
  }

  private async ownRoom(wanted: number): Promise<number> {
    this.sentAt = this.sentAt.filter((at) => at > now() - this.options.windowMs);
    if (this.sentAt.length + wanted < this.options.perMinute / 2 || this.sentAt.length === 0) return wanted;
    await this.pause({
      ms: (this.sentAt[0] ?? now()) + this.options.windowMs - now(),
      what: 'room in the plan’s minute, because the target sends no rate headers',
    });
    return wanted;
  }

  private async sendOnce(spec: RequestSpec, at: number): Promise<Exchange> {
    const withKey = spec.credential.kind === 'valid';
    const exchange = await this.line.sendOnce(spec, { lane: at });
    const who = spec.credential.kind === 'valid' ? spec.credential.plan : 'anonymous';
    this.counts[who] = (this.counts[who] ?? 0) + exchange.attempts;
    if (this.line.isUnanswered()) this.closing = 'unanswered';
    if (withKey) {
      this.sentAt.push(exchange.sentAt);
      // Among parallel responses, the one with the smallest Remaining is the newest.
      const [old, fresh] = [this.last && remainingOf(this.last), remainingOf(exchange)];
      const isNewest =
        this.last === undefined ||
        exchange.sentAt > this.last.sentAt + this.last.latencyMs ||
        (old ?? 0) >= (fresh ?? 0);
      if (isNewest && isInUsualForm(exchange)) this.last = exchange;
    } else {
      const left = remainingOf(exchange);
      if (left !== null) this.strangers = { first: this.strangers?.first ?? left, left, at: exchange.sentAt };
    }
    return exchange;
  }

  private async patient(spec: RequestSpec, at: number): Promise<Exchange> {
    const { exchange } = await this.line.retry(await this.sendOnce(spec, at), {
      again: () => this.sendOnce(spec, at),
      isSpent: () => !this.line.affords(1),
    });
    if (statusOf(exchange) === 429) this.closing = 'limited';
    return exchange;
  }

  /**
   * Sends requests in parallel, and again by itself each one that got no connection: the server may allow an
   * address fewer. Then closes the connections of all lanes but the first, which are idle until the next
   * parallel requests.
   */
  private async inParallel(specs: readonly RequestSpec[]): Promise<readonly Exchange[]> {
    const answers = await Promise.all(specs.map((spec, at) => this.patient(spec, at)));
    await Promise.all(this.senders.splice(1).map((sender) => sender.close()));
    for (const [at, spec] of specs.entries()) {
      const exchange = answers[at];
      if (exchange && hasNoConnection(exchange) && !this.closing && this.line.affords(1))
        answers[at] = await this.patient(spec, 0);
    }
    return answers;
  }

  /**
   * Sends requests, in parallel if the rate limit allows. Returns null, and sends none, if it may not send
   * all.
   */
  async send(specs: readonly RequestSpec[]): Promise<readonly Exchange[] | null> {
    if (this.closing) return null;
    if (!this.line.affords(specs.length)) {
      this.closing = 'spent';
      return null;
    }
    const anonymous = specs.filter(isOfStrangers).length;
    if (anonymous > 0 && this.areStrangersSpent(anonymous)) return null;
    const wide = specs.length === anonymous ? specs.length : await this.room(specs.length - anonymous);
    if (wide >= specs.length - anonymous && specs.length > 1) return this.inParallel(specs);
    const answers: Exchange[] = [];
    for (const spec of specs) {
      if (answers.length > 0 && !isOfStrangers(spec)) await this.room(1);
      if (this.closing || !this.line.affords(1)) return null;
      answers.push(await this.patient(spec, 0));
    }
    return answers;
  }

  pause(what: Pause): Promise<void> {
    return this.line.pause(what);
  }

  spent(): number {
    return this.line.spent();
  }

  left(): number {
    return this.closing ? 0 : this.options.most - this.spent();
  }

  byKey(): Readonly<Record<string, number>> {
    return { ...this.counts };
  }

  closed(): Closing | null {
    return this.closing;
  }

  async close(): Promise<void> {
    await Promise.all(this.senders.map((sender) => sender.close()));
  }
}

/** Most parallel requests of a story, each on its own connection. */
const SIDE_BY_SIDE = 8;
