import { operationNames } from '../../base/interface/names.js';
import type { OperationName } from '../../base/interface/types.js';
import type { Sample } from './sample.js';
import type { Figures } from './bounds.js';
import { START } from '../../testing/limiters/free-key.js';
import type { MakeLimiter } from '../../testing/limiters/limiters.js';
import { randomFrom } from '../../base/kernel/random.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';

export interface Around {
  readonly seed: number;
  readonly perMinute: number;
  readonly minuteSeconds: number;
  /** Time between two requests, ms. */
  readonly paceMs: number;
  readonly grainMs: number;
  /** Requests with the key by a run that ended up to a window earlier. */
  readonly usedBefore: number;
  readonly errorsCount: boolean;
  /** Share of requests that get a 429 or have no key. */
  readonly noise: number;
}

/** A limiter's headers, and the requests that it counts. */
export interface Manner {
  readonly limit?: (figures: Figures, place: number) => number;
  readonly remaining?: (left: number, figures: Figures, place: number) => number;
  readonly isCounted?: (operation: OperationName, place: number) => boolean;
  readonly isExclusive?: boolean;
}

const REQUESTS = 60;

/** Generates traffic of suites: creations, listings, fetches, some refused, some without a key, a few pauses. */
export function traffic(make: MakeLimiter, around: Around, manner: Manner = {}) {
  const { seed, perMinute, minuteSeconds, paceMs, grainMs, errorsCount, noise } = around;
  const random = randomFrom(seed);
  const figures: Figures = {
    perMinute,
    perDay: perMinute * 100,
    minuteSeconds,
    daySeconds: 1440 * minuteSeconds,
  };
  const limiter = make(perMinute, minuteSeconds * 1000, random() * minuteSeconds * 1000);
  const at = (time: number): number => (grainMs === 0 ? time : Math.floor(time / grainMs) * grainMs);
  let time = START;
  for (let used = 0; used < around.usedBefore; used += 1) limiter(at((time += random() * 20)));
  time += around.usedBefore === 0 ? 0 : random() * minuteSeconds * 1000;
  let told = { remaining: perMinute, resetAt: time };
  const requests = Array.from({ length: REQUESTS }, (_, place): Sample => {
    const sentAt = time;
    const arrivesAt = sentAt + random() * paceMs;
    const answeredAt = arrivesAt + random() * paceMs;
    time = answeredAt + (random() < 0.03 ? random() * 2000 : 0.1);
    const operation = operationNames[place === 0 ? 0 : Math.floor(random() * 3)] ?? 'listPets';
    const withoutKey = place > 0 && random() < noise;
    if (withoutKey)
      return sampleWith({
        sentAt,
        answeredAt,
        operation,
        status: 0,
        limit: null,
        remaining: null,
        reset: null,
      });
    const isError = place > 0 && random() < noise;
    const isCounted = (!isError || errorsCount) && (manner.isCounted?.(operation, place) ?? true);
    const decision = isCounted ? limiter(at(arrivesAt)) : null;
    told = decision ?? told;
    const refused = decision !== null && !decision.served;
    return sampleWith({
      sentAt,
      answeredAt,
      operation,
      status: refused ? 429 : isError ? 400 : operation === 'createPet' ? 201 : 200,
      limit: manner.limit?.(figures, place) ?? perMinute,
      remaining: manner.remaining?.(told.remaining, figures, place) ?? told.remaining,
      reset: Math.ceil(told.resetAt / 1000),
      date: Math.floor(arrivesAt / 1000) * 1000,
      retryAfter: refused ? '1' : null,
    });
  });
  return { key: 'free' as const, figures, exclusive: manner.isExclusive ?? true, requests };
}
