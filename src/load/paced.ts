import type { OperationName } from '../contract/types.js';
import type { Sample } from '../limits/sample.js';
import type { Lab } from './lab.js';
import type { KeySession, Sink } from './key-session.js';

/** A schedule: when the first request is sent, how far apart they are, and how many there may be. */
export interface Schedule {
  /** Unix ms of the senders' clock. */
  readonly from: number;
  readonly gapMs: number;
  /** What is late by more than this is not made up for by sending faster: the schedule moves on with it. */
  readonly mostLateMs: number;
  /** Asked before each request, so that what the answers say can change it. */
  readonly requests: () => number;
  readonly operation: (place: number) => OperationName;
  /** Asked with each answer as it comes; true ends the schedule. */
  readonly stopsAt: (sample: Sample) => boolean;
}

/** What a schedule needs of the lab. */
export type Pacing = Pick<Lab, 'now' | 'sleepUntil' | 'signal'>;

/** A target that leaves so many requests of a schedule without an answer is not asked on. */
const MOST_UNDER_WAY = 64;

/**
 * Sends on an absolute schedule, `from + place * gapMs`, whatever the answers take (open loop), but for delays beyond
 * `mostLateMs`, by which the rest of it is put off. Each request goes on a connection that has nothing under way, opened
 * when there is none. The sink is handed its samples in the order of sending.
 */
export async function paced(session: KeySession, schedule: Schedule, sink: Sink, lab: Pacing): Promise<void> {
  const { signal } = lab;
  type Way = ReturnType<KeySession['fork']>;
  const idle: Way[] = [];
  const ways: Way[] = [];
  const underWay = new Set<Promise<void>>();
  const order = sendingOrder(sink.take);
  const ordered: Sink = { ...sink, take: order.take };
  const state = { stopped: false, putOffMs: 0 };

  const send = async (place: number, intendedAt: number): Promise<void> => {
    const way = idle.pop() ?? session.fork();
    if (!ways.includes(way)) ways.push(way);
    const answered = order.begin(lab.now());
    const sample = await way.ask(schedule.operation(place), ordered, intendedAt);
    answered();
    idle.push(way);
    if (schedule.stopsAt(sample)) state.stopped = true;
  };

  for (let place = 0; place < schedule.requests() && !state.stopped && !signal.aborted; place += 1) {
    let intendedAt = schedule.from + place * schedule.gapMs + state.putOffMs;
    if (!(await lab.sleepUntil(intendedAt, signal))) break;
    if (underWay.size >= MOST_UNDER_WAY) await Promise.race(underWay);
    if (state.stopped) break;
    const lateMs = lab.now() - intendedAt;
    if (lateMs > schedule.mostLateMs) {
      state.putOffMs += lateMs;
      intendedAt += lateMs;
    }
    const sending = send(place, intendedAt).finally(() => underWay.delete(sending));
    underWay.add(sending);
    // The first answer tells how long the schedule is.
    if (place === 0) await sending;
  }
  await Promise.all(underWay);
  await Promise.all(ways.map((way) => way.close()));
}

/** Puts samples of requests side by side, which are answered in any order, into the order of sending. */
export interface SendingOrder {
  /** A request is about to be sent, and no sample of it can be older; what this gives is called when it has been answered. */
  readonly begin: (at: number) => () => void;
  readonly take: (sample: Sample) => void;
}

/**
 * Hands each sample on as soon as none that was sent before it can still come: it keeps what was answered meanwhile, and
 * no more.
 */
export function sendingOrder(handOn: (sample: Sample) => void): SendingOrder {
  // In the order of beginning, so that the first of them is the oldest.
  const underWay = new Set<{ readonly at: number }>();
  let waiting: Sample[] = [];

  const release = (): void => {
    const [oldest] = underWay;
    const until = oldest?.at ?? Infinity;
    waiting.sort((one, other) => one.sentAt - other.sentAt);
    const found = waiting.findIndex(({ sentAt }) => sentAt >= until);
    const ready = found < 0 ? waiting.length : found;
    waiting.slice(0, ready).forEach(handOn);
    waiting = waiting.slice(ready);
  };

  return {
    begin(at) {
      const request = { at };
      underWay.add(request);
      return () => {
        underWay.delete(request);
        release();
      };
    },
    take: (sample) => void waiting.push(sample),
  };
}
