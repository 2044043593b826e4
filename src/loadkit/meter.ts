import type { OperationName, PlanName } from '../base/interface/types.js';
import { encoded, newHistogram, recordMs, sumOf } from '../log/histogram.js';
import type { OperationRecord } from '../log/capacity-record.js';
import type { Counts } from '../log/load-shapes.js';
import type { Journey } from '../wire/scenario/journey-file.js';
import { newJourneyTally, type JourneyTally } from './journey-meter.js';
import type { TimedRequest } from '../wire/exchange/types.js';
import {
  judgedPercentiles,
  percentilesOfSecond,
  textsOfTimes,
  timesOfSecond,
  type SecondTimes,
} from './figures.js';
import { watchSilence } from './silence.js';
import { subjectName, type Subject } from './subjects.js';

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

/** One finished request of a load run. */
export interface FinishedRequest extends TimedRequest, Pick<Answered, 'outcome' | 'violates'> {
  readonly phase: string;
  readonly key: PlanName;
  /** Trace id of W3C Trace Context. In closed loop, equal requests share one. */
  readonly trace: string;
}

type Tally = ReturnType<typeof newTally>;

const newTally = () =>
  ({
    sent: 0,
    served: 0,
    refused: 0,
    errors: 0,
    violations: 0,
    byStatus: {} as Record<string, number>,
  }) satisfies Counts;

/** Counts a response. Its sending is counted separately. */
function count(tally: Tally, { status, outcome, violates }: Answered): void {
  const code = status === 0 ? 'none' : status;
  tally.byStatus[code] = (tally.byStatus[code] ?? 0) + 1;
  if (outcome === 'served') tally.served += 1;
  else if (outcome === 'refused') tally.refused += 1;
  else if (outcome === 'error') tally.errors += 1;
  if (violates) tally.violations += 1;
}

const newTimes = () => ({ latency: newHistogram(), service: newHistogram(), least: newHistogram() });

function recordTimes({ latency, service, least }: ReturnType<typeof newTimes>, answer: Answered): void {
  recordMs(latency, answer.latencyMs);
  recordMs(service, answer.serviceMs);
  recordMs(least, answer.leastMs);
}

/** Counts and times of an operation. Times of errors are there again in `failed`; null before the first. */
type Measured = Tally &
  ReturnType<typeof newTimes> & { failed: ReturnType<typeof newTimes> | null; inTime: number };

/** Most different causes: a cause may quote the server, which can vary it. */
const MOST_CAUSES = 10;

/** Counts and times of one phase, by operation. */
export type Meter = ReturnType<typeof newMeter>;

/**
 * Returns an empty meter.
 *
 * @param countsUntil time until which responses count for throughput, Unix ms
 * @param startAt start of the phase, Unix ms
 */
export function newMeter(phase = '', countsUntil = Infinity, startAt = 0) {
  const operations = new Map<OperationName, Measured>();
  const byKey: Partial<Record<PlanName, number>> = {};
  const causes = new Map<string, number>();
  const dropped = { late: 0, full: 0, held: 0 };
  let again = 0;
  let shortPages = 0;
  const exhausted = new Map<string, number>();
  const journeys = new Map<string, JourneyTally>();
  let followed = 0;
  const of = (operation: OperationName): Measured => {
    const known = operations.get(operation) ?? { ...newTally(), ...newTimes(), failed: null, inTime: 0 };
    operations.set(operation, known);
    return known;
  };
  return {
    phase,
    countsUntil,
    /** When responses come, and whether they end. */
    silence: watchSilence(startAt),
    /** Counts a successful response within the phase's time, to a request of any phase. */
    inTime(operation: OperationName): void {
      of(operation).inTime += 1;
    },
    /** Notes that a request was sent again, because it was lost with its connection. */
    again(): void {
      again += 1;
    },
    sent(operation: OperationName, key: PlanName): void {
      of(operation).sent += 1;
      byKey[key] = (byKey[key] ?? 0) + 1;
    },
    answered(answer: Answered): void {
      const own = of(answer.operation);
      count(own, answer);
      if (answer.reveals > 0) of('getPet').violations += answer.reveals;
      if (answer.isShort) shortPages += 1;
      recordTimes(own, answer);
      if (answer.outcome === 'error') recordTimes((own.failed ??= newTimes()), answer);
      if (answer.cause !== undefined) {
        const cause = causes.has(answer.cause) || causes.size < MOST_CAUSES ? answer.cause : 'another cause';
        causes.set(cause, (causes.get(cause) ?? 0) + 1);
      }
    },
    dropped(why: Dropped): void {
      dropped[why] += 1;
    },
    /** Returns the tally of a journey, which notes each time in its second, too. */
    journey(journey: Journey, timed: Seconds['timed']): JourneyTally {
      const tally = journeys.get(journey.name) ?? newJourneyTally(journey, timed);
      journeys.set(journey.name, tally);
      return tally;
    },
    /** Counts a later request of a journey, which no schedule has. */
    followed(): void {
      followed += 1;
    },
    takenBack(operation: OperationName, key: PlanName): void {
      of(operation).sent -= 1;
      byKey[key] = (byKey[key] ?? 0) - 1;
    },
    /** Counts a request that this machine could not connect for. */
    exhausted(cause: string): void {
      dropped.late += 1;
      exhausted.set(cause, (exhausted.get(cause) ?? 0) + 1);
    },
    totals: () => ({
      droppedLate: dropped.late,
      droppedFull: dropped.full,
      ...(dropped.held > 0 && { droppedHeld: dropped.held }),
      ...(again > 0 && { again }),
      ...(shortPages > 0 && { shortPages }),
      ...(followed > 0 && { followed }),
      ...(journeys.size > 0 && { journeys: [...journeys.values()].map((tally) => tally.record()) }),
      ...(exhausted.size > 0 && {
        exhausted: [...exhausted].map(([cause, times]) => ({ cause, count: times })),
      }),
      ...(causes.size > 0 && { causes: [...causes].map(([cause, times]) => ({ cause, count: times })) }),
      byKey,
      operations: [...operations].map(
        ([operation, { latency, service, least, failed, ...tally }]): OperationRecord => ({
          operation,
          ...tally,
          latency: encoded(latency),
          service: encoded(service),
          least: encoded(least),
          ...(failed && {
            failed: {
              latency: encoded(failed.latency),
              service: encoded(failed.service),
              least: encoded(failed.least),
            },
          }),
        }),
      ),
    }),
    /** Returns the median latency so far, ms; null without a response that is no error. */
    medianMs: (): number | null => {
      const all = [...operations.values()];
      const failed = sumOf(all.flatMap((one) => one.failed?.latency ?? []));
      return judgedPercentiles({ latency: sumOf(all.map(({ latency }) => latency)), failed })('p50');
    },
  };
}

