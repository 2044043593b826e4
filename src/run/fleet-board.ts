import {
  BEAT_MS,
  BEATS_A_SECOND,
  LOST_MS,
  namesIn,
  type PartState,
  type RunState,
  type SliceState,
  type ToldSeconds,
} from '../capacity/fleet/state.js';
import type { RedisLink } from '../capacity/fleet/redis.js';
import { now } from '../exchange/connection.js';

/** The coordinator's side of what is told through Redis: says what is to be done, and sees how all agents do. */
export interface Board {
  /** Tells and looks once. Redis may be away: then nothing is heard, and nobody is taken for lost. */
  beat(): Promise<void>;
  tell(change: Partial<Pick<RunState, 'step' | 'beginsAt'>>): void;
  /** Tells an agent that its result is here. */
  received(index: number): void;
  /** What an accepted agent said last; null before it came. */
  readonly of: (index: number) => SliceState | null;
  /** Its last seconds; empty before it has told any. */
  readonly secondsOf: (index: number) => ToldSeconds;
  /** For how long nothing was heard of an agent, ms, while Redis was there. */
  readonly silentMs: (index: number) => number;
  /** For how long Redis has been away, ms; and at most so far. */
  readonly awayMs: () => number;
  readonly longestAwayMs: () => number;
  /** Leaves nothing behind but the marks. */
  close(): Promise<void>;
}

/** A board for one run. */
export function boardOf(link: RedisLink, prefix: string, run: string, count: number): Board {
  const names = namesIn(prefix);
  const indices = Array.from({ length: count }, (_, index) => index);
  const known = new Map<number, { readonly state: SliceState; readonly changedAt: number }>();
  const seconds = new Map<number, ToldSeconds>();
  const parts = new Map<number, PartState>();
  /** Those of which Redis has not heard. */
  const untold = new Set<number>();
  let state: RunState = { run, step: 'gather', beat: 0, beginsAt: null };
  let hereAt = now();
  let backAt = now();
  let longest = 0;

  const look = (texts: readonly (string | null)[]): void => {
    for (const index of indices) {
      const text = texts[index];
      if (typeof text !== 'string') continue;
      const seen = JSON.parse(text) as SliceState;
      if (!parts.has(index)) {
        parts.set(index, { instance: seen.instance, isReceived: false });
        untold.add(index);
      }
      if (parts.get(index)?.instance !== seen.instance) continue;
      if (known.get(index)?.state.beat !== seen.beat) known.set(index, { state: seen, changedAt: now() });
    }
  };
  const lookAtSeconds = (texts: readonly (string | null)[]): void =>
    indices.forEach((index) => {
      const text = texts[index];
      if (typeof text === 'string') seconds.set(index, JSON.parse(text) as ToldSeconds);
    });
  return {
    async beat() {
      try {
        const asked = link.control.pipeline();
        asked.mget(indices.map((index) => names.slice(run, index)));
        asked.get(names.lock);
        asked.exists(names.parts(run));
        if (state.step === 'go' && state.beat % BEATS_A_SECOND === 0)
          asked.mget(indices.map((index) => names.seconds(run, index)));
        const [slices, lock, there, told] = (await asked.exec()) ?? [];
        if (slices?.[0]) throw slices[0];
        look((slices?.[1] ?? []) as readonly (string | null)[]);
        lookAtSeconds((told?.[1] ?? []) as readonly (string | null)[]);
        // A Redis that was started anew has forgotten all.
        if (there?.[1] === 0) for (const index of parts.keys()) untold.add(index);
        state = { ...state, beat: state.beat + 1 };
        const telling = link.control.pipeline();
        telling.set(names.run, JSON.stringify(state), 'PX', LOST_MS);
        const news = [...untold];
        if (news.length > 0)
          telling.hset(
            names.parts(run),
            Object.fromEntries(news.map((index) => [index, JSON.stringify(parts.get(index))])),
          );
        telling.pexpire(names.parts(run), 2 * LOST_MS);
        if (lock?.[1] === null || lock?.[1] === run) telling.set(names.lock, run, 'PX', LOST_MS);
        await telling.exec();
        for (const index of news) untold.delete(index);
        if (now() - hereAt > 4 * BEAT_MS) backAt = now();
        longest = Math.max(longest, now() - hereAt);
        hereAt = now();
      } catch {
        // Redis is away; what was said is said again when it is back.
      }
    },
    tell(change) {
      state = { ...state, ...change };
    },
    received(index) {
      const part = parts.get(index);
      if (!part || part.isReceived) return;
      parts.set(index, { ...part, isReceived: true });
      untold.add(index);
    },
    secondsOf: (index) => seconds.get(index) ?? [],
    of: (index) => known.get(index)?.state ?? null,
    silentMs: (index) => Math.max(0, hereAt - Math.max(known.get(index)?.changedAt ?? hereAt, backAt)),
    awayMs: () => now() - hereAt,
    longestAwayMs: () => longest,
    async close() {
      const keys = indices.flatMap((index) => [
        names.slice(run, index),
        names.seconds(run, index),
        names.result(run, index),
      ]);
      try {
        if ((await link.control.get(names.lock)) === run) keys.push(names.lock);
        await link.control.del(keys);
      } catch {
        // What is left there goes by itself.
      }
    },
  };
}
