import { count, counted, duration } from '../../base/kernel/format.js';
import {
  BOTH_ROUNDED_MS,
  BRIEF,
  MISHAP,
  NEARLY,
  OVERTAKEN,
  REMEMBERED_WINDOWS,
  ROUNDED_UP_MS,
  surelyWithin,
} from './bounds.js';
import { resetTime } from './clock.js';
import {
  describesDay,
  leftOf,
  leftsOf,
  refillOver,
  servedIn,
  spanMs,
  wasRefused,
  wasServed,
} from './sample.js';
import type { Asked } from './asked.js';
import { fellByOne, returnsIn, stepIn } from './bursts.js';
import type { KeyRun } from './key-run.js';
import { blunt, fault, held, open, seen, type Shown } from './shown.js';
import { slow } from './too-slow.js';

/** So much of an interval completes one of which Remaining shows no part: less does so by rare chance only. */
const COMPLETES = 1 / 50;

/** Judges `rate-concurrent`: parallel requests get no more than was left, and each counts. */
export function judgeParallel(run: KeyRun): Shown | null {
  const { name, edges, windowMs } = run;
  if (edges.length === 0) return null;
  const sent = edges
    .map((edge) => edge.filter(({ part }) => part === 'together'))
    .filter((some) => some.length > 0);
  // Parallel requests that take longer did not come at the same moment.
  const isQuick = (ms: number): boolean => ms < BRIEF * windowMs;
  const together = sent.filter((some) => isQuick(spanMs(some)));
  const over = together.filter((some) => excessOf(some, run) > 0);
  const [worst] = over;
  if (worst !== undefined) {
    const left = worst[0]?.left ?? 0;
    const detail = {
      expected: `at most the ${counted(left, 'request')} left, and what came back in ${duration(spanMs(worst))}`,
      actual: `${gotText(worst)} allowed`,
      measured: { most: left, got: servedIn(worst), what: ['left'] },
    };
    const message = `${name} gets more with parallel requests than was left of its allowance.`;
    return seen(
      over.length,
      message,
      detail,
      `more parallel requests allowed than were left, in one trial of ${together.length}`,
    );
  }
  const uncounted = run.bursts.map((burst) => uncountedIn(burst, run)).filter((one) => one !== null);
  const [first] = uncounted;
  if (first !== undefined && uncounted.length > 1)
    return fault(`${name}'s parallel requests are not counted.`, {
      expected: `Remaining lower by ${first.sent} after ${first.sent - 1} parallel requests and the next one`,
      actual: `lower by ${first.fall}`,
      measured: { most: first.sent, got: first.fall, what: ['parallel'] },
    });
  const [apart] = sent;
  if (apart !== undefined && together.length === 0)
    return slow(run, apart, `${name}'s parallel requests took ${duration(spanMs(apart))}`, isQuick);
  const refused = together.filter((some) => some.some(wasRefused));
  const [shown] = refused;
  if (shown !== undefined) return held(`${gotText(shown)} allowed with ${count(shown[0]?.left ?? 0)} left.`);
  if (together.length > 0) return blunt('too-little-data', `${name} got no 429 to parallel requests`);
  const text = `${name} sent no parallel requests at the edge of its allowance`;
  const isWithin = (ms: number): boolean => ms <= surelyWithin(windowMs);
  const outlasting = edges.find((edge) => !isWithin(spanMs(edge.filter(({ part }) => part === 'burst'))));
  if (outlasting === undefined) return open('too-little-data', text);
  return slow(run, outlasting, `${text}: a burst outlasted its window`, isWithin);
}

const gotText = (together: readonly Asked[]): string =>
  `${count(servedIn(together))} of ${counted(together.length, 'parallel request')}`;

