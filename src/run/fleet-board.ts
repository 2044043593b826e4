import {
  BEAT_MS,
  BEATS_A_SECOND,
  LOST_MS,
  MOST_CHARACTERS,
  namesIn,
  readSeconds,
  readSlice,
  type PartState,
  type RunState,
  type SliceState,
  type AgentSeconds,
} from '../capacity/fleet/state.js';
import { placeOf } from '../capacity/fleet/order.js';
import type { RedisLink } from '../capacity/fleet/redis.js';
import { seal } from '../capacity/fleet/seal.js';
import { now } from '../exchange/connection.js';

/** The coordinator's connection to Redis: sends its state and receives those of all agents. */
export interface Board {
  /** Sends and receives once. While Redis is unavailable, no agent counts as lost. */
  beat(): Promise<void>;
  tell(change: Partial<Pick<RunState, 'step' | 'beginsAt'>>): void;
  /** Confirms the arrival of an agent's result. */
  received(index: number): void;
  /** Latest message of an accepted agent; null before it joins. */
  readonly of: (index: number) => SliceState | null;
  /** True if another program overwrote its state or seconds in Redis. */
  readonly isBroken: (index: number) => boolean;
  /** Its last seconds; empty before the first. */
  readonly secondsOf: (index: number) => AgentSeconds;
  /** Time without a message of an agent while Redis was available, ms. */
  readonly silentMs: (index: number) => number;
  /** Time without Redis, ms: now, and the longest so far. */
  readonly awayMs: () => number;
  readonly longestAwayMs: () => number;
  /** Removes all keys except the marks. */
  close(): Promise<void>;
}

/** Place of a board, and the secret that seals its messages to single agents; null for none. */
interface BoardPlace {
  readonly link: RedisLink;
  readonly prefix: string;
  readonly secret: string | null;
}

/** Creates the board of one run. */
export function boardOf({ link, prefix, secret }: BoardPlace, run: string, count: number): Board {
  const names = namesIn(prefix);
  const indices = Array.from({ length: count }, (_, index) => index);
  const known = new Map<number, { readonly state: SliceState; readonly changedAt: number }>();
  const seconds = new Map<number, AgentSeconds>();
  const parts = new Map<number, PartState>();
  /** Parts to send to Redis. */
  const untold = new Set<number>();
  const broken = new Set<number>();
  let state: RunState = { run, step: 'gather', beat: 0, beginsAt: null };
  let hereAt = now();
  let backAt = now();
  let longest = 0;

  const look = (index: number, text: string): void => {
    const seen = readSlice(text);
    if (seen === null) return void broken.add(index);
    if (!parts.has(index)) {
      parts.set(index, { instance: seen.instance, isReceived: false });
      untold.add(index);
    }
    if (parts.get(index)?.instance !== seen.instance) return;
    if (known.get(index)?.state.beat !== seen.beat) known.set(index, { state: seen, changedAt: now() });
  };
  const lookAtSeconds = (index: number, text: string): void => {
    const told = readSeconds(text);
    if (told === null) broken.add(index);
    else seconds.set(index, told);
  };
  const told = (part: PartState | undefined, index: number): string => {
    const json = JSON.stringify(part);
    return secret === null ? json : seal(json, secret, placeOf(run, index));
  };
  return {
    async beat() {
      try {
        const asked = link.control.pipeline();
        asked.exists(names.parts(run));
        asked.getrange(names.lock, 0, MOST_CHARACTERS);
        for (const index of indices) asked.getrange(names.slice(run, index), 0, MOST_CHARACTERS);
        if (state.step === 'go' && state.beat % BEATS_A_SECOND === 0)
          for (const index of indices) asked.getrange(names.seconds(run, index), 0, MOST_CHARACTERS);
        const [there, lock, ...entries] = (await asked.exec()) ?? [];
        if (there?.[0]) throw there[0];
        entries.forEach(([error, text], at) => {
          const [index, takes] = at < count ? [at, look] : [at - count, lookAtSeconds];
          // Any other error is temporary in Redis.
          if (error && !error.message.startsWith('WRONGTYPE')) throw error;
          if (error) broken.add(index);
          else if (typeof text === 'string' && text !== '') takes(index, text);
        });
        // A restarted Redis has lost everything.
        if (there?.[1] === 0) for (const index of parts.keys()) untold.add(index);
        state = { ...state, beat: state.beat + 1 };
        const telling = link.control.pipeline();
        telling.set(names.run, JSON.stringify(state), 'PX', LOST_MS);
        const news = [...untold];
        if (news.length > 0)
          telling.hset(
            names.parts(run),
            Object.fromEntries(news.map((index) => [index, told(parts.get(index), index)])),
          );
        telling.pexpire(names.parts(run), 2 * LOST_MS);
        if (lock?.[1] === '' || lock?.[1] === run) telling.set(names.lock, run, 'PX', LOST_MS);
        await telling.exec();
        for (const index of news) untold.delete(index);
        if (now() - hereAt > 4 * BEAT_MS) backAt = now();
        longest = Math.max(longest, now() - hereAt);
        hereAt = now();
      } catch {
        // Redis is unavailable; the messages are repeated later.
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
    isBroken: (index) => broken.has(index),
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
        if ((await link.control.getrange(names.lock, 0, MOST_CHARACTERS)) === run) keys.push(names.lock);
        await link.control.del(keys);
      } catch {
        // The rest expires by itself.
      }
    },
  };
}
