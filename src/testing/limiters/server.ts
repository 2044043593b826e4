import type { OperationName } from '../../base/interface/types.js';
import { headerNumber } from '../../base/interface/rate-headers.js';
import type { Sample } from '../../judge/limits/sample.js';
import type { Figures } from '../../judge/limits/bounds.js';
import type { Decision, Limiter, MakeLimiter } from './limiters.js';
import type { Random } from '../../base/kernel/random.js';
import type { KeyName } from '../../base/interface/names.js';

/** Response before it is sent; a flaw changes it. Times in the server's ms. */
export interface Draft {
  readonly status: number;
  readonly limit: string | null;
  readonly remaining: string | null;
  readonly reset: string | null;
  readonly retryAfter: string | null;
}

/** Input of a flaw about the request whose response it spoils. */
export interface Asked {
  readonly key: KeyName;
  readonly operation: OperationName;
  /** In the server's time. */
  readonly now: number;
  readonly decision: Decision;
  readonly figures: Figures;
  /** Requests of this key so far, including this one. */
  readonly count: number;
}

/** Differences of a simulated server from the plainest one. */
export interface Behaviour {
  readonly make: MakeLimiter;
  /** Figures that the limiter applies, if they are not the plan's. */
  readonly applied?: (figures: Figures, key: KeyName) => Figures;
  /** Name of the limiter that counts a request; by default one per key. Null: none. */
  readonly countedBy?: (
    key: KeyName,
    operation: OperationName,
    count: number,
    connection: number,
  ) => string | null;
  readonly spoil?: (draft: Draft, asked: Asked) => Draft;
  readonly retryAfterAs?: 'seconds' | 'date';
  /** Rounding of Retry-After and Reset to whole seconds; up by default. */
  readonly rounded?: { readonly retryAfter: Rounding; readonly reset: Rounding };
  /** Ban after this many refusals in a row: its length and its status code. */
  readonly ban?: {
    readonly after: number;
    readonly ms: number;
    readonly status: number;
    readonly everyKey?: boolean;
  };
  /** Changes the time in Date, Unix ms; null: no Date. */
  readonly dated?: (date: number) => number | null;
  /** Limits the day too, from the first request. */
  readonly countsDays?: boolean;
}

/** Rounding to whole seconds. */
export type Rounding = 'up' | 'down' | 'nearest';

const ROUNDED = { up: Math.ceil, down: Math.floor, nearest: Math.round } as const;

/** Network and clocks between client and server. */
export interface Surroundings {
  readonly random: Random;
  /** The server's clock minus the client's, in ms. */
  readonly offsetMs: number;
  readonly latencyMs: number;
  readonly jitterMs: number;
  /** Greatest age of a Date header, ms. */
  readonly staleMs: number;
  /** Step of the limiter's clock in ms; 0: exact. */
  readonly grainMs: number;
  readonly phaseMs: number;
  /** Requests of the day left to each key at the start; null: all. */
  readonly dayLeft: number | null;
  readonly figures: ReadonlyMap<KeyName, Figures>;
}

/** Request in flight: it arrives between its sending and its response. */
export interface OnTheWay {
  readonly sentAt: number;
  readonly arrivesAt: number;
  readonly answeredAt: number;
}

