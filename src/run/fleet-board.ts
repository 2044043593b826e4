import { BEAT_MS, LOST_MS, namesIn } from '../capacity/fleet/state.js';
import type { RunState, SliceState } from '../capacity/fleet/state.js';
import type { RedisLink } from '../capacity/fleet/redis.js';
import { now } from '../exchange/connection.js';

/** The coordinator's side of what is told through Redis: says what is to be done, and sees how all agents do. */
export interface Board {
  /** Tells and looks once. Redis may be away: then nothing is heard, and nobody is taken for lost. */
  beat(): Promise<void>;
  tell(change: Partial<Omit<RunState, 'run' | 'accepted' | 'beat'>>): void;
  readonly state: () => RunState;
  /** What an accepted agent said last; null before it came. */
  readonly of: (index: number) => SliceState | null;
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
  const accepted: Record<string, string> = {};
  let state: RunState = { run, step: 'gather', beat: 0, accepted, beginsAt: null, received: [] };
  let hereAt = now();
  let backAt = now();
  let longest = 0;

  const look = (texts: readonly (string | null)[]): void => {
    for (const index of indices) {
      const text = texts[index];
      if (typeof text !== 'string') continue;
      const seen = JSON.parse(text) as SliceState;
      accepted[String(index)] ??= seen.instance;
      if (accepted[String(index)] !== seen.instance) continue;
      if (known.get(index)?.state.beat !== seen.beat) known.set(index, { state: seen, changedAt: now() });
    }
  };
  return {
    async beat() {
      try {
        const pipeline = link.control.pipeline();
        pipeline.mget(indices.map((index) => names.slice(run, index)));
        pipeline.get(names.lock);
        const [slices, lock] = (await pipeline.exec()) ?? [];
        if (slices?.[0]) throw slices[0];
        look((slices?.[1] ?? []) as readonly (string | null)[]);
        state = { ...state, beat: state.beat + 1 };
        const told = link.control.pipeline();
        told.set(names.run, JSON.stringify({ ...state, accepted }), 'PX', LOST_MS);
        if (lock?.[1] === null || lock?.[1] === run) told.set(names.lock, run, 'PX', LOST_MS);
        await told.exec();
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
    state: () => ({ ...state, accepted }),
    of: (index) => known.get(index)?.state ?? null,
    silentMs: (index) => Math.max(0, hereAt - Math.max(known.get(index)?.changedAt ?? hereAt, backAt)),
    awayMs: () => now() - hereAt,
    longestAwayMs: () => longest,
    async close() {
      const keys = indices.flatMap((index) => [names.slice(run, index), names.result(run, index)]);
      try {
        if ((await link.control.get(names.lock)) === run) keys.push(names.lock);
        await link.control.del(keys);
      } catch {
        // What is left there goes by itself.
      }
    },
  };
}
