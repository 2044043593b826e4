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
} from '../loadkit/fleet/state.js';
import { placeOf } from '../loadkit/fleet/order.js';
import type { RedisLink } from '../loadkit/fleet/redis.js';
import { seal } from '../loadkit/fleet/seal.js';
import { now } from '../wire/exchange/connection.js';

/** One part's agent, as the coordinator sees it. */
interface Seat {
  /** Latest message of the accepted agent, and its time, Unix ms; null before it joins. */
  state: SliceState | null;
  changedAt: number;
  seconds: AgentSeconds;
  /** True if another program overwrote its state or seconds in Redis. */
  isBroken: boolean;
  /** The coordinator's message to it, and the one that Redis has. */
  part: PartState | null;
  sent: PartState | null;
}

/**
 * Creates the coordinator's connection to Redis for one run: it sends the coordinator's state and receives those of all agents.
 * `secret` seals its messages to single agents; null for none.
 */
export function boardOf(
  { link, prefix, secret }: { readonly link: RedisLink; readonly prefix: string; readonly secret: string | null },
  run: string,
  count: number,
) {
  const { control } = link;
  const names = namesIn(prefix);
  const seats = Array.from({ length: count }, (): Seat => ({
    state: null,
    changedAt: 0,
    seconds: [],
    isBroken: false,
    part: null,
    sent: null,
  }));
  let state: RunState = { run, step: 'gather', beat: 0, beginsAt: null };
  let hereAt = now();
  let backAt = now();
  let longest = 0;

  const told = ({ part }: Seat, index: number): string => {
    const json = JSON.stringify(part);
    return secret === null ? json : seal(json, secret, placeOf(run, index));
  };
  return {
    /** Sends and receives once. While Redis is unavailable, no agent counts as lost. */
    async beat(): Promise<void> {
      try {
        const asked = control.pipeline();
        asked.exists(names.parts(run));
        asked.getrange(names.lock, 0, MOST_CHARACTERS);
        for (const index of seats.keys()) asked.getrange(names.slice(run, index), 0, MOST_CHARACTERS);
        if (state.step === 'go' && state.beat % BEATS_A_SECOND === 0)
          for (const index of seats.keys()) asked.getrange(names.seconds(run, index), 0, MOST_CHARACTERS);
        const [there, lock, ...entries] = (await asked.exec()) ?? [];
        if (there?.[0]) throw there[0];
        entries.forEach(([error, text], at) => {
          const one = seats[at % count];
          // Any other error is temporary in Redis.
          if (error && !error.message.startsWith('WRONGTYPE')) throw error;
          if (!one || text === '') return;
          if (typeof text !== 'string' || !(at < count ? noteState : noteSeconds)(one, text)) one.isBroken = true;
        });
        state = { ...state, beat: state.beat + 1 };
        const telling = control.pipeline();
        telling.set(names.run, JSON.stringify(state), 'PX', LOST_MS);
        // A restarted Redis has lost everything.
        const news = [...seats.entries()].filter(
          ([, { part, sent }]) => part !== null && (there?.[1] === 0 || part !== sent),
        );
        if (news.length > 0)
          telling.hset(names.parts(run), Object.fromEntries(news.map(([index, one]) => [index, told(one, index)])));
        telling.pexpire(names.parts(run), 2 * LOST_MS);
        if (lock?.[1] === '' || lock?.[1] === run) telling.set(names.lock, run, 'PX', LOST_MS);
        await telling.exec();
        for (const [, one] of news) one.sent = one.part;
        if (now() - hereAt > 4 * BEAT_MS) backAt = now();
        longest = Math.max(longest, now() - hereAt);
        hereAt = now();
      } catch {
        // Redis is unavailable; the messages are repeated later.
      }
    },
    tell(change: Partial<Pick<RunState, 'step' | 'beginsAt'>>): void {
      state = { ...state, ...change };
    },
    seats: seats as readonly Readonly<Seat>[],
    /** Time without a message of an agent while Redis was available, ms. */
    silentMs: ({ state: last, changedAt }: Readonly<Seat>): number =>
      Math.max(0, hereAt - Math.max(last === null ? hereAt : changedAt, backAt)),
    /** Reads at most `most` + 1 characters of an agent's result; empty before it is there. */
    result: (index: number, most: number): Promise<string> => control.getrange(names.result(run, index), 0, most),
    received(index: number): void {
      const one = seats[index];
      if (one?.part) one.part = { ...one.part, isReceived: true };
    },
    /** Time without Redis, ms: now, and the longest so far. */
    awayMs: (): number => now() - hereAt,
    longestAwayMs: (): number => longest,
    async close(): Promise<void> {
      const keys = seats.flatMap((_, index) => [
        names.slice(run, index),
        names.seconds(run, index),
        names.result(run, index),
      ]);
      try {
        if ((await control.getrange(names.lock, 0, MOST_CHARACTERS)) === run) keys.push(names.lock);
        await control.del(keys);
      } catch {
        // The rest expires by itself.
      }
    },
  };
}

/** Notes the message of a seat's agent; that of another agent does not count. Returns false for one that no agent wrote. */
function noteState(seat: Seat, text: string): boolean {
  const seen = readSlice(text);
  if (seen === null) return false;
  seat.part ??= { instance: seen.instance, isReceived: false };
  if (seat.part.instance === seen.instance && seat.state?.beat !== seen.beat)
    [seat.state, seat.changedAt] = [seen, now()];
  return true;
}

function noteSeconds(seat: Seat, text: string): boolean {
  const seen = readSeconds(text);
  seat.seconds = seen ?? seat.seconds;
  return seen !== null;
}
