import { decoded, encoded, newHistogram, percentilesOf, recordMs, sumOfTexts } from '../log/histogram.js';
import type { JourneyRecord, SecondOfJourney } from '../log/capacity-record.js';
import type { Journey } from '../wire/scenario/scenario.js';
import { grouped } from '../base/kernel/format.js';
import { sum, timesOfSecond } from './figures.js';
import type { JourneyBlocks } from './blocks.js';

export type JourneyTally = ReturnType<typeof newJourneyTally>;

/** Counts the journeys of one kind in one phase. Times in ms. */
export function newJourneyTally({ name, steps }: Journey) {
  let [started, finished, notShown] = [0, 0, 0];
  const latency = newHistogram();
  const ofSteps = steps.map(({ operation }) => ({ operation, served: 0, latency: newHistogram() }));
  return {
    started(): void {
      started += 1;
    },
    /** Notes a response to a step, by its latency from the intended time of the step. */
    answered(place: number, ms: number, isServed: boolean): void {
      const step = ofSteps[place];
      if (!step) return;
      recordMs(step.latency, ms);
      if (isServed) step.served += 1;
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
    /** Returns the result of a second, and starts the next; `isPart` as for `timesOfSecond`. */
    takeSecond(isPart: boolean): SecondOfJourney {
      const second = {
        journey: name,
        finished,
        ...timesOfSecond(latency, isPart),
        steps: ofSteps.map((step) => ({
          operation: step.operation,
          served: step.served,
          ...timesOfSecond(step.latency, isPart),
        })),
      };
      finished = 0;
      latency.reset();
      for (const step of ofSteps) {
        step.served = 0;
        step.latency.reset();
      }
      return second;
    },
  };
}

/** What a journey reports while it goes on. */
export type JourneyEvents = Pick<JourneyTally, 'answered' | 'notShown' | 'finished'>;

/** Reports to both. */
export const bothEvents = (one: JourneyEvents, other: JourneyEvents): JourneyEvents => ({
  answered(place, ms, isServed) {
    one.answered(place, ms, isServed);
    other.answered(place, ms, isServed);
  },
  notShown() {
    one.notShown();
    other.notShown();
  },
  finished(ms) {
    one.finished(ms);
    other.finished(ms);
  },
});

/** Merges the seconds of parts: adds counts and histograms. Pure. */
export const mergeJourneySeconds = (seconds: readonly SecondOfJourney[]): readonly SecondOfJourney[] =>
  [...grouped(seconds, ({ journey }) => journey)].map(([journey, all]) => ({
    journey,
    finished: sum(all, ({ finished }) => finished),
    ...timesOfSecond(latencyOf(all)),
    steps: (all[0]?.steps ?? []).map(({ operation }, place) => {
      const same = all.flatMap(({ steps }) => steps[place] ?? []);
      return { operation, served: sum(same, ({ served }) => served), ...timesOfSecond(latencyOf(same)) };
    }),
  }));

const latencyOf = (all: readonly { readonly latency?: string | undefined }[]) =>
  sumOfTexts(all.map(({ latency }) => latency));

/** Merges the journeys of parts: adds counts and histograms. Pure. */
export const mergeJourneys = (records: readonly JourneyRecord[]): readonly JourneyRecord[] =>
  [...grouped(records, ({ journey }) => journey)].map(([journey, all]) => ({
    journey,
    started: sum(all, ({ started }) => started),
    finished: sum(all, ({ finished }) => finished),
    notShown: sum(all, ({ notShown }) => notShown),
    latency: encoded(latencyOf(all)),
    steps: (all[0]?.steps ?? []).map(({ operation }, place) => ({
      operation,
      latency: encoded(sumOfTexts(all.map(({ steps }) => steps[place]?.latency))),
    })),
  }));

/** Returns the results of journeys, with their blocks where they have some. Pure. */
export const journeysOf = (records: readonly JourneyRecord[], blocks: ReadonlyMap<string, JourneyBlocks> = new Map()) =>
  records.map(({ journey, started, finished, notShown, latency, steps }) => {
    const own = blocks.get(journey);
    return {
      journey,
      ...(own && { blocks: own.whole }),
      started,
      finished,
      notShown,
      latencyMs: percentilesOf(decoded(latency)),
      steps: steps.map((step, place) => {
        const times = decoded(step.latency);
        const ofStep = own?.steps[place];
        return {
          operation: step.operation,
          ...(ofStep && { blocks: ofStep }),
          answered: times.totalCount,
          latencyMs: percentilesOf(times),
        };
      }),
    };
  });
