import type { Finding } from '../../checks/finding.js';
import type { OperationName } from '../../contract/types.js';
import { speaksOfDay, wasRefused, wasServed } from '../answers.js';
import { FINE_GRAIN_MS, minuteMs, mostInAnySpan, mostInOneWindow, refillIntervalMs, worstSpan } from '../bounds.js';
import { plainInteger } from '../header-number.js';
import { limiterGrain } from '../limiter-grain.js';
import { nothingRefills } from '../refill.js';
import type { Sample } from '../sample.js';
import { counted, duration, figure, inconclusive, kept, ordinal, subject, violated } from '../say.js';
import type { BurstSeries, Figures, KeyName, KeySeries } from '../series.js';
import { type WindowPiece, windowsSeen } from '../windows-seen.js';

const ROW = 'rate-429';

/** More served in a window than any sound limiter would: how many, of how many at most, and in what time. */
export interface OverServed {
  readonly served: number;
  readonly most: number;
  readonly elapsedMs: number;
  /** Why no more is allowed, where nothing refills. */
  readonly why: string | null;
}

/** What one window's piece exceeds its bound by; null where it keeps within it. */
function pieceOverServed({ samples, slack }: WindowPiece, figures: Figures, grainMs: number): OverServed | null {
  const served = samples.filter(wasServed);
  const worst = worstSpan(served, 1 / refillIntervalMs(figures));
  const [first, last] = [served[0], served.at(-1)];
  if (worst === null || first === undefined || last === undefined) return null;
  const elapsedMs = worst.to - worst.from;
  const most = mostInOneWindow(figures, elapsedMs, grainMs) + slack;
  if (worst.count > most) return { served: worst.count, most, elapsedMs, why: null };
  const proof = last.answeredAt - first.sentAt > minuteMs(figures) ? null : nothingRefills(served, figures);
  if (proof === null) return null;
  // What came back before the proof began, and after it ended, is not excluded by it.
  const before = proof.from === first ? 0 : proof.from.answeredAt - first.sentAt;
  const bound = mostInOneWindow(figures, before + last.answeredAt - proof.until) + slack;
  if (served.length <= bound) return null;
  const why = `nothing refills: Remaining fell by one at every answer while ${figure(proof.due)} requests should have come back`;
  return { served: served.length, most: bound, elapsedMs: last.answeredAt - first.sentAt, why };
}

/**
 * Whether more was served than the bound of part 8, read as in `floor(L + elapsed * L / W)`, and `L` where nothing
 * refills. `possible`: more than one window's worth was served, and whether a window rolled over cannot be seen.
 * @param grainMs how coarse the limiter's clock is (`limiterGrain`)
 */
export function overServed(
  samples: readonly Sample[],
  figures: Figures,
  grainMs: number,
): { readonly proven: OverServed | null; readonly possible: boolean } {
  const seen = windowsSeen(samples, figures);
  const found =
    seen.pieces.map((piece) => pieceOverServed(piece, figures, grainMs)).find((over) => over !== null) ?? null;
  if (found === null || seen.visible) return { proven: found, possible: false };
  const inTwo = mostInAnySpan(figures, found.elapsedMs);
  return found.served > inTwo
    ? { proven: { ...found, most: inTwo }, possible: false }
    : { proven: null, possible: true };
}

/** Requests of the operations that use the allowance. */
export const countedSamples = (samples: readonly Sample[], exempt: ReadonlySet<OperationName>): readonly Sample[] =>
  samples.filter(({ operation }) => !exempt.has(operation));

/** The first of several bursts, the first one first, in which more was served than allowed; null where none shows it. */
export function firstOverServed(
  bursts: readonly (readonly Sample[])[],
  figures: Figures,
  exempt: ReadonlySet<OperationName>,
): OverServed | null {
  const counted = bursts.map((samples) => countedSamples(samples, exempt));
  const grainMs = limiterGrain(counted[0] ?? [], figures).ms;
  return (
    counted.map((samples) => overServed(samples, figures, grainMs).proven).find((proven) => proven !== null) ?? null
  );
}

/** The plan's allowance was gone: by count, or by what the last answer before said. */
function wasUsedUp(samples: readonly Sample[], figures: Figures): boolean {
  const served = samples.filter(wasServed);
  const last = served.at(-1);
  return served.length >= figures.perMinute || (last !== undefined && plainInteger(last.remaining) === 0);
}

