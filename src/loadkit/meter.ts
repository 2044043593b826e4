import type { OperationName, PlanName } from '../base/interface/types.js';
import { encoded, newHistogram, percentileMs, recordMs, sumOf } from '../log/histogram.js';
import type { OperationRecord } from '../log/capacity-record.js';
import type { Counts } from '../log/load-shapes.js';
import type { Journey } from '../wire/scenario/journey-file.js';
import { causeCounts } from './causes.js';
import { newJourneyTally, type JourneyTally } from './journey-meter.js';
import type { TimedRequest } from '../wire/exchange/types.js';
import { eachTime, occurring, withoutFailed } from './figures.js';
import type { Seconds } from './seconds.js';
import { watchSilence } from './silence.js';

/** Reason why an arrival is not sent: too late, no free connection, or its key has to wait after a 429. */
export type Dropped = 'late' | 'full' | 'held';

/** Outcome of a response. `other` is a status code that its requirement does not allow, so a violation. */
export type Outcome = 'served' | 'refused' | 'error' | 'other';

/**
 * One counted response. Times in ms: from intended sending, from actual sending, and the least that the
 * server took. The last excludes stalls of this process.
 */
export interface Answered {
  readonly operation: OperationName;
  /** 0 without a complete response. */
  readonly status: number;
  readonly outcome: Outcome;
  readonly violates: boolean;
  /** True for a listing that lacks most of its animals. */
  readonly isShort: boolean;
  /** Earlier fetches that it shows to violate something. */
  readonly reveals: number;
  readonly latencyMs: number;
  readonly serviceMs: number;
  readonly leastMs: number;
  /** Reason for an incomplete response. */
  readonly cause?: string | undefined;
}

export interface FinishedRequest extends TimedRequest, Pick<Answered, 'outcome' | 'violates'> {
  readonly phase: string;
  readonly key: PlanName;
  /** Trace id of W3C Trace Context. In closed loop, equal requests share one. */
  readonly trace: string;
}

type Tally = ReturnType<typeof newTally>;

export const newTally = () =>
  ({
    sent: 0,
    served: 0,
    refused: 0,
    errors: 0,
    violations: 0,
    byStatus: {} as Record<string, number>,
  }) satisfies Counts;

/** Its sending is counted separately. */
export function count(tally: Tally, { status, outcome, violates }: Answered): void {
  const code = status === 0 ? 'none' : status;
  tally.byStatus[code] = (tally.byStatus[code] ?? 0) + 1;
  if (outcome === 'served') tally.served += 1;
  else if (outcome === 'refused') tally.refused += 1;
  else if (outcome === 'error') tally.errors += 1;
  if (violates) tally.violations += 1;
}

type Times = ReturnType<typeof newTimes>;
const newTimes = () => eachTime(newHistogram);

const encodedTimes = (times: Times) => eachTime((of) => encoded(times[of]));

const causesIn = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([cause, times]) => ({ cause, count: times }));

function recordTimes({ latency, service, least }: Times, answer: Answered): void {
  recordMs(latency, answer.latencyMs);
  recordMs(service, answer.serviceMs);
  recordMs(least, answer.leastMs);
}

/**
 * Counts and times of an operation. Times of what was not served are there again in `failed`; null before the
 * first.
 */
type Measured = Tally & Times & { failed: Times | null; inTime: number };

/** Counts and times of one phase, by operation. */
export class Meter {
  private readonly operations = new Map<OperationName, Measured>();
  private readonly byKey: Partial<Record<PlanName, number>> = {};
  private readonly causes = causeCounts();
  private readonly drops = { late: 0, full: 0, held: 0 };
  private repeats = 0;
  private shortPages = 0;
  private readonly unconnected = new Map<string, number>();
  private readonly journeys = new Map<string, JourneyTally>();
  private later = 0;
  readonly silence: ReturnType<typeof watchSilence>;

  /**
   * @param countsUntil time until which responses count for throughput, Unix ms
   * @param startAt start of the phase, Unix ms
   */
  constructor(
    readonly phase = '',
    readonly countsUntil = Infinity,
    startAt = 0,
  ) {
    this.silence = watchSilence(startAt);
  }

  private of(operation: OperationName): Measured {
    const known = this.operations.get(operation) ?? { ...newTally(), ...newTimes(), failed: null, inTime: 0 };
    this.operations.set(operation, known);
    return known;
  }

  /** Counts a successful response within the phase's time, to a request of any phase. */
  inTime(operation: OperationName): void {
    this.of(operation).inTime += 1;
  }

  /** Notes that a request was sent again, because it was lost with its connection. */
  again(): void {
    this.repeats += 1;
  }

  sent(operation: OperationName, key: PlanName): void {
    this.of(operation).sent += 1;
    this.byKey[key] = (this.byKey[key] ?? 0) + 1;
  }

  answered(answer: Answered): void {
    const own = this.of(answer.operation);
    count(own, answer);
    if (answer.reveals > 0) this.of('getPet').violations += answer.reveals;
    if (answer.isShort) this.shortPages += 1;
    recordTimes(own, answer);
    if (answer.outcome !== 'served') recordTimes((own.failed ??= newTimes()), answer);
    if (answer.cause !== undefined) this.causes.add(answer.cause);
  }

  dropped(why: Dropped): void {
    this.drops[why] += 1;
  }

  /** Returns the tally of a journey, which notes each time in its second, too. */
  journey(journey: Journey, seconds: Seconds): JourneyTally {
    const tally =
      this.journeys.get(journey.name) ?? newJourneyTally(journey, (...time) => seconds.timed(...time));
    this.journeys.set(journey.name, tally);
    return tally;
  }

  /** Counts a later request of a journey, which no schedule has. */
  followed(): void {
    this.later += 1;
  }

  takenBack(operation: OperationName, key: PlanName): void {
    this.of(operation).sent -= 1;
    this.byKey[key] = (this.byKey[key] ?? 0) - 1;
  }

  /** Counts a request that this machine could not connect for. */
  exhausted(cause: string): void {
    this.drops.late += 1;
    this.unconnected.set(cause, (this.unconnected.get(cause) ?? 0) + 1);
  }

  totals() {
    const { drops, repeats, shortPages, later, journeys, unconnected, byKey, operations } = this;
    const causes = this.causes.all();
    return {
      droppedLate: drops.late,
      droppedFull: drops.full,
      ...occurring({
        droppedHeld: drops.held,
        again: repeats,
        shortPages,
        followed: later,
        journeys: [...journeys.values()].map((tally) => tally.record()),
        exhausted: causesIn(unconnected),
        causes,
      }),
      byKey,
      operations: [...operations].map(
        ([operation, { latency, service, least, failed, ...tally }]): OperationRecord => ({
          operation,
          ...tally,
          ...encodedTimes({ latency, service, least }),
          ...(failed && { failed: encodedTimes(failed) }),
        }),
      ),
    };
  }

  /** Returns the median latency so far, ms; null without a served one. */
  medianMs(): number | null {
    const all = [...this.operations.values()];
    const answered = withoutFailed({
      latency: sumOf(all.map(({ latency }) => latency)),
      failed: sumOf(all.flatMap((one) => one.failed?.latency ?? [])),
    });
    return answered.totalCount === 0 ? null : percentileMs(answered, 'p50');
  }
}
