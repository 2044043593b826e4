import { blocked } from '../../judge/findings/finding.js';
import { isInUsualForm } from '../../judge/checks/rate-headers.js';
import { isBlockedAlike, isServed, mayBeBlocked } from '../../judge/checks/firewall.js';
import { judgeAlone } from '../../judge/checks/judge-answer.js';
import { judgeRepeated, type PassiveContext } from '../../judge/checks/passive.js';
import { judgeSpoiltFetch } from '../../judge/checks/spoilt-fetch.js';
import { blockedWords } from '../../judge/checks/layers.js';
import { now } from '../../wire/exchange/connection.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { RequestSpec } from '../../wire/exchange/request-spec.js';
import type { Sender } from '../../wire/exchange/sender.js';
import { isAsReceived } from '../../wire/exchange/redaction.js';
import { withBodyOnDisk } from '../../wire/exchange/body-on-disk.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { ProbeName } from './specs.js';
import { additionOf } from './store.js';
import type { Journal } from '../../log/journal.js';
import { MOST_SILENCE, openLine } from './line.js';
import { createOutage } from './outage.js';
import { asksTooMuch, pauseBefore, refusedThroughout, type Pause } from './waits.js';
import { undecided, Unjudgeable } from './unjudgeable.js';
import { loadPlans } from '../../base/interface/plans.js';

export interface CourierOptions {
  readonly sender: Sender;
  readonly journal: Journal;
  /** Context for judging every response; null for requests unrelated to the interface. */
  readonly passive: PassiveContext | null;
  /** The run's key in clear; only for the sender. */
  readonly key: string;
  /** The plan's minute on this target, ms: the longest wait. */
  readonly windowMs: number;
  /** Most requests of the run with the key. A 429 does not count. */
  readonly most: number;
  /** Exchanges that the run already has in its log. */
  readonly known: readonly Exchange[];
  /** Newest request with the key before those, on another account. */
  readonly last?: Exchange | undefined;
  /**
   * A listing with the key, to distinguish the refusal of a request from that of the whole run; null for
   * none.
   */
  readonly control?: RequestSpec | null;
  /** Interrupts a pause, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

interface How {
  /** Sends on a new connection. */
  readonly fresh?: boolean;
}

/** True if the log holds a response as it was received: neither cut nor redacted. */
const isWhole = ({ answer }: Exchange): boolean =>
  answer.kind === 'none' || (answer.cutFrom === undefined && isAsReceived(answer));

const whollyBlocked = (by: Exchange): Unjudgeable =>
  new Unjudgeable(blocked('auth-valid-key', blockedWords(by)));

/** Number of requests that an exchange took from the key's allowance. */
const spentOn = (exchange: Exchange): number =>
  exchange.credential.kind === 'valid' && statusOf(exchange) !== 429 ? exchange.attempts : 0;

/**
 * The run's memory and connection. It sends each request once unless a new response is needed, and logs
 * everything. Requests run one at a time, and at most `most` with the key: a further one throws Unjudgeable.
 */
export class Courier {
  private readonly control: RequestSpec | null;
  private readonly line: ReturnType<typeof openLine>;
  private readonly outage = createOutage();
  private all: readonly Exchange[];
  /** Newest exchange of each request. */
  private readonly memory: Map<string, Exchange>;
  private lastWithKey: Exchange | undefined;
  private trustRemaining = true;
  /** Credentials still refused with 429 after all waits, each with the reason. A good client stops here. */
  private readonly refused = new Map<RequestSpec['credential']['kind'], string>();
  /** First response that refused the whole run; null before. */
  private blockade: Exchange | null;
  /** Doubtful refusals by status code. */
  private readonly doubts = new Map<number | null, number>();

