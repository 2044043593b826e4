import type { Finding } from '../../checks/finding.js';
import { speaksOfDay, wasRefused } from '../answers.js';
import { inShort, isLongBySeconds, minuteMs } from '../bounds.js';
import { waitOf } from '../retry-after.js';
import type { Sample } from '../sample.js';
import { duration, figure, inconclusive, kept, notApplicable, subject, untried, violated } from '../say.js';
import type { KeySeries } from '../series.js';
import { byFreshBurst } from './early/fresh-burst.js';
import { gains, gotAll, isShort } from './early/gains.js';
import { shortfall } from './early/shortfall.js';
import { type Lack, slowReturn, type SlowReturn } from './early/slow-return.js';
import { bySpread, mayBeRenewed, needsSpread } from './early/spread.js';
import { bySteadyRun } from './early/steady-run.js';

const ROW = 'rate-not-early';

/** A wait is rounded up to whole seconds, and beside a long window some add one or two more. */
const WAIT_ROUNDED_MS = 500;
const WAIT_ROUNDED_SHARE = 0.03;

/**
 * Whether a refusal asks for a longer wait than a window of the plan: the allowance may be for a longer window, which no
 * burst shows that waits as it is told.
 */
export const waitsTooLong = ({ burst, figures }: KeySeries): boolean => {
  const window = minuteMs(figures);
  const most = window + Math.max(WAIT_ROUNDED_MS, WAIT_ROUNDED_SHARE * window);
  return (burst?.samples ?? [])
    .filter((sample) => wasRefused(sample) && !speaksOfDay(sample, figures))
    .some((refusal) => (waitOf(refusal) ?? 0) > most);
};

/** `rate-not-early`: no 429 while the plan's allowance is not used up. `all`: every sample of the key. */
export function notEarly(key: KeySeries, all: readonly Sample[]): readonly Finding[] {
  const slow = slowReturn(key, all, gains(key, all));
  const found = judged(key, all, slow);
  if (!found.some(({ kind }) => kind === 'kept')) return found;
  // What is off by less than a second is off by a part of so short a window that counts.
  const short = `an allowance or a window that is off by less than a second (${inShort(key.figures)})`;
  const rest = [
    ...(isLongBySeconds(key.figures) ? [] : [short]),
    ...(mayBeRenewed(key, all)
      ? [`whether each request with the ${key.key} key renews the time for which it counts`]
      : []),
    ...(slow?.kind === 'untold' ? [`whether clumps of ${figure(slow.clump)} come back as often as the plan says`] : []),
  ];
  return [...found, ...rest.map((what) => untried(ROW, what))];
}

/** The breach, or the doubt, of a bucket that gave back too little between two moments at which it was empty. */
function byLack(name: string, { served, least, elapsedMs, isSure }: Lack): Finding {
  const back = `${figure(served)} requests came back in ${duration(elapsedMs)}`;
  if (!isSure) {
    const text = `${name}: ${back}, of at least ${figure(least)} by the plan, if it gives back as often as it told.`;
    return inconclusive(ROW, 'too-little-data', text);
  }
  return violated(
    ROW,
    `${name} does not get its allowance back at the plan's rate.`,
    `at least ${figure(least)} requests back between two refusals ${duration(elapsedMs)} apart`,
    back,
  );
}

function judged(key: KeySeries, all: readonly Sample[], slow: SlowReturn | null): readonly Finding[] {
  const { figures, fresh, steady } = key;
  const name = subject(key.key);
  if (!key.exclusive)
    return [notApplicable(ROW, 'keys-shared', `${name}'s key has other users, who may have used its allowance.`)];
  const found = gains(key, all);
  const starved = shortfall(key, all, found);
  if (starved !== null) {
    return [
      violated(
        ROW,
        `${name} does not get its allowance back at the plan's rate.`,
        `at least ${figure(starved.least)} requests served, ${duration(starved.silentMs)} after it had been served again`,
        `${figure(starved.served)} served, then 429`,
      ),
    ];
  }
  if (slow?.kind === 'lacks' && slow.isSure) return [byLack(name, slow)];
  const afresh = fresh === null ? null : byFreshBurst(key, fresh);
  if (afresh?.kind === 'violated') return [afresh];
  if (slow?.kind === 'lacks') return [byLack(name, slow)];
  if (steady !== null) return [bySteadyRun(key, steady, found, all)];
  if (afresh !== null) return [afresh];
  const [burst] = found;
  if (burst === undefined) return [inconclusive(ROW, 'too-little-data', `${name} was not asked for its allowance.`)];
  const short = found.find((one) => isShort(one, figures));
  if (short !== undefined) {
    const what = `${figure(short.served)} of ${figure(figures.perMinute)} served before the first 429`;
    return [inconclusive(ROW, 'too-little-data', `${name}: ${what}. Only a steady run decides.`)];
  }
  if (key.spread !== null || needsSpread(key, all)) return [bySpread(key)];
  if (found.every((one) => gotAll(one, figures)))
    return [kept(ROW, `No 429 before ${figure(figures.perMinute)} requests were served.`)];
  const ended = key.burst?.end === 'transport' || key.concurrent?.end === 'transport';
  return [
    inconclusive(
      ROW,
      ended ? 'transport' : 'too-little-data',
      `${name}: a burst ended before the allowance was used up.`,
    ),
  ];
}
