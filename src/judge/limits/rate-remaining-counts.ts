import { RATE_HEADERS } from '../../base/interface/rate-headers.js';
import { count, counted } from '../../base/kernel/format.js';
import { describesDay, isPlanAnswer, leftBy, leftOf, leftsOf, wasRefused, wasServed } from './sample.js';
import type { Asked } from './asked.js';
import { FEWEST, MANY, MISHAP, SLACK } from './bounds.js';
import { beyond, partsOf, promisedBy, countersIn } from './bursts.js';
import { firstRefusals } from './comebacks.js';
import { countedOverDay } from './counted-over-day.js';
import { dearFalls, fallsIn, type Fall } from './falls.js';
import type { KeyRun } from './key-run.js';
import { brokenPromise, loneRefusals } from './left-at-refusal.js';
import { dearText } from './miscounted.js';
import { severalIn } from './several-counters.js';
import { fault, held, open, seen, type Shown } from './shown.js';

/** Share of requests counted twice that shows: one in ten is three times as many. */
const COUNTED_TWICE_SHARE = 0.03;

interface Counted {
  readonly requests: number;
  readonly fall: number;
  /** Requests during that fall. */
  readonly falling: number;
  /** Is true if no window began inside the burst. */
  readonly isWhole: boolean;
  readonly promised: number;
  /** Requests served beyond the promise and what may have come back. */
  readonly beyond: number;
  /** Requests that were promised, and refused. */
  readonly short: number;
  readonly counters: number;
}

/** Judges `rate-remaining-counts`: Remaining falls by one a request, and is what is served. */
export function remainingCounts(run: KeyRun): Shown {
  const { name, figures } = run;
  const counts = run.bursts.map((burst) => countedIn(burst, run)).filter((one) => one !== null);
  const several = severalIn(run);
  const found = wrongIn(counts, run) ?? wholeAfterOne(run);
  if (several?.kind === 'judged' && found?.kind === 'once') return several;
  if (found !== null) return found;
  const left = firstRefusals(run).filter((sample) => (leftOf(sample, figures) ?? 0) > MISHAP);
  const [refusal] = left;
  if (refusal !== undefined && left.length > 1)
    return fault(`${name} gets 429 with requests left.`, {
      expected: `429 with ${RATE_HEADERS.remaining}: 0`,
      actual: `429 with ${RATE_HEADERS.remaining}: ${count(leftOf(refusal, figures) ?? 0)}`,
      measured: { status: 429, most: 0, got: leftOf(refusal, figures) ?? 0 },
    });
  // A bucket may round what it has to the nearest request.
  const rounded = run.fallsSteadily ? 0 : SLACK;
  const broken = loneRefusals(run.all, figures).filter(
    ({ promised, isPlain }) => isPlain && promised > rounded,
  );
  if (broken.length > (run.fallsSteadily ? 0 : MISHAP))
    return seen(broken.length, ...brokenPromise(name, Math.min(...broken.map(({ promised }) => promised))));
  const dear = run.bursts.map((burst) => dearIn(burst, run)).filter(({ length }) => length > 0);
  const [first = []] = dear;
  if (dear.length > 1) {
    const { sum, text } = dearText(first);
    return fault(`${name}'s Remaining does not count its requests.`, {
      expected: 'Remaining that falls by one a request',
      actual: text,
      measured: { most: first.length, got: sum, what: ['dear'] },
    });
  }
  if (several !== null) return several;
  // Another client may have used up what was left, once.
  if (broken.length > 0) return open('too-little-data', `${name}: one 429 while Remaining was above 0`);
  if (run.spoiled !== null && counts.length < 2) return open('transport', `${name}: ${run.spoiled}`);
  const shown = counts.find(
    ({ requests, short, beyond: over }) => requests > FEWEST && short <= 0 && over <= 1,
  );
  if (shown !== undefined)
    return held(`Remaining counted correctly over ${counted(shown.requests, 'response')}.`);
  return (
    oneAtATime(run) ??
    countedOverDay(run) ??
    open('headers-missing', `${name} got too few readable ${RATE_HEADERS.remaining} values`)
  );
}

/**
 * Finds a limiter that allows one request an interval: each leaves 0, and a burst gets little more than one.
 * Null where any leaves more.
 */