  constructor(private readonly options: CourierOptions) {
    const { sender, journal, key, windowMs, most, known, last, control = null, signal } = options;
    this.control = control;
    // An exchange that the log had to change cannot be judged again, so its request is repeated.
    this.all = known.filter(isWhole);
    this.memory = new Map(
      this.all
        .filter((exchange) => !this.outage.isOfOutage(exchange))
        .map((exchange) => [exchange.probe, exchange]),
    );
    this.lastWithKey = known.findLast(({ credential }) => credential.kind === 'valid') ?? last;
    this.blockade = known.find(({ blockedAfter }) => blockedAfter !== undefined) ?? null;
    this.line = openLine({
      most,
      spent: known.reduce((sum, exchange) => sum + spentOn(exchange), 0),
      counts: ({ credential }) => credential.kind === 'valid',
      costOf: spentOn,
      send: async (spec, fresh) =>
        withBodyOnDisk(await sender.send(spec, spec.credential.kind === 'none' ? null : key, fresh)),
      windowMs,
      onPause: ({ ms, what }) => journal.append({ type: 'waiting', what, until: Date.now() + ms }),
      signal,
    });
  }

  private mustAfford({ credential, probe }: RequestSpec): void {
    if (credential.kind === 'valid' && !this.affords(1))
      throw undecided(
        'thrift',
        `the suites send at most ${this.options.most} requests with this key, and “${probe}” would exceed that`,
      );
  }

  private record(exchange: Exchange, spec: RequestSpec): void {
    const { journal, passive } = this.options;
    const { kept, findings } = passive
      ? judgeAlone(exchange, passive, undefined, this.all)
      : { kept: [], findings: [] };
    const before = passive ? this.memory.get(spec.probe) : undefined;
    const repeated = before
      ? [
          ...[before, exchange].filter(this.outage.mayJudge).flatMap(judgeRepeated),
          ...judgeSpoiltFetch(before, exchange),
        ]
      : [];
    journal.append({ type: 'exchange', exchange, kept });
    for (const finding of [...this.outage.without(exchange, findings), ...repeated])
      journal.append({ type: 'finding', finding });
    if (exchange.operation === 'createPet' && statusOf(exchange) === 201)
      journal.append(additionOf(exchange));
    this.all = [...this.all, exchange];
    this.memory.set(spec.probe, exchange);
  }

  /** True if a refusal needs a control request: the first of a status code, the third, the seventh, and so on. */
  private isDoubtful(exchange: Exchange): boolean {
    const { control } = this;
    const served = this.all.find(
      (one) => one.operation === control?.operation && one.credential.kind === 'valid' && isServed(one),
    );
    if (!served || !this.affords(1) || !mayBeBlocked(exchange, served)) return false;
    const nth = (this.doubts.get(statusOf(exchange)) ?? 0) + 1;
    this.doubts.set(statusOf(exchange), nth);
    return Number.isInteger(Math.log2(nth + 1));
  }

  /**
   * Decides about a request that the target was unavailable to, also after all waits. If it is available to
   * the control request, the request is sent once more, because the outage may have ended meanwhile.
   *
   * @throws Unjudgeable if the target is unavailable to the control request too
   */
  private async afterOutage(exchange: Exchange, spec: RequestSpec, fresh: boolean): Promise<Exchange> {
    const { control, outage } = this;
    const canCompare = this.all.some((one) => one.operation === control?.operation && isServed(one));
    if (outage.isDown() || (control && canCompare && this.affords(1))) {
      const check = outage.isDown() || !control ? exchange : await this.line.sendOnce(control);
      if (check !== exchange && control) this.record(check, control);
      if (outage.isOfOutage(check)) {
        this.memory.delete(spec.probe);
        if (control) this.memory.delete(control.probe);
        throw outage.begin(check);
      }
      if (this.affords(1) || spec.credential.kind !== 'valid') {
        const last = await this.sendOnce(spec, fresh);
        if (!outage.isOfOutage(last)) return last;
      }
    }
    for (const finding of outage.own(exchange)) this.options.journal.append({ type: 'finding', finding });
    return this.memory.get(spec.probe) ?? exchange;
  }

