import { kept, unestablished, violated, type Judged, type ReasonCode } from '../findings/finding.js';
import { allowedIn } from './allowed-words.js';
import { plainInteger } from '../../base/interface/rate-headers.js';
import { subject, type KeySeries } from './series.js';
import { count, counted, duration } from '../../base/kernel/format.js';
import { inAnySpan } from './window-breach.js';
import type { OverServed } from './over-served.js';
import {
  describesDay,
  describesMinute,
  isPlanAnswer,
  lastAnswerOf,
  servedIn,
  wasRefused,
  wasServed,
  type Sample,
} from './sample.js';
import type { KeyName } from '../../base/interface/names.js';
import { minuteMs, OWN_PROBES, type Figures } from './bounds.js';
import { windowsSeen } from './windows-seen.js';
import type { KeyReading } from './reading.js';

/** True if the service itself may refuse such a request: it has allowed none like it. */
const mayBeOfTheService = (end: Sample, samples: readonly Sample[]): boolean =>
  isPlanAnswer(end) && !samples.some((other) => other.operation === end.operation && wasServed(other));

/** True if some header shows when a window ends or what is left of it. */
const showsWindow = (samples: readonly Sample[], figures: Figures): boolean =>
  samples.some((sample) => describesMinute(sample, figures));

/** True if the allowance is used up: by count, or by Remaining before the last response. */
function wasUsedUp(samples: readonly Sample[], figures: Figures): boolean {
  const served = samples.filter(wasServed);
  const last = served.at(-1);
  return served.length >= figures.perMinute || (last !== undefined && plainInteger(last.remaining) === 0);
}

function servedTooMuch(key: KeyName, { served, most, elapsedMs, why }: OverServed) {
  const because = why === null ? '' : ` (${why})`;
  return violated([], `${subject(key)} gets more than its allowance.`, {
    expected: `at most ${counted(most, 'request')} allowed in ${duration(elapsedMs)}${because}`,
    actual: `${counted(served, 'request')} allowed`,
    measured: { most, got: served },
  });
}

/**
 * Judges `rate-429`: past the limit the status code is 429, and no more is allowed than the limit or its
 * refill.
 */
export function refusesPastLimit(reading: KeyReading): Judged {
  return [sequentially(reading), inParallel(reading.key)];
}

function sequentially({ key: series, first: samples, servedBy, overfull, miscount }: KeyReading): Judged {
  const { key, figures, burst } = series;
  if (burst === null) return null;
  if (overfull !== null)
    return violated(
      [],
      `${subject(key)} gets more than any limiter of its plan allows.`,
      inAnySpan(overfull),
    );
  const tooMuch = servedBy.find(({ kind }) => kind === 'too-much');
  if (tooMuch !== undefined && 'over' in tooMuch) return servedTooMuch(key, tooMuch.over);
  const name = subject(key);
  const served = servedIn(samples);
  const { amount, besides } = allowedIn(burst.samples, series);
  const open = (code: ReasonCode, what: string): Judged => unestablished(code, `${name} ${what}.`);
  const end = samples.at(-1);
  // Below the plan, only Remaining shows that the limit was reached and that no request bypasses it.
  if (
    end !== undefined &&
    end.status !== 0 &&
    !wasServed(end) &&
    served < figures.perMinute &&
    miscount !== null
  )
    return open(
      'too-little-data',
      `got ${end.status} after ${amount}${besides}, which Remaining does not count`,
    );
  if (end !== undefined && end.status !== 0 && !wasServed(end) && !wasRefused(end)) {
    // At the limit, a status code that is no response of the operation replaces 429.
    if (wasUsedUp(samples, figures) && !mayBeOfTheService(end, samples))
      return refusedOtherwise(name, figures, end, served);
    const code = end.status >= 500 ? 'unavailable' : 'prerequisite';
    return open(code, `got ${end.status} after ${amount}${besides}, so the burst stopped`);
  }
  const refusal = samples.find(wasRefused);
  if (refusal === undefined) {
    const windows = windowsSeen(burst.samples, figures).pieces.length;
    if (burst.end === 'ceiling' && windows > 1)
      return open(
        'slow-responses',
        `got ${count(served)} requests in ${windows} windows, too slowly to use up one`,
      );
    const tookMs = lastAnswerOf(samples) - (samples[0]?.sentAt ?? 0);
    if (burst.end === 'ceiling' && tookMs > minuteMs(figures) && showsWindow(samples, figures))
      return open(
        'slow-responses',
        `got ${count(served)} requests in ${duration(tookMs)}, too slowly to use up what comes back meanwhile`,
      );
    const code =
      burst.end === 'transport'
        ? 'transport'
        : showsWindow(samples, figures)
          ? 'too-little-data'
          : 'headers-missing';
    return unestablished(code, `${name}: ${counted(served, 'request')} allowed, none refused.`);
  }
  if (servedBy[0]?.kind === 'window-unseen')
    return open(
      'headers-missing',
      `got ${count(served)} requests, and no header shows whether a new window began`,
    );
  const [doubt] = servedBy.flatMap((by) => (by.kind === 'in-doubt' ? [by.over] : []));
  if (doubt !== undefined)
    return open(
      'too-little-data',
      `got ${count(doubt.served)} requests: too many, unless a refill came just then`,
    );
  if (describesDay(refusal, figures) && served < figures.perMinute)
    return open('rate-limited', "reached the day's limit before the minute's");
  const took = duration(refusal.answeredAt - refusal.sentAt);
  return kept([], `${amount} allowed${besides}; the next one got 429 after ${took}.`);
}

/** Judges parallel requests that used up the allowance and got another refusal than 429. */
function inParallel({ key, figures, burst, concurrent }: KeySeries): Judged {
  const samples = concurrent?.samples ?? [];
  const served = servedIn(samples);
  const other = samples.find((sample) => !wasServed(sample) && sample.status !== 0);
  if (other === undefined || samples.some(wasRefused) || served + OWN_PROBES < figures.perMinute) return null;
  if (mayBeOfTheService(other, [...(burst?.samples ?? []), ...samples])) return null;
  return refusedOtherwise(subject(key), figures, other, served, ' in parallel');
}

const refusedOtherwise = (
  name: string,
  { perMinute }: Figures,
  { status }: Sample,
  served: number,
  how = '',
) =>
  violated([], `${name} does not get 429 at its limit.`, {
    expected: `429 once the allowance of ${counted(perMinute, 'request')} is used up`,
    actual: `${status} after ${counted(served, 'request')} allowed${how}`,
    measured: { status },
  });
