import type { OperationName } from '../../base/interface/types.js';
import type { ProfileName } from '../../base/interface/names.js';
import { leftBy, wasRefused, wasServed, type Sample } from '../../judge/limits/sample.js';
import { OWN_PROBES, type Figures } from '../../judge/limits/bounds.js';
import type { SeriesEnd } from '../../judge/limits/series.js';
import { collector, type Collector, type KeySession, type ParallelRequests } from '../load/key-session.js';
import { latencyOf } from './bursting/pace.js';
import type { Lab } from '../load/lab.js';

/** Is true for a sample that ends a burst: any but a success. */
export const isOver = (sample: Sample): boolean => !wasServed(sample);

/**
 * True for the first of two samples of a request that was sent again, with the same times; the second
 * decides.
 */
const wasSentAgain = ({ status, sentAt, answeredAt }: Sample, next: Sample | undefined): boolean =>
  status === 0 && next?.sentAt === sentAt && next.answeredAt === answeredAt;

/** Returns the first sample that ends a series; undefined if all succeeded in the end. */
const firstOver = (samples: readonly Sample[]): Sample | undefined =>
  samples.find((sample, index) => isOver(sample) && !wasSentAgain(sample, samples[index + 1]));

/** Returns how a series ended. */
export function endOf(samples: readonly Sample[], signal: AbortSignal, otherwise: SeriesEnd): SeriesEnd {
  // Of concurrent requests, the last one sent need not have ended it.
  const over = firstOver(samples);
  if (over === undefined) return signal.aborted ? 'interrupted' : otherwise;
  if (samples.some(wasRefused)) return 'refused';
  if (signal.aborted) return 'interrupted';
  return over.status === 0 ? 'transport' : 'unexpected-status';
}

/**
 * Describes a fault that ended some requests before their allowance was used up: "500 on 2" or "no response
 * on 1"; null without. At the limit a fault may stand in place of 429.
 */
export function faultIn(samples: readonly Sample[], figures: Figures): string | null {
  const over = firstOver(samples);
  if (over === undefined || (over.status !== 0 && over.status < 500)) return null;
  const before = samples.slice(0, samples.indexOf(over)).filter(wasServed);
  if (before.length >= figures.perMinute - OWN_PROBES || leftBy(before.at(-1), figures) === 0) return null;
  const alike = samples.filter(({ status }) => status === over.status).length;
  return `${over.status === 0 ? 'no response' : over.status} on ${alike}`;
}

/** Returns a collector whose responses get the passive checks until the limit is used up: then others apply. */
export function sinkOf(profile: ProfileName, figures: Figures): Collector {
  const kept: Collector = collector(profile, {
    isPassive: () => {
      const { samples } = kept;
      return (
        samples.length < figures.perMinute &&
        leftBy(samples.at(-1), figures) !== 0 &&
        !samples.some(wasRefused)
      );
    },
  });
  return kept;
}

/** Ends the work of a series that is over. */
class SeriesOver extends Error {
  override name = 'SeriesOver';
}

interface Flow extends Omit<ParallelRequests, 'stopsAt'> {
  readonly answered?: (sample: Sample) => void;
}

/** One key's requests of an experiment, up to the first that is not allowed. */
export type OpenSeries = ReturnType<typeof openSeries>;

/**
 * Opens a series. It is over with the first response that is no success, and when the run is interrupted.
 * Then its work ends at what it would send or await next, and so needs no look at each response.
 *
 * @param burst samples that show the latency; those of the series itself by default
 */
export function openSeries(profile: ProfileName, session: KeySession, lab: Lab, burst?: readonly Sample[]) {
  const { figures } = session;
  const sink = sinkOf(profile, figures);
  const { samples } = sink;
  let windowFrom = 0;
  const isEnded = (): boolean => lab.signal.aborted || firstOver(samples) !== undefined;
  const mustGoOn = (answers: readonly Sample[] = []): void => {
    if (lab.signal.aborted || firstOver(answers) !== undefined) throw new SeriesOver();
  };
  return {
    session,
    lab,
    sink,
    samples,
    isEnded,
    latencyMs: (): number => latencyOf(burst ?? samples, figures),
    /** Returns the samples since the start of the window that the series is to use up. */
    inWindow: (): readonly Sample[] => samples.slice(windowFrom),
    /** Names the place of the first sample in a later window. */
    beginWindow: (place: number): void => void (windowFrom = place),
    /** Sends a request; returns only if it is allowed. */
    async ask(operation: OperationName): Promise<Sample> {
      mustGoOn();
      const sample = await session.ask(operation, sink);
      mustGoOn([sample]);
      return sample;
    },
    /** Sends parallel requests; returns only if all are allowed. `answered` receives each response. */
    async askInParallel({ answered, ...requests }: Flow): Promise<void> {
      mustGoOn();
      const stopsAt = (sample: Sample): boolean => {
        answered?.(sample);
        return isOver(sample);
      };
      mustGoOn(await session.inParallel({ ...requests, stopsAt }, sink));
    },
    /** Awaits a pause; returns only if it was not interrupted. */
    async waited(pause: Promise<boolean>): Promise<void> {
      if (!(await pause)) throw new SeriesOver();
    },
    /** Ends the work because more requests would show no more. */
    stop(): never {
      throw new SeriesOver();
    },
    /** Does the work of the series until it is over. */
    async untilOver(work: () => Promise<void>): Promise<void> {
      if (isEnded()) return;
      try {
        await work();
      } catch (error) {
        if (!(error instanceof SeriesOver)) throw error;
      }
    },
    end: (): SeriesEnd => endOf(samples, lab.signal, 'ceiling'),
  };
}