  /** Throws Unjudgeable if a gateway refuses the whole run, and not only this request. */
  private async sendOnce(spec: RequestSpec, fresh: boolean): Promise<Exchange> {
    this.mustAfford(spec);
    const { control } = this;
    const exchange = await this.line.sendOnce(spec, { fresh });
    const check = control && this.isDoubtful(exchange) ? await this.line.sendOnce(control) : null;
    if (check && isBlockedAlike(exchange, check)) {
      const blockedAfter = this.all.length;
      this.blockade = { ...exchange, blockedAfter };
      this.record(this.blockade, spec);
      if (control) this.record({ ...check, blockedAfter }, control);
      throw whollyBlocked(this.blockade);
    }
    this.record(exchange, spec);
    if (check && control) this.record(check, control);
    return exchange;
  }

  /** Sends a request, also again, because time has passed or something has changed. Throws Unjudgeable. */
  async askAgain(spec: RequestSpec, { fresh = false }: How = {}): Promise<Exchange> {
    const { windowMs } = this.options;
    const withKey = spec.credential.kind === 'valid';
    // Requests without a key may share one rate limit. A wrong key is sent even if it is used up.
    const who = spec.credential.kind;
    if (this.blockade) throw whollyBlocked(this.blockade);
    if (this.line.isUnanswered())
      throw undecided(
        'transport',
        `the target did not respond to ${MOST_SILENCE} requests in a row, so no more were sent`,
      );
    const why = this.refused.get(who);
    if (why !== undefined) throw undecided('rate-limited', why);
    // Checked before any wait.
    this.mustAfford(spec);
    const before = withKey && this.trustRemaining ? pauseBefore(this.lastWithKey, now(), windowMs) : null;
    if (before) await this.line.pause(before);
    const first = await this.sendOnce(spec, fresh);
    // A target with a Remaining of 0 right after its Reset that still serves is not believed: waiting would only cost time.
    if (before && statusOf(first) !== 429 && pauseBefore(first, now(), windowMs)) this.trustRemaining = false;
    const retried = await this.line.retry(first, {
      again: () => this.sendOnce(spec, fresh),
      isUnavailable: this.outage.isLasting(),
    });
    const { waits } = retried;
    this.outage.note(first, retried.exchange, waits);
    const exchange = this.outage.isOfOutage(retried.exchange)
      ? await this.afterOutage(retried.exchange, spec, fresh)
      : retried.exchange;
    const status = statusOf(exchange);
    if (status === 429 && (waits > 0 || asksTooMuch(exchange, windowMs)))
      this.refused.set(who, refusedThroughout(exchange, waits, windowMs));
    if (isInUsualForm(exchange)) this.lastWithKey = exchange;
    return exchange;
  }

  /** Returns the response to an earlier request with this name, or sends it. Throws Unjudgeable. */
  async ask(spec: RequestSpec, how?: How): Promise<Exchange> {
    return this.memory.get(spec.probe) ?? this.askAgain(spec, how);
  }

  recall(probe: ProbeName): Exchange | undefined {
    return this.memory.get(probe);
  }

  /** Returns all exchanges of the run so far, oldest first; the same array until there is another. */
  exchanges(): readonly Exchange[] {
    return this.all;
  }

  affords(requests: number): boolean {
    return this.line.affords(requests);
  }

  pause(pause: Pause): Promise<void> {
    return this.line.pause(pause);
  }
}

/** Share of a large plan that the suites use. The rest is for other users of the key and for load. */
const SHARE = 1 / 4;

/**
 * Returns the most requests that the suites send with a plan's key: a Free key's minute, or a quarter of a
 * larger plan's.
 */
export const mostRequests = (perMinute: number): number =>
  Math.max(loadPlans().free.perMinute, Math.floor(perMinute * SHARE));