function oneAtATime({ steady, bursts, figures }: KeyRun): Shown | null {
  const paced = steady.filter(wasServed);
  const lefts = leftsOf([...bursts.flat(), ...paced], figures);
  return paced.length > MANY && lefts.length > MANY && lefts.every((left) => left === 0)
    ? held(`Remaining is 0 in ${counted(lefts.length, 'response')}: one request is allowed at a time.`)
    : null;
}

function dearIn(burst: readonly Asked[], { figures }: KeyRun): readonly Fall[] {
  const nine = burst.filter(({ part }) => part === 'operations');
  return dearFalls(fallsIn(nine, figures, new Set(), true));
}

function countedIn(burst: readonly Asked[], run: KeyRun): Counted | null {
  const parts = partsOf(burst, run);
  const part = parts.at(-1) ?? burst;
  const promised = promisedBy(part, run);
  if (promised === null) return null;
  const lefts = leftsOf(part, run.figures);
  const end = part.find(wasRefused);
  const requests = part.filter((sample) => isPlanAnswer(sample) && !wasRefused(sample)).length;
  const least = Math.min(...lefts);
  return {
    requests,
    fall: Math.max(...lefts) - least,
    // Past 0 it cannot fall.
    falling: lefts.filter((left) => left > least).length + 1,
    isWhole: parts.length === 1,
    promised,
    beyond: beyond(part, promised, run),
    short: end === undefined || describesDay(end, run.figures) || parts.length > 1 ? 0 : promised - requests,
    counters: countersIn(part, run),
  };
}

function wrongIn(counts: readonly Counted[], { name }: KeyRun): Shown | null {
  const of = (one: Counted) => ({
    tooFast: one.isWhole && one.fall > (1 + COUNTED_TWICE_SHARE) * (one.falling - 1) + SLACK,
    short: one.short > 0,
    beyond: one.beyond > 1,
  });
  const kinds = [
    [
      'tooFast',
      ({ falling, fall }: Counted) => [
        'Remaining lower by one after each request',
        `lower by ${count(fall)} after ${counted(falling, 'request')}`,
      ],
    ],
    [
      'short',
      ({ requests, promised }: Counted) => [
        `${counted(promised, 'request')} allowed, as Remaining announces`,
        `429 after ${counted(requests, 'request')}`,
      ],
    ],
    [
      'beyond',
      ({ requests, promised }: Counted) => [
        `${counted(promised, 'request')} allowed, as Remaining announces`,
        `${counted(requests, 'request')} allowed`,
      ],
    ],
  ] as const;
  for (const [kind, words] of kinds) {
    const wrong = counts.filter((one) => of(one)[kind]);
    const [first] = wrong;
    if (first === undefined) continue;
    const [expected = '', actual = ''] = words(first);
    const got = kind === 'tooFast' ? first.fall : first.requests;
    const most = kind === 'tooFast' ? first.falling - 1 : first.promised;
    const isApart = wrong.every(({ counters }) => counters > 1);
    const detail = { expected, actual, measured: { most, got, what: isApart ? [kind, 'apart'] : [kind] } };
    const every = kind === 'tooFast' ? Math.round((first.falling - 1) / (first.fall - first.falling + 1)) : 1;
    const message =
      every > 1
        ? `${name} counts about 1 in ${count(every)} requests twice.`
        : `${name}'s Remaining does not count its requests.`;
    return seen(wrong.length, message, detail, `${actual}, in one burst of ${counts.length}`);
  }
  return null;
}

/**
 * Finds a Remaining that does not count the request that it answers: as much is left as the plan has, for
 * each request that finds all. A server that takes its time may name what came back meanwhile, and a step may
 * come while it answers, but rarely.
 */
function wholeAfterOne({ all, figures, limit, name, perMs }: KeyRun): Shown | null {
  const lefts = all
    .filter((one) => wasServed(one) && (one.answeredAt - one.sentAt) * perMs < 1)
    .flatMap((one) => leftBy(one, figures) ?? []);
  const [left, ...more] = lefts.filter((one) => one >= limit);
  const once = lefts.filter((one) => one === limit - 1).length;
  if (left === undefined || 1 + more.length < once) return null;
  const actual = `${RATE_HEADERS.remaining}: ${count(left)}`;
  const detail = {
    expected: `${RATE_HEADERS.remaining}: ${count(limit - 1)} after the first request`,
    actual,
    measured: { most: limit - 1, got: left, what: ['whole'] },
  };
  const message = `${name}'s Remaining does not count the first request.`;
  return seen(1 + more.length, message, detail);
}