/** Counts and times of a run by second, across phases. */
export type Seconds = ReturnType<typeof newSeconds>;

/**
 * Returns an empty counter of seconds.
 *
 * @param isPart true if seconds of parts will be merged: percentiles cannot be
 */
export function newSeconds(isPart = false) {
  const series = new Map<string, SecondTimes & { readonly subject: Subject; served: number }>();
  const timed = (subject: Subject, ms: number, isServed: boolean, isError = !isServed): void => {
    const name = subjectName(subject);
    const own = series.get(name) ?? { subject, served: 0, latency: newHistogram(), failed: newHistogram() };
    series.set(name, own);
    if (isServed) own.served += 1;
    recordMs(own.latency, ms);
    if (isError) recordMs(own.failed, ms);
  };
  let now = newTally();
  let [intended, late, full, lateMs, underWay] = [0, 0, 0, 0, 0];
  return {
    sent(by: number): void {
      intended += 1;
      underWay += 1;
      now.sent += 1;
      if (by > lateMs) lateMs = by;
    },
    answered(answer: Answered): void {
      underWay -= 1;
      count(now, answer);
      now.violations += answer.reveals;
      const { operation, latencyMs, outcome } = answer;
      timed({ operation }, latencyMs, outcome === 'served', outcome === 'error');
    },
    /** Notes a time of a subject, ms: a response to a step of a journey, or the end of a whole journey. */
    timed,
    /** Notes a sent request that will get no response and counts as no error. */
    lost(): void {
      underWay -= 1;
    },
    /** Takes back a departure, perhaps of an earlier second. */
    takenBack(): void {
      now.sent = Math.max(0, now.sent - 1);
    },
    /** Notes a departed request for which this machine could not connect. */
    exhausted(): void {
      underWay -= 1;
      late += 1;
    },
    /** Notes a request without a connection. */
    unsent: (answer: Answered): void => count(now, answer),
    dropped(why: Dropped): void {
      intended += 1;
      if (why === 'late') late += 1;
      else full += 1;
    },
    /** Returns the second's result and starts the next second. */
    take() {
      const all = [...series.values()];
      // Requests of journeys count in their operations.
      const single = all.filter(({ subject }) => subject.journey === undefined);
      const times = {
        latency: sumOf(single.map(({ latency }) => latency)),
        failed: sumOf(single.map(({ failed }) => failed)),
      };
      const second = {
        ...now,
        intended,
        dropped: late + full,
        droppedLate: late,
        /** Most delay of a sent request, ms. */
        lateMs,
        ...percentilesOfSecond(times),
        ...(isPart && textsOfTimes(times)),
        operations: all.map((own) => ({
          ...own.subject,
          served: own.served,
          ...timesOfSecond(own, isPart),
        })),
      };
      now = newTally();
      for (const own of all) {
        own.served = 0;
        own.latency.reset();
        own.failed.reset();
      }
      [intended, late, full, lateMs] = [0, 0, 0, 0];
      return second;
    },
    underWay: (): number => underWay,
    /** Is true if nothing was due, sent or answered in the second so far. */
    isEmpty: (): boolean => intended === 0 && now.sent === 0 && Object.keys(now.byStatus).length === 0,
  };
}