/** The breach of `rate-429` that was proven of one series. */
function servedTooMuch(key: KeyName, { served, most, elapsedMs, why }: OverServed): Finding {
  const because = why === null ? '' : ` (${why})`;
  return violated(
    ROW,
    `${subject(key)} gets more than its allowance.`,
    `at most ${counted(most, 'request')} served in ${duration(elapsedMs)}${because}`,
    `${counted(served, 'request')} served`,
  );
}

/**
 * `rate-429`: past the limit the answer is 429, and no more is served than the limit or its refill allows.
 * @param later bursts that came after the first, each of which has to keep within the bound as well
 */
export function refusesPastLimit(
  key: KeyName,
  burst: BurstSeries,
  later: readonly (readonly Sample[])[],
  figures: Figures,
  exempt: ReadonlySet<OperationName>,
): readonly Finding[] {
  const samples = countedSamples(burst.samples, exempt);
  const grain = limiterGrain(samples, figures);
  const { possible } = overServed(samples, figures, grain.ms);
  const over = firstOverServed([burst.samples, ...later], figures, exempt);
  if (over !== null) return [servedTooMuch(key, over)];
  const served = samples.filter(wasServed);
  const end = burst.samples.at(-1);
  if (end !== undefined && !wasServed(end) && !wasRefused(end) && end.status !== 0) {
    return [refusedOtherwise(key, samples, end, figures)];
  }
  const refusal = samples.find(wasRefused);
  if (refusal === undefined) {
    const asked = `${counted(served.length, 'request')} served and none refused`;
    return [
      inconclusive(ROW, burst.end === 'transport' ? 'transport' : 'too-little-data', `${subject(key)}: ${asked}.`),
    ];
  }
  if (possible) {
    return [
      inconclusive(
        ROW,
        'too-little-data',
        `${subject(key)} got ${figure(served.length)}, and no header tells whether a window rolled over.`,
      ),
    ];
  }
  if (!grain.isSeen && overServed(samples, figures, FINE_GRAIN_MS).proven !== null) {
    return [
      inconclusive(
        ROW,
        'too-little-data',
        `${subject(key)} got ${figure(served.length)}: one too many, or its clock began a new second just then.`,
      ),
    ];
  }
  if (speaksOfDay(refusal, figures) && served.length < figures.perMinute) {
    return [inconclusive(ROW, 'rate-limited', `${subject(key)} was refused by the day's limit before the minute's.`)];
  }
  return [kept(ROW, burstInWords(served.length, refusal, figures))];
}

/** A retry and a probe of the run's own may have used the same window. */
const OWN_PROBES = 3;

/** `rate-429`, where requests side by side used the allowance up and met another refusal than 429. */
export function refusedOtherwiseInParallel({ key, figures, concurrent }: KeySeries): readonly Finding[] {
  const samples = concurrent?.samples ?? [];
  const served = samples.filter(wasServed).length;
  const other = samples.find((sample) => !wasServed(sample) && sample.status !== 0);
  if (other === undefined || samples.some(wasRefused) || served + OWN_PROBES < figures.perMinute) return [];
  return [
    violated(
      ROW,
      `${subject(key)} is not refused with 429.`,
      `429 once the allowance of ${counted(figures.perMinute, 'request')} is gone`,
      `${other.status} after ${counted(served, 'request')} served side by side`,
    ),
  ];
}

/** "60 of 60 served, the 61st refused: 429 after 12 ms". */
const burstInWords = (served: number, refusal: Sample, figures: Figures): string =>
  `${figure(served)} of ${figure(figures.perMinute)} served, the ${ordinal(served + 1)} refused: 429 after ${duration(refusal.answeredAt - refusal.sentAt)}.`;

/** The burst ended with a status that is no answer of the operation: at the limit it stands in place of 429. */
function refusedOtherwise(key: KeyName, samples: readonly Sample[], end: Sample, figures: Figures): Finding {
  const served = samples.filter(wasServed).length;
  if (wasUsedUp(samples, figures)) {
    return violated(
      ROW,
      `${subject(key)} is not refused with 429.`,
      `429 once the allowance of ${counted(figures.perMinute, 'request')} is gone`,
      `${end.status} after ${counted(served, 'request')} served`,
    );
  }
  const what = `${end.status} after ${figure(served)} of ${figure(figures.perMinute)} requests`;
  return inconclusive(ROW, 'transport', `${subject(key)} was answered ${what}: the burst could not go on.`);
}