/** Requests served beyond those left, and what may have come back meanwhile. */
function excessOf(together: readonly Asked[], run: KeyRun): number {
  const served = together.filter(wasServed);
  const left = together[0]?.left ?? 0;
  const first = Math.min(...together.map(({ sentAt }) => sentAt));
  const edge = run.edges.find((one) => one.some((sample) => sample === together[0])) ?? [];
  const before = edge.findLast((sample) => wasServed(sample) && sample.answeredAt <= first);
  if (served.some((sample) => mayBeginWindow(sample, before, run))) return 0;
  // One token may be all but there, unless the same burst and the steady run show that nothing comes back: of a
  // sliding counter that holds few old requests, only parts come back in a burst.
  const own = run.bursts.find((burst) => burst.some((sample) => sample === together[0]));
  const isExact = own !== undefined && run.fallsSteadily && fellByOne(own, run);
  // What was left was read somewhat before, and we or the server may have stalled since.
  const tookMs = spanMs(before === undefined ? together : [before, ...together]);
  if (!together.some((sample) => wasServed(sample) && leftOf(sample, run.figures) !== null)) {
    // Without Remaining only a burst from silence shows what was left, except for what came back since.
    const until = Math.max(...together.map(({ answeredAt }) => answeredAt));
    const since = own?.filter(({ answeredAt }) => answeredAt <= until) ?? [];
    return own === undefined ? 0 : served.length - left - 1 - refillOver(spanMs(since), run);
  }
  const completed = tookMs * run.perMs > COMPLETES ? 1 : 0;
  return served.length - left - (isExact ? 0 : stepOf(run) + refillOver(tookMs, run) + completed);
}

/**
 * Returns how many come back together in the steady run, more often than windows begin in it; one without
 * steps.
 */
function stepOf({ steady, figures }: KeyRun): number {
  const back = returnsIn(leftsOf(steady, figures));
  return Math.max(1, back.toSorted((one, other) => other - one)[REMEMBERED_WINDOWS] ?? 1);
}

/** Is true if a window may have begun just then: nearly all is left, and the Reset of the last one is over. */
function mayBeginWindow(sample: Asked, before: Asked | undefined, run: KeyRun): boolean {
  if ((leftOf(sample, run.figures) ?? 0) < run.limit - OVERTAKEN) return false;
  const reset =
    before === undefined || describesDay(before, run.figures) ? null : resetTime(before, run.clock);
  if (reset === null || reset.earliest <= sample.answeredAt + ROUNDED_UP_MS) return true;
  // Some servers add rounded seconds to go to a rounded time: then the next Reset is a window later.
  const next = resetTime(sample, run.clock);
  const isNext = next !== null && next.earliest - reset.earliest >= NEARLY * run.windowMs - ROUNDED_UP_MS;
  return isNext && reset.earliest <= sample.answeredAt + BOTH_ROUNDED_MS;
}

/** Finds six parallel requests that counted as fewer, although single ones count; null without. */
function uncountedIn(burst: readonly Asked[], run: KeyRun) {
  const six = burst.filter(({ part }) => part === 'six');
  const after = burst.find(({ part }) => part === 'operations');
  const lone = burst.find(({ part }) => part === 'lone');
  if (six.length === 0 || !six.every(wasServed) || after === undefined || lone === undefined) return null;
  const lists = burst.filter(({ part, operation }) => part === 'operations' && operation === 'listPets');
  const [from, to] = [leftOf(lone, run.figures), leftOf(after, run.figures)];
  const last = lists.at(-1);
  const end = last === undefined ? null : leftOf(last, run.figures);
  if (from === null || to === null || end === null || to - end < lists.length - 1) return null;
  const span = [lone, ...six, after];
  const [sent, fall] = [six.length + 1, from - to];
  const back = refillOver(spanMs(span), run) + stepIn(burst, run);
  // Six that show the same were counted apart; one counter shows as many values as it returned nothing.
  const values = new Set(six.map((sample) => leftOf(sample, run.figures)));
  const isApart = values.size === 1 && refillOver(spanMs(six), run) < six.length - 1;
  return (isApart && fall < sent) || fall < sent - MISHAP - back ? { sent, fall } : null;
}
