import type { Queue } from 'bullmq';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import {
  BEAT_MS,
  BEATS_A_SECOND,
  LOST_MS,
  MOST_CHARACTERS,
  namesIn,
  QUEUE,
} from '../../loadkit/fleet/state.js';
import {
  type AgentSeconds,
  type PartState,
  readSeconds,
  readSlice,
  type RunState,
  type SliceJob,
  type SliceState,
} from '../../loadkit/fleet/messages.js';
import { placeOf } from '../../loadkit/fleet/order.js';
import { askOffset, bullmq, noRedis, noWrites, type RedisLink } from '../../loadkit/fleet/redis.js';
import { seal } from '../../loadkit/fleet/seal.js';
import { now } from '../../wire/exchange/connection.js';
import { duration } from '../../base/kernel/format.js';
import { cut } from '../../base/kernel/visible.js';
import { UsageError } from '../../base/kernel/errors.js';
import type { Obstacle } from '../../log/record.js';
import { MOST_AWAY_MS, type Crew, type Seat } from './crew.js';

interface RedisSeat extends Seat {
  state: SliceState | null;
  /** Time of the latest message, Unix ms. */
  changedAt: number;
  seconds: AgentSeconds;
  broken: string | null;
  /** The coordinator's message to it, and the one that Redis has. */
  part: PartState | null;
  sent: PartState | null;
}

/** This timer does not keep the process alive. */
const patience = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false });

interface RedisPlace {
  readonly link: RedisLink;
  readonly prefix: string;
  /** Seals messages to single agents; null for none. */
  readonly secret: string | null;
}

/**
 * Opens the agents at a Redis for one run. Throws UsageError if another coordinator is active.
 *
 * @param count number of parts
 */
export async function redisCrew(place: RedisPlace, run: string, count: number): Promise<Crew> {
  const { link, prefix } = place;
  const locked = await link.control
    .set(namesIn(prefix).lock, run, 'PX', LOST_MS, 'NX')
    .catch((error: unknown) => {
      throw noRedis(link.shown, [error instanceof Error ? error : new Error(String(error))]);
    });
  if (locked !== 'OK')
    throw new UsageError(
      'agents-in-use',
      `Another run uses the agents at ${link.shown} (${prefix}).`,
      'Wait for its end, or use another --redis-prefix for agents and run. ' +
        `A killed run frees its agents after ${duration(LOST_MS)}. Nothing was sent.`,
    );
  const { Queue } = await bullmq();
  const queue = new Queue(QUEUE, {
    connection: link.queue,
    prefix,
    skipMetasUpdate: true,
    // It prints lines about Redis' version and settings.
    skipVersionCheck: true,
  });
  queue.on('error', () => undefined);
  return new RedisCrew(place, run, count, queue);
}

class RedisCrew implements Crew {
  readonly noun = 'agent';
  readonly hints: Crew['hints'];
  readonly seats: readonly RedisSeat[];
  private readonly names: ReturnType<typeof namesIn>;
  private state: RunState;
  /** Time of the latest exchange with Redis, of the first after an absence, and the longest absence. */
  private hereAt = now();
  private backAt = now();
  private longest = 0;
  private refusal: ReturnType<typeof noWrites> = null;

  constructor(
    private readonly place: RedisPlace,
    private readonly run: string,
    count: number,
    private readonly queue: Queue,
  ) {
    const { link, prefix } = place;
    this.names = namesIn(prefix);
    this.seats = Array.from({ length: count }, (): RedisSeat => ({
      state: null,
      changedAt: 0,
      seconds: [],
      broken: null,
      part: null,
      sent: null,
    }));
    this.state = { run, step: 'gather', beat: 0, beginsAt: null };
    this.hints = {
      missing:
        `Start more with petstore-conformance agent and the same Redis (${link.shown}) and prefix, ` +
        'or wait longer with --wait.',
      refused: 'Fix that on the machine of the agent, and start the agent again.',
      lost: 'Start the agent again, and let no other program use that Redis.',
    };
  }

  async handOut(jobs: readonly SliceJob[]): Promise<Obstacle | null> {
    const { link, prefix } = this.place;
    await this.beat();
    const all = jobs.map((data) => ({
      name: 'slice',
      data,
      opts: { jobId: `${this.run}-${data.index}`, attempts: 1, removeOnComplete: true, removeOnFail: true },
    }));
    const obstacleBy = ({ what, hint }: typeof UNREACHABLE): Obstacle => ({
      code: 'agents',
      short: 'Redis takes no messages',
      message: `${link.shown} ${what}.`,
      hint,
    });
    const handOut = async (): Promise<true> => {
      // Removes jobs of a killed coordinator.
      await this.queue.obliterate({ force: true });
      await this.queue.addBulk(all);
      return true;
    };
    try {
      // BullMQ waits for a silent Redis without an end.
      const isDone = await Promise.race([handOut(), patience(MOST_AWAY_MS)]);
      return isDone === true ? null : obstacleBy(UNREACHABLE);
    } catch (error) {
      const fault = link.control.status === 'ready' ? noWrites(error) : UNREACHABLE;
      if (fault) return obstacleBy(fault);
      return {
        code: 'agents',
        short: 'Redis rejects the parts',
        message: `Redis rejects the parts (${cut((error as Error).message, 200).text}).`,
        hint: `Check the keys under ${prefix} in Redis, or use another --redis-prefix.`,
      };
    }
  }

  private messageTo({ part }: RedisSeat, index: number): string {
    const { secret } = this.place;
    const json = JSON.stringify(part);
    return secret === null ? json : seal(json, secret, placeOf(this.run, index));
  }

