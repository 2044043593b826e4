import type { OperationName } from '../../base/interface/types.js';
import { bySending, type Sample } from '../../judge/limits/sample.js';
import type { KeySession, Sink } from './key-session.js';
import { onSchedule, type Pacing } from './on-schedule.js';
import { MOST_REFUSED } from './refusal-bound.js';

/** A schedule of one key's requests with a constant gap. */
interface Schedule {
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

/**
 * Sends a key's requests with a constant gap, `from + place * gapMs`. Delays beyond `mostLateMs` shift the
 * rest. Each request uses an idle connection, or opens one. The sink gets its samples in order of sending.
 */
export async function paced(
  session: KeySession,
  schedule: Schedule,
  sink: Sink,
  pacing: Pacing,
): Promise<void> {
  type Way = ReturnType<KeySession['fork']>;
  const idle: Way[] = [];
  const ways: Way[] = [];
  const order = sendingOrder(sink.take);
  const ordered: Sink = { ...sink, take: order.take };
  let isStopped = false;
  let putOffMs = 0;

  const send = async (place: number, intendedAt: number): Promise<void> => {
    const way = idle.pop() ?? session.fork();
    if (!ways.includes(way)) ways.push(way);
    const answered = order.begin(pacing.now());
    const sample = await way.ask(schedule.operation(place), ordered, intendedAt);
    answered();
    idle.push(way);
    if (schedule.stopsAt(sample)) isStopped = true;
  };

  const { ended } = onSchedule(
    {
      count: () => (isStopped ? 0 : schedule.requests()),
      at: (place) => schedule.from + place * schedule.gapMs + putOffMs,
      begin(place, intendedAt) {
        isStopped ||= session.refused() >= MOST_REFUSED;
        if (isStopped) return null;
        const lateMs = pacing.now() - intendedAt;
        const shiftMs = lateMs > schedule.mostLateMs ? lateMs : 0;
        putOffMs += shiftMs;
        return send(place, intendedAt + shiftMs);
      },
      room: session.room,
      isFirstAlone: true,
    },
    pacing,
  );
  await ended;
  await Promise.all(ways.map((way) => way.close()));
}

/** Sorts samples of concurrent requests by sending: hands on each sample once no earlier one can come. */
export function sendingOrder(handOn: (sample: Sample) => void) {
  // In order of beginning: the first is the oldest.
  const underWay = new Set<{ readonly at: number }>();
  let waiting: Sample[] = [];

  return {
    /** Begins a request; none of its samples can be older. Call the result when the response is there. */
    begin(at: number): () => void {
      const request = { at };
      underWay.add(request);
      return () => {
        underWay.delete(request);
        const [oldest] = underWay;
        const until = oldest?.at ?? Infinity;
        const inOrder = bySending(waiting);
        waiting = inOrder.filter(({ sentAt }) => sentAt >= until);
        inOrder.filter(({ sentAt }) => sentAt < until).forEach(handOn);
      };
    },
    take: (sample: Sample) => void waiting.push(sample),
  };
}
