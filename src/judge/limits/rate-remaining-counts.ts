import { blocked, kept, outOfScope, unestablished, untried, violated, type Judged } from '../findings/finding.js';
import { mayHaveRefilled, minuteMs, type Figures } from './bounds.js';
import { mostAtOnce } from './clumps.js';
import { plainInteger } from './headers/header-number.js';
import { waitOf } from './headers/retry-after.js';
import { count, counted, duration } from '../../base/kernel/format.js';
import { subject } from './series.js';
import { windowsSeen } from './windows-seen.js';
import {
  bySending,
  describesDay,
  describesMinute,
  leftsOf,
  lone,
  mayHaveSlid,
  wasRefused,
  wasServed,
  type Sample,
} from './sample.js';
import { otherUseText } from './other-use.js';
import { remainingOfDay } from './day-remaining.js';
import type { KeyReading } from './reading.js';
import {
  isTooFast,
  isTooSlow,
  isUncounting,
  miscounted,
  movesOver,
  promiseBroken,
  type Movement,
} from './remaining-moves.js';

/** Remaining just before a 429 to a client without concurrent requests; null if it was 0 or unknown. */
function brokenPromise(samples: readonly Sample[], figures: Figures): number | null {
  const ordered = bySending(samples);
  const at = ordered.findIndex(wasRefused);
  const [refusal, before] = [ordered[at], ordered[at - 1]];
  if (refusal === undefined || before === undefined || !wasServed(before)) return null;
  if (ordered.slice(0, at).some(({ answeredAt }) => answeredAt > refusal.sentAt)) return null;
  // A request sent slightly later may have arrived first and used the last one.
  if (ordered.slice(at + 1).some(({ sentAt }) => sentAt < refusal.answeredAt)) return null;
  const namesWindow = plainInteger(refusal.limit) !== null;
  const otherWindow = namesWindow && describesDay(refusal, figures) !== describesDay(before, figures);
  // Of concurrent requests, the last one sent need not be the last one to arrive.
  const beside = ordered.slice(0, at).filter(({ answeredAt }) => answeredAt > before.sentAt);
  const left = Math.min(...beside.map(({ remaining }) => plainInteger(remaining) ?? 0));
  return !otherWindow && left >= 1 ? left : null;
}

/** Slack: a part of a request may be rounded up to one. */
const ROUNDED_UP = 1;

/**
 * First 429 of the minute to a client without concurrent requests; null without one. The wait identifies a day's 429
 * that carries the minute's headers.
 */
function refusalOfMinute(samples: readonly Sample[], figures: Figures): Sample | null {
  const ordered = bySending(samples);
  const alone = new Set(lone(ordered));
  const refusal = ordered.find((sample) => wasRefused(sample) && alone.has(sample));
  const speaks = refusal !== undefined && describesMinute(refusal, figures);
  return speaks && (waitOf(refusal) ?? 0) <= 2 * minuteMs(figures) ? refusal : null;
}

const TO_THE_LAST = untried('X-RateLimit-Remaining on a 429 (no isolated 429 seen)');

/** Judges `rate-remaining-counts`: on an exclusive key, Remaining falls by one a request. */
export function remainingCounts(reading: KeyReading): Judged {
  return [ofMinute(reading), remainingOfDay(reading.key)];
}