  /** While Redis is unavailable, no agent counts as lost; the messages are repeated later. */
  async beat(): Promise<void> {
    await this.exchange().catch(() => undefined);
  }

  private async exchange(): Promise<void> {
    const { names, run, seats } = this;
    const { control } = this.place.link;
    const asked = control.pipeline();
    asked.exists(names.parts(run));
    asked.getrange(names.lock, 0, MOST_CHARACTERS);
    for (const index of seats.keys()) asked.getrange(names.slice(run, index), 0, MOST_CHARACTERS);
    if (this.state.step === 'go' && this.state.beat % BEATS_A_SECOND === 0)
      for (const index of seats.keys()) asked.getrange(names.seconds(run, index), 0, MOST_CHARACTERS);
    const [there, lock, ...entries] = (await asked.exec()) ?? [];
    if (there?.[0]) throw there[0];
    entries.forEach(([error, text], at) => {
      const one = seats[at % seats.length];
      // Any other error is temporary in Redis.
      if (error && !error.message.startsWith('WRONGTYPE')) throw error;
      if (!one || text === '') return;
      if (typeof text !== 'string' || !(at < seats.length ? noteState : noteSeconds)(one, text))
        one.broken = BROKEN;
    });
    this.state = { ...this.state, beat: this.state.beat + 1 };
    const telling = control.pipeline();
    telling.set(names.run, JSON.stringify(this.state), 'PX', LOST_MS);
    // A restarted Redis has lost everything.
    const news = [...seats.entries()].filter(
      ([, { part, sent }]) => part !== null && (there?.[1] === 0 || part !== sent),
    );
    if (news.length > 0)
      telling.hset(
        names.parts(run),
        Object.fromEntries(news.map(([index, one]) => [index, this.messageTo(one, index)])),
      );
    telling.pexpire(names.parts(run), 2 * LOST_MS);
    if (lock?.[1] === '' || lock?.[1] === run) telling.set(names.lock, run, 'PX', LOST_MS);
    const told = (await telling.exec()) ?? [];
    this.refusal = told.flatMap(([error]) => noWrites(error) ?? [])[0] ?? null;
    if (this.refusal) return;
    for (const [, one] of news) one.sent = one.part;
    if (now() - this.hereAt > 4 * BEAT_MS) this.backAt = now();
    this.longest = Math.max(this.longest, now() - this.hereAt);
    this.hereAt = now();
  }

  tell(change: Partial<Pick<RunState, 'step' | 'beginsAt'>>): void {
    this.state = { ...this.state, ...change };
  }

  silentMs(index: number): number {
    const { state: last = null, changedAt = 0 } = this.seats[index] ?? {};
    return Math.max(0, this.hereAt - Math.max(last === null ? this.hereAt : changedAt, this.backAt));
  }

  async fetchLog(index: number, file: string, most: number): Promise<boolean> {
    const packed = await this.place.link.control.getrange(this.names.result(this.run, index), 0, most);
    if (packed === '') return false;
    if (packed.length > most) throw new RangeError('it is too large for a log of this run');
    writeFileSync(file, gunzipSync(Buffer.from(packed, 'base64'), { maxOutputLength: most }));
    return true;
  }

  received(index: number): void {
    const one = this.seats[index];
    if (one?.part) one.part = { ...one.part, isReceived: true };
  }

  fault(): ReturnType<Crew['fault']> {
    const fault = this.refusal ?? (this.awayMs() > MOST_AWAY_MS ? UNREACHABLE : null);
    return fault && { ...fault, what: `${this.place.link.shown} ${fault.what}` };
  }

  awayMs(): number {
    return now() - this.hereAt;
  }

  longestAwayMs(): number {
    return this.longest;
  }

  async offsetMs(): Promise<number> {
    return (await askOffset(this.place.link.control)).offsetMs;
  }

  async close(): Promise<void> {
    await Promise.race([this.queue.obliterate({ force: true }).catch(() => undefined), patience(LOST_MS)]);
    await this.removeEntries().catch(() => undefined);
    await Promise.race([this.queue.close(), patience(BEAT_MS)]);
  }

  /** Removes what the run left in Redis; the rest expires by itself. */
  private async removeEntries(): Promise<void> {
    const { names, run } = this;
    const { control } = this.place.link;
    const keys = this.seats.flatMap((_, index) => [
      names.slice(run, index),
      names.seconds(run, index),
      names.result(run, index),
    ]);
    if ((await control.getrange(names.lock, 0, MOST_CHARACTERS)) === run) keys.push(names.lock);
    await control.del(keys);
  }
}

const UNREACHABLE: NonNullable<ReturnType<typeof noWrites>> = {
  what: 'became unreachable',
  hint: 'Check Redis and the network to it, and start the run again.',
};

const BROKEN = 'was lost: its entry in Redis was not written by an agent';

/**
 * Notes the message of a seat's agent; that of another agent does not count. Returns false for one that no
 * agent wrote.
 */
function noteState(seat: RedisSeat, text: string): boolean {
  const seen = readSlice(text);
  if (seen === null) return false;
  seat.part ??= { instance: seen.instance, isReceived: false };
  if (seat.part.instance === seen.instance && seat.state?.beat !== seen.beat)
    [seat.state, seat.changedAt] = [seen, now()];
  return true;
}

function noteSeconds(seat: RedisSeat, text: string): boolean {
  const seen = readSeconds(text);
  seat.seconds = seen ?? seat.seconds;
  return seen !== null;
}
