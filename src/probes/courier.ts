import { blocked, unestablished } from '../findings/finding.js';
import { isBlockedAlike, isServed, mayBeBlocked } from '../checks/firewall.js';
import { judgePassively, judgeRepeated, type PassiveContext, type PassiveJudgement } from '../checks/passive.js';
import { blockedWords, bodyOf } from '../checks/layers.js';
import { judgeListing } from '../checks/listing.js';
import { petView } from '../checks/pets.js';
import { now, waitUntil } from '../exchange/connection.js';
import { statusOf } from '../exchange/headers.js';
import type { RequestSpec, Sender } from '../exchange/sender.js';
import { withBodyOnDisk } from '../exchange/body-on-disk.js';
import type { Exchange } from '../exchange/types.js';
import type { ProbeName } from './specs.js';
import type { Journal } from '../log/journal.js';
import { asksTooMuch, pauseAfter, pauseBefore, refusedThroughout, type Pause } from './patience.js';
import { Unjudgeable } from './unjudgeable.js';
import { loadPlans } from '../contract/plans.js';

/** Options of a courier. */
export interface CourierOptions {
  readonly sender: Sender;
  readonly journal: Journal;
  /** What answers are judged by whoever asked for them; null for requests that say nothing of the interface. */
  readonly passive: PassiveContext | null;
  /** The run's own key in clear; it never leaves the sender. */
  readonly key: string;
  /** The plan's minute on this target, ms: no wait is longer. */
  readonly windowMs: number;
  /** Most requests with the key, all of the run's together; what a 429 refused has used none of it. */
  readonly most: number;
  /** Facts that the run already has from its log. */
  readonly known: readonly Exchange[];
  /** The newest request with the key before those, on another account. */
  readonly last?: Exchange | undefined;
  /** A listing with the key, which shows whether a refusal is of one request or of the whole run; null where nobody asks. */
  readonly control?: RequestSpec | null;
  /** Breaks off a pause, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends requests, each at most once for the same knowledge, and writes down all that happens. */
export interface Courier {
  /** The answer to a request that was sent before, or else to the one that is sent now. Throws Unjudgeable. */
  ask(spec: RequestSpec, how?: { readonly fresh?: boolean }): Promise<Exchange>;
  /** Sends in any case, because time has passed or something has changed. */
  askAgain(spec: RequestSpec, how?: { readonly fresh?: boolean }): Promise<Exchange>;
  /** The newest answer to a request, if it was sent. */
  recall(probe: ProbeName): Exchange | undefined;
  /** All exchanges of the run so far, oldest first; the same list until there is another. */
  exchanges(): readonly Exchange[];
  /** Whether this many more requests fit the key's allowance. */
  affords(this: void, requests: number): boolean;
  /** Waits, and says so in the log. */
  pause(pause: Pause): Promise<void>;
}

/** A target that left this many requests in a row without an answer is not asked again: each may cost a whole timeout. */
const MAX_SILENCE = 3;

const isWhole = ({ answer }: Exchange): boolean => answer.kind === 'none' || answer.cutFrom === undefined;

const whollyBlocked = (requests: number): Unjudgeable =>
  new Unjudgeable(blocked('auth-valid-key', blockedWords(requests)));

/** Number of requests that an exchange took from the key's allowance. */
const spentOn = (exchange: Exchange): number =>
  exchange.credential.kind === 'valid' && statusOf(exchange) !== 429 ? exchange.attempts : 0;

/**
 * Opens the run's memory and its way to the target. Requests go one after the other, and never more with the key than
 * `most`: whoever asks for one more is told that it cannot be established.
 */
export function createCourier({
  sender,
  journal,
  passive,
  key,
  windowMs,
  most,
  known,
  last,
  control = null,
  signal,
}: CourierOptions): Courier {
  // What was cut when it was written down cannot be judged again, and is asked for once more.
  let all: readonly Exchange[] = known.filter(isWhole);
  const memory = new Map(all.map((exchange) => [exchange.probe, exchange]));
  let lastWithKey = known.findLast(({ credential }) => credential.kind === 'valid') ?? last;
  let trustRemaining = true;
  let silence = 0;
  let spent = known.reduce((sum, exchange) => sum + spentOn(exchange), 0);
  /** Whose requests are refused with 429 however long the run waits, in words; a good client stops there. */
  const refused = new Map<RequestSpec['credential']['kind'], string>();
  let unavailable = false;
  let blockedAfter = known.find((exchange) => exchange.blockedAfter !== undefined)?.blockedAfter ?? null;
  const cleared = new Map<number | null, { times: number; skipped: number }>();

  async function pause({ ms, what }: Pause): Promise<void> {
    journal.append({ type: 'waiting', what, until: Date.now() + ms });
    await waitUntil(now() + ms, signal);
  }

  /** The interface has no way to remove an animal again: the report lists those that a run leaves behind. */
  function noteAddition(exchange: Exchange): void {
    const body = bodyOf(exchange);
    const { id, name } = petView(body ?? null);
    journal.append({ type: 'created', id: id ?? '?', name: typeof name === 'string' ? name : '?' });
  }

  const affords = (requests: number): boolean => spent + requests <= most;

  function mustAfford({ credential, probe }: RequestSpec): void {
    if (credential.kind === 'valid' && !affords(1))
      throw new Unjudgeable(
        unestablished('thrift', `the suites keep to ${most} requests with this key, and “${probe}” was one too many`),
      );
  }

  /** What an answer shows whoever asked for it. */
  function judged(exchange: Exchange, spec: RequestSpec, context: PassiveContext): PassiveJudgement {
    const { kept, findings } = judgePassively(exchange, context);
    const before = memory.get(spec.probe);
    const repeated = before ? [before, exchange].flatMap(judgeRepeated) : [];
    return { kept, findings: [...findings, ...repeated, ...judgeListing(exchange, context)] };
  }

  function record(exchange: Exchange, spec: RequestSpec): void {
    const { kept, findings } = passive ? judged(exchange, spec, passive) : { kept: [], findings: [] };
    journal.append({ type: 'exchange', exchange, kept });
    for (const finding of findings) journal.append({ type: 'finding', finding });
    if (exchange.operation === 'createPet' && statusOf(exchange) === 201) noteAddition(exchange);
    silence = exchange.answer.kind === 'none' ? silence + 1 : 0;
    all = [...all, exchange];
    memory.set(spec.probe, exchange);
  }

  async function dispatch(spec: RequestSpec, fresh: boolean): Promise<Exchange> {
    // On a connection of its own it cannot go out twice: the last one that is allowed goes there.
    const isLast = spec.credential.kind === 'valid' && !affords(2);
    const exchange = withBodyOnDisk(
      await sender.send(spec, spec.credential.kind === 'none' ? null : key, fresh || isLast),
    );
    spent += spentOn(exchange);
    return exchange;
  }

  /** Whether a refusal is to be held against a control. Of refusals that a control has cleared, ever fewer are. */
  function isDoubtful(exchange: Exchange): boolean {
    const served = all.find(
      (one) => one.operation === control?.operation && one.credential.kind === 'valid' && isServed(one),
    );
    if (!served || !affords(1) || !mayBeBlocked(exchange, served)) return false;
    const before = cleared.get(statusOf(exchange)) ?? { times: 0, skipped: 0 };
    const isDue = before.skipped + 1 >= 2 ** before.times;
    cleared.set(
      statusOf(exchange),
      isDue ? { times: before.times + 1, skipped: 0 } : { ...before, skipped: before.skipped + 1 },
    );
    return isDue;
  }

  /** Throws Unjudgeable where something before the service refuses not this request but the run. */
  async function sendOnce(spec: RequestSpec, fresh: boolean): Promise<Exchange> {
    mustAfford(spec);
    const exchange = await dispatch(spec, fresh);
    const check = control && isDoubtful(exchange) ? await dispatch(control, false) : null;
    if (check && isBlockedAlike(exchange, check)) {
      blockedAfter = all.length;
      record({ ...exchange, blockedAfter }, spec);
      if (control) record({ ...check, blockedAfter }, control);
      throw whollyBlocked(blockedAfter);
    }
    record(exchange, spec);
    if (check && control) record(check, control);
    return exchange;
  }

  async function askAgain(spec: RequestSpec, { fresh = false }: { readonly fresh?: boolean } = {}): Promise<Exchange> {
    const withKey = spec.credential.kind === 'valid';
    // Requests without a key may share one allowance: a wrong key is asked all the same.
    const who = spec.credential.kind;
    if (blockedAfter !== null) throw whollyBlocked(blockedAfter);
    if (silence >= MAX_SILENCE)
      throw new Unjudgeable(
        unestablished(
          'transport',
          `the target left ${MAX_SILENCE} requests in a row without an answer, and no more were sent`,
        ),
      );
    const why = refused.get(who);
    if (why !== undefined) throw new Unjudgeable(unestablished('rate-limited', why));
    // Before any wait for it.
    mustAfford(spec);
    const before = withKey && trustRemaining ? pauseBefore(lastWithKey, now(), windowMs) : null;
    if (before) await pause(before);
    let exchange = await sendOnce(spec, fresh);
    // A target that says 0 again right after its own Reset, and serves all the same, does not count: waiting on its word would only cost time.
    if (before && statusOf(exchange) !== 429 && pauseBefore(exchange, now(), windowMs)) trustRemaining = false;
    let waits = 0;
    for (;;) {
      const after = unavailable && statusOf(exchange) === 503 ? null : pauseAfter(exchange, waits, windowMs);
      if (!after) break;
      await pause(after);
      exchange = await sendOnce(spec, fresh);
      waits += 1;
    }
    const status = statusOf(exchange);
    if (status === 429 && (waits > 0 || asksTooMuch(exchange, windowMs)))
      refused.set(who, refusedThroughout(exchange, waits, windowMs));
    if (status === 503 && waits > 0) unavailable = true;
    if (withKey) lastWithKey = exchange;
    return exchange;
  }

  return {
    ask: async (spec, how) => memory.get(spec.probe) ?? askAgain(spec, how),
    askAgain,
    recall: (probe) => memory.get(probe),
    exchanges: () => all,
    affords,
    pause,
  };
}

/** Share of a large plan that the suites use. The rest is for other users of the key and for load. */
const SHARE = 1 / 4;

/** The most requests that the suites send with a key of a plan: a Free key's minute, or a quarter of a larger plan's. */
export const mostRequests = (perMinute: number): number =>
  Math.max(loadPlans().free.perMinute, Math.floor(perMinute * SHARE));
