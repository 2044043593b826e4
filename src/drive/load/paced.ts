import type { OperationName } from '../../base/interface/types.js';
import type { Sample } from '../../judge/limits/sample.js';
import type { Lab } from './lab.js';
import type { KeySession, Sink } from './key-session.js';
import { MOST_REFUSED } from './refusal-bound.js';

/** A schedule of requests with a constant gap. */
export interface Schedule {
  /** Unix ms, by the senders' clock. */
  readonly from: number;
  readonly gapMs: number;
  /** Lateness beyond this shifts the schedule; less is caught up by faster sending. */
  readonly mostLateMs: number;
  /** Returns the number of requests. Is called before each, so that responses can change it. */
  readonly requests: () => number;
  readonly operation: (place: number) => OperationName;
  /** Is called with each response; true ends the schedule. */
  readonly stopsAt: (sample: Sample) => boolean;
}

export type Pacing = Pick<Lab, 'now' | 'sleepUntil' | 'signal'>;

/**
 * Sends on an absolute schedule, `from + place * gapMs`, however long responses take (open loop). Delays beyond
 * `mostLateMs` shift the rest. Each request uses an idle connection, or opens one. The sink gets its samples in order
 * of sending.
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
    while (underWay.size > 0 && session.room() < 1) await Promise.race(underWay);
    if (state.stopped || session.refused() >= MOST_REFUSED) break;
    const lateMs = lab.now() - intendedAt;
    if (lateMs > schedule.mostLateMs) {
      state.putOffMs += lateMs;
      intendedAt += lateMs;
    }
    const sending = send(place, intendedAt).finally(() => underWay.delete(sending));
    underWay.add(sending);
    // The first response decides how long the schedule is.
    if (place === 0) await sending;
  }
  await Promise.all(underWay);
  await Promise.all(ways.map((way) => way.close()));
}

/** Sorts samples of concurrent requests by sending: hands on each sample once no earlier one can come. */
export function sendingOrder(handOn: (sample: Sample) => void) {
  // In order of beginning: the first is the oldest.
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
    /** Begins a request; none of its samples can be older. Call the result when the response is there. */
    begin(at: number): () => void {
      const request = { at };
      underWay.add(request);
      return () => {
        underWay.delete(request);
        release();
      };
    },
    take: (sample: Sample) => void waiting.push(sample),
  };
}
