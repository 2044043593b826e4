import type { Redis } from 'ioredis';
import { now } from '../../exchange/connection.js';

/** How far another clock is ahead of this one, and how well that is known, ms. */
export interface Offset {
  readonly offsetMs: number;
  readonly errorMs: number;
}

/** Of so many answers the quickest is believed: it had the least time in which to be wrong. */
const ASKED = 9;

/** One asking: when, when it was answered, and what the other clock said; ms. */
export interface Asked {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly theirs: number;
}

/** The offset that the quickest answer gives: it was read between question and answer, half of that is the error. Pure. */
export function offsetOf(all: readonly Asked[]): Offset {
  const [quickest] = all.toSorted((one, other) => one.answeredAt - one.sentAt - (other.answeredAt - other.sentAt));
  if (!quickest) return { offsetMs: 0, errorMs: Infinity };
  const { sentAt, answeredAt, theirs } = quickest;
  return { offsetMs: theirs - (sentAt + answeredAt) / 2, errorMs: (answeredAt - sentAt) / 2 };
}

/** How far Redis' own clock is ahead of this machine's. */
export async function askOffset(redis: Redis): Promise<Offset> {
  const all: Asked[] = [];
  for (let count = 0; count < ASKED; count += 1) {
    const sentAt = now();
    const [seconds, micros] = await redis.time();
    all.push({ sentAt, answeredAt: now(), theirs: Number(seconds) * 1000 + Number(micros) / 1000 });
  }
  return offsetOf(all);
}
