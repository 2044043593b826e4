import { decoded, encoded, newHistogram, percentilesOf, recordMs, sumOf } from '../log/histogram.js';
import type { JourneyRecord } from '../log/capacity-record.js';
import type { Journey } from '../wire/scenario/scenario.js';
import { grouped } from '../base/kernel/format.js';
import { sum } from './figures.js';

export type JourneyTally = ReturnType<typeof newJourneyTally>;

/** Counts the journeys of one kind in one phase. Times in ms. */
export function newJourneyTally({ name, steps }: Journey) {
  let [started, finished, notShown] = [0, 0, 0];
  const latency = newHistogram();
  const ofSteps = steps.map(({ operation }) => ({ operation, latency: newHistogram() }));
  return {
    started(): void {
      started += 1;
    },
    /** Notes a response to a step, by its latency from the intended time of the step. */
    answered(place: number, ms: number): void {
      const step = ofSteps[place];
      if (step) recordMs(step.latency, ms);
    },
    /** Notes a journey whose listing did not show the animal in all its tries. */
    notShown(): void {
      notShown += 1;
    },
    /** Notes the end of a whole journey, by its time from the intended start. */
    finished(ms: number): void {
      finished += 1;
      recordMs(latency, ms);
    },
    record: (): JourneyRecord => ({
      journey: name,
      started,
      finished,
      notShown,
      latency: encoded(latency),
      steps: ofSteps.map((step) => ({ operation: step.operation, latency: encoded(step.latency) })),
    }),
  };
}

/** Merges the journeys of parts: adds counts and histograms. Pure. */
export const mergeJourneys = (records: readonly JourneyRecord[]): readonly JourneyRecord[] =>
  [...grouped(records, ({ journey }) => journey)].map(([journey, all]) => ({
    journey,
    started: sum(all, ({ started }) => started),
    finished: sum(all, ({ finished }) => finished),
    notShown: sum(all, ({ notShown }) => notShown),
    latency: encoded(sumOf(all.map(({ latency }) => decoded(latency)))),
    steps: (all[0]?.steps ?? []).map(({ operation }, place) => ({
      operation,
      latency: encoded(sumOf(all.flatMap(({ steps }) => (steps[place] ? [decoded(steps[place].latency)] : [])))),
    })),
  }));

/** Returns the results of journeys. Pure. */
export const journeysOf = (records: readonly JourneyRecord[]) =>
  records.map(({ journey, started, finished, notShown, latency, steps }) => ({
    journey,
    started,
    finished,
    notShown,
    /** From the intended start to the last byte of the last response, with the time to think. */
    latencyMs: percentilesOf(decoded(latency)),
    steps: steps.map((step) => {
      const times = decoded(step.latency);
      return { operation: step.operation, answered: times.totalCount, latencyMs: percentilesOf(times) };
    }),
  }));