function ofMinute(reading: KeyReading): Judged {
  const { key, figures, burst, exclusive } = reading.key;
  const name = subject(key);
  if (!exclusive) return outOfScope('keys-shared', `${name}'s key has other users, whose requests count too.`);
  if (burst === null) return unestablished('too-little-data', `${name} sent too few requests.`);
  if (reading.isMalformed)
    return blocked('rate-headers-wellformed', 'X-RateLimit-Remaining is malformed, so its count cannot be checked.');
  const { samples, moves, answers } = reading.moves;
  const uncounting = moves.find(isUncounting);
  if (uncounting !== undefined) {
    const { gain, elapsedMs } = uncounting;
    return violated([], `${name}'s Remaining does not count its requests.`, {
      expected: `at most ${counted(gain.most, 'request')} back in ${duration(elapsedMs)}`,
      actual: `Remaining shows ${count(gain.shown)} that came back or were not counted`,
      measured: { most: gain.most, got: gain.shown, what: ['uncounted'] },
    });
  }
  if (reading.otherUse !== null) return unestablished('rate-limited', `${name}: ${otherUseText(reading.otherUse)}.`);
  const wrong = moves.find((move) => isTooFast(move) || isTooSlow(move));
  if (wrong !== undefined) return miscounted(name, wrong);
  const promised = brokenPromise(samples, figures);
  if (promised !== null) return promiseBroken(name, promised);
  const refusal = refusalOfMinute(samples, figures);
  const left = plainInteger(refusal?.remaining ?? null) ?? 0;
  if (left > ROUNDED_UP)
    return violated([], `${name} gets 429 with requests left.`, {
      expected: '429 with X-RateLimit-Remaining: 0',
      actual: `429 with X-RateLimit-Remaining: ${count(left)}`,
      measured: { status: 429, most: 0, got: left },
    });
  const stuck = stuckInParallel(reading);
  if (stuck !== undefined) return miscounted(name, stuck);
  const again = repeatedInParallel(reading);
  if (again !== null)
    return violated([], `${name}'s Remaining does not count its requests.`, {
      expected: `at most ${again.most} of ${counted(again.of, 'response')} with a Remaining no lower than an earlier one`,
      actual: `${count(again.repeated)} of ${again.of}, as from two counters`,
      measured: { most: again.most, got: again.repeated, what: ['repeated'] },
    });
  if (reading.miscount === 'may-be') {
    const why = 'fell too slowly, unless requests from before the run came back just then';
    return unestablished('too-little-data', `${name}'s Remaining ${why}.`);
  }
  if (answers === 0)
    return unestablished('headers-missing', `${name} got too few readable X-RateLimit-Remaining values.`);
  const found = kept([], `Remaining counted correctly over ${counted(answers, 'response')}.`);
  return refusal === null ? [found, TO_THE_LAST] : [found];
}

/** Finds parallel requests at which Remaining hardly moved; null if it did. */
function stuckInParallel({ key, past, comesBack }: KeyReading): Movement | undefined {
  const { burst, concurrent } = key;
  if (concurrent === null) return undefined;
  const before = [...(burst?.samples ?? []), ...past.filter((sample) => !concurrent.samples.includes(sample))];
  return movesOver(key, concurrent.samples, before, comesBack.clump, concurrent.connections).moves.find(isTooSlow);
}

/** Values of slack: a part of a request may be rounded up at either end. */
const ROUNDED_TWICE = 2;

/**
 * Finds parallel requests whose Remaining was no lower than that of requests answered before they were sent; null if no more
 * than came back. One counter gives each value once in a window, so each such response needs a refill.
 */
function repeatedInParallel({ key, past, comesBack }: KeyReading) {
  const { figures, burst, concurrent } = key;
  const served = bySending(concurrent?.samples ?? []).filter(wasServed);
  for (const { samples, slack } of windowsSeen(served, figures).pieces) {
    const lefts = leftsOf(samples, figures);
    const [first, last] = [samples[0], samples.at(-1)];
    if (first === undefined || last === undefined) continue;
    const answered = lefts.toSorted((one, other) => one.sample.answeredAt - other.sample.answeredAt);
    let [place, lowest, repeated] = [0, Infinity, 0];
    for (const { sample, left } of lefts) {
      for (
        let one = answered[place];
        one !== undefined && one.sample.answeredAt <= sample.sentAt;
        one = answered[place]
      ) {
        lowest = Math.min(lowest, one.left);
        place += 1;
      }
      if (left >= lowest && left > 0) repeated += 1;
    }
    const slid = mayHaveSlid([...(burst?.samples ?? []), ...past], figures, first.sentAt, last.answeredAt).length;
    const back = mayHaveRefilled(figures, last.answeredAt - first.sentAt) + slid + mostAtOnce(comesBack.clump);
    const most = Math.ceil(back + slack + ROUNDED_TWICE);
    if (repeated > most) return { repeated, most, of: lefts.length };
  }
  return null;
}
