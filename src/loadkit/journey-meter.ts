import { decoded, encoded, newHistogram, recordMs, sumOfTexts } from '../log/histogram.js';
import type { JourneyRecord } from '../log/capacity-record.js';
import type { Journey } from '../wire/scenario/journey-file.js';
import { grouped, sum } from '../base/kernel/format.js';
import type { Blocks } from './capacity-shape.js';
import { percentilesIn, textsOfTimes, timesOfTexts } from './figures.js';
import { LATENCIES } from '../wire/scenario/threshold.js';
import type { Subject } from './subjects.js';

export type JourneyTally = ReturnType<typeof newJourneyTally>;

/**
 * Counts the journeys of one kind in one phase. Times in ms.
 *
 * @param timed notes each time in its second
 */
export function newJourneyTally(
  { name, steps }: Journey,
  timed: (subject: Subject, ms: number, isServed: boolean) => void = () => undefined,
) {
  let [started, finished, notShown] = [0, 0, 0];
  const latency = newHistogram();
  const ofSteps = steps.map(({ operation }) => ({
    operation,
    latency: newHistogram(),
    failed: newHistogram(),
  }));
  const operation = steps[0]?.operation ?? 'listPets';
  return {
    started(): void {
      started += 1;
    },
    /** Notes a response to a step, by its latency from the intended time of the step. */
    answered(place: number, ms: number, isServed: boolean): void {
      const step = ofSteps[place];
      if (!step) return;
      recordMs(step.latency, ms);
      if (!isServed) recordMs(step.failed, ms);
      timed({ operation: step.operation, journey: name, step: place + 1 }, ms, isServed);
    },
    /** Notes a journey whose listing did not show the animal in all its tries. */
    notShown(): void {
      notShown += 1;
    },
    /** Notes the end of a whole journey, by its time from the intended start. */
    finished(ms: number): void {
      finished += 1;
      recordMs(latency, ms);
      timed({ operation, journey: name }, ms, true);
    },
    record: (): JourneyRecord => ({
      journey: name,
      started,
      finished,
      notShown,
      latency: encoded(latency),
      steps: ofSteps.map(({ operation: asked, ...times }) => ({ operation: asked, ...textsOfTimes(times) })),
    }),
  };
}

export const mergeJourneys = (records: readonly JourneyRecord[]): readonly JourneyRecord[] =>
  [...grouped(records, ({ journey }) => journey)].map(([journey, all]) => ({
    journey,
    started: sum(all, ({ started }) => started),
    finished: sum(all, ({ finished }) => finished),
    notShown: sum(all, ({ notShown }) => notShown),
    latency: encoded(sumOfTexts(all.map(({ latency }) => latency))),
    steps: (all[0]?.steps ?? []).map(({ operation }, place) => ({
      operation,
      ...textsOfTimes(timesOfTexts(all.map(({ steps }) => steps[place] ?? {}))),
    })),
  }));

export const journeysOf = (
  records: readonly JourneyRecord[],
  blocksOf: (subject: Subject) => Blocks | undefined = () => undefined,
) =>
  records.map(({ journey, started, finished, notShown, latency, steps }) => {
    const [{ operation } = { operation: 'listPets' as const }] = steps;
    const blocks = blocksOf({ operation, journey });
    return {
      journey,
      ...(blocks && { blocks }),
      started,
      finished,
      notShown,
      latencyMs: percentilesIn({ latency: decoded(latency), failed: newHistogram() }, LATENCIES),
      steps: steps.map((step, place) => {
        const times = timesOfTexts([step]);
        // A single step is the journey.
        const ofStep = steps.length > 1 && blocksOf({ operation: step.operation, journey, step: place + 1 });
        return {
          operation: step.operation,
          ...(ofStep && { blocks: ofStep }),
          answered: times.latency.totalCount,
          latencyMs: percentilesIn(times, LATENCIES),
        };
      }),
    };
  });