/** Server in virtual time. Requests must be handed over in order of arrival. */
export type SimulatedServer = ReturnType<typeof simulatedServer>;

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** Starts a server in virtual time. */
export function simulatedServer(behaviour: Behaviour, around: Surroundings) {
  const limiters = new Map<string, Limiter>();
  const counts = new Map<KeyName, number>();
  const refusals = new Map<KeyName, number>();
  const bannedUntil = new Map<KeyName, number>();
  /** Refusals in a row by key, those of a ban included: now, and the most so far. */
  const inARow = new Map<KeyName, { now: number; most: number }>();
  const days = new Map<KeyName, { end: number; count: number }>();

  const figuresOf = (key: KeyName): Figures => {
    const figures = around.figures.get(key);
    if (figures === undefined) throw new Error(`no figures for ${key}`);
    return figures;
  };

  function limiterOf(name: string, key: KeyName): Limiter {
    const known = limiters.get(name);
    if (known !== undefined) return known;
    const applied = behaviour.applied?.(figuresOf(key), key) ?? figuresOf(key);
    const limiter = behaviour.make(applied.perMinute, applied.minuteSeconds * 1000, around.phaseMs);
    limiters.set(name, limiter);
    return limiter;
  }

  function dayOf(key: KeyName, now: number, figures: Figures): { end: number; count: number } {
    const day = days.get(key);
    if (day !== undefined && now < day.end) return day;
    const fresh = {
      end: now + figures.daySeconds * 1000,
      count: around.dayLeft === null ? 0 : Math.max(0, figures.perDay - around.dayLeft),
    };
    days.set(key, fresh);
    return fresh;
  }

  function decide(
    key: KeyName,
    operation: OperationName,
    now: number,
    connection: number,
  ): { readonly draft: Draft; readonly decision: Decision } {
    const figures = figuresOf(key);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const by =
      behaviour.countedBy === undefined ? key : behaviour.countedBy(key, operation, count, connection);
    const limiter = limiterOf(by ?? key, key);
    const day = dayOf(key, now, figures);
    const dayGone = behaviour.countsDays === true && day.count >= figures.perDay;
    const decision: Decision =
      by === null ? { served: true, remaining: 0, resetAt: now, retryAt: now } : limiter(now);
    const served = decision.served && !dayGone;
    if (served) day.count += 1;
    const byDay =
      behaviour.countsDays === true && (dayGone || figures.perDay - day.count < decision.remaining);
    const resetAt = byDay ? day.end : decision.resetAt;
    const retryAt = dayGone ? day.end : decision.retryAt;
    const draft: Draft = {
      status: served ? (operation === 'createPet' ? 201 : 200) : 429,
      limit: String(byDay ? figures.perDay : figures.perMinute),
      remaining: String(byDay ? figures.perDay - day.count : decision.remaining),
      reset: String(ROUNDED[behaviour.rounded?.reset ?? 'up'](resetAt / 1000)),
      retryAfter: served ? null : retryAfter(retryAt, now),
    };
    return {
      draft: behaviour.spoil?.(draft, { key, operation, now, decision, figures, count }) ?? draft,
      decision,
    };
  }

  const roundedWait = ROUNDED[behaviour.rounded?.retryAfter ?? 'up'];
  const retryAfter = (at: number, now: number): string =>
    behaviour.retryAfterAs === 'date'
      ? new Date(roundedWait(at / 1000) * 1000).toUTCString()
      : String(Math.max(0, roundedWait((at - now) / 1000)));

  /** Returns the response of a ban, which is checked before the limiter; null without a ban. */
  function banned(key: KeyName, now: number): Draft | null {
    const { ban } = behaviour;
    const until = Math.max(
      bannedUntil.get(key) ?? -Infinity,
      ban?.everyKey === true ? Math.max(...bannedUntil.values(), -Infinity) : -Infinity,
    );
    if (ban === undefined || now >= until) return null;
    const figures = figuresOf(key);
    return {
      status: ban.status,
      limit: String(figures.perMinute),
      remaining: '0',
      reset: String(seconds(now + Math.min(until - now, figures.minuteSeconds * 1000))),
      retryAfter: retryAfter(until, now),
    };
  }

  function answerAt(key: KeyName, operation: OperationName, now: number, connection: number) {
    const ban = banned(key, now);
    if (ban !== null) return { draft: ban, delayMs: 0 };
    const {
      draft,
      decision: { delayMs = 0 },
    } = decide(key, operation, now, connection);
    const { ban: rule } = behaviour;
    if (rule !== undefined) {
      const met = draft.status === 429 ? (refusals.get(key) ?? 0) + 1 : 0;
      refusals.set(key, met);
      if (met >= rule.after) {
        bannedUntil.set(key, now + rule.ms);
        refusals.set(key, 0);
      }
    }
    return { draft, delayMs };
  }

  /** Notes whether a response refused its key. */
  function note(key: KeyName, isRefused: boolean): void {
    const known = inARow.get(key) ?? { now: 0, most: 0 };
    const now = isRefused ? known.now + 1 : 0;
    inARow.set(key, { now, most: Math.max(known.most, now) });
  }

  const delay = (): number => around.latencyMs / 2 + around.random() * around.jitterMs;
  return {
    /** Returns the most refusals in a row that a key met so far, in order of arrival. */
    mostRefused: (key: KeyName): number => inARow.get(key)?.most ?? 0,
    travel: (sentAt: number): OnTheWay => {
      const arrivesAt = sentAt + delay();
      return { sentAt, arrivesAt, answeredAt: arrivesAt + delay() };
    },
    answer(
      { sentAt, arrivesAt, answeredAt }: OnTheWay,
      key: KeyName,
      operation: OperationName,
      intendedAt: number,
      connection = 0,
    ): Sample {
      const time = arrivesAt + around.offsetMs;
      const now = around.grainMs === 0 ? time : Math.floor(time / around.grainMs) * around.grainMs;
      const { draft, delayMs } = answerAt(key, operation, now, connection);
      const { status, limit, remaining, reset, retryAfter: after } = draft;
      note(key, status >= 400);
      const date = Math.floor((now - around.random() * around.staleMs) / 1000) * 1000;
      return {
        intendedAt,
        sentAt,
        answeredAt: answeredAt + delayMs,
        operation,
        status,
        limit: headerNumber(limit),
        remaining: headerNumber(remaining),
        reset: headerNumber(reset),
        retryAfter: after,
        date: behaviour.dated === undefined ? date : behaviour.dated(date),
      };
    },
  };
}
