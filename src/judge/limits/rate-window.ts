import { kept, unestablished, untried, violated, type Judged } from '../findings/finding.js';
import { OWN_PROBES, inShort, isLongBySeconds, minuteMs } from './bounds.js';
import { count, counted, duration } from '../../base/kernel/format.js';
import { samplesOf } from './key-samples.js';
import { type KeySeries, subject } from './series.js';
import { bySending, wasServed, type Sample, servedIn } from './sample.js';
import { burstsOf } from './further-bursts.js';
import type { KeyReading } from './reading.js';
import { refills } from './spread.js';
import { windowBreach } from './window-breach.js';
import { windowProgress } from './window-progress.js';

/** Share of W within which a window that is shorter by more than a quarter restarts. */
const SHOWN_SHARE = 0.75;

/** True if nearly the whole limit was used, the last of it most of a window after the first. */
function isApart(samples: readonly Sample[], { figures }: Pick<KeySeries, 'figures'>): boolean {
  const got = bySending(samples.filter(wasServed));
  const first = got.at(-Math.max(2, figures.perMinute - OWN_PROBES)) ?? got[0];
  const last = got.at(-1);
  return (
    first !== undefined && last !== undefined && last.sentAt - first.sentAt >= SHOWN_SHARE * minuteMs(figures)
  );
}

/**
 * True if a window shorter than the headers say would have shown: a client that follows the headers waits too
 * long for it. It shows if the last of the limit is sent late (`lastOfBurstAt`, `SpreadSeries`). It cannot
 * exist if far less than the limit is allowed together, or with gradual refills.
 */
function showsLength(key: Pick<KeySeries, 'burst' | 'spread' | 'figures'>): boolean {
  const { burst, spread, figures } = key;
  if (!isLongBySeconds(figures)) return false;
  const samples = burst?.samples ?? [];
  const isPaced = 2 * servedIn(samples) < figures.perMinute;
  return isPaced || refills(samples, figures) || isApart(samples, key) || isApart(spread?.samples ?? [], key);
}

/** Judges `rate-window`: any algorithm allows at most twice the limit in any span of a window. */
export function windowLength({ key, clock }: KeyReading): Judged {
  const name = subject(key.key);
  const { figures } = key;
  const bursts = burstsOf(key);
  const all = bySending(bursts.flat().filter(wasServed));
  const [first] = all;
  if (first === undefined) return unestablished('too-little-data', `${name} sent no burst.`);
  const breach = windowBreach([...bursts, key.spread?.samples ?? []], samplesOf(key), key);
  if (breach !== null) {
    const { what, ...detail } = breach;
    return violated([], `${name} ${what}.`, detail);
  }
  const progress = windowProgress(bursts, key, clock);
  const open = (why: string): Judged => unestablished('too-little-data', `${name} ${why}.`);
  switch (progress.kind) {
    case 'unrefused':
      return open('got no 429 in its last burst');
    case 'no-time':
      return unestablished('prerequisite', `${name}'s 429 does not say when to retry.`);
    case 'open':
    case 'drained':
      return open(
        `was allowed again before a window was over; ${counted(bursts.length, 'burst')} did not show whether that is too much`,
      );
    case 'over': {
      const span = duration((all.at(-1)?.answeredAt ?? first.sentAt) - first.sentAt);
      const got = `${count(all.length)} requests allowed in ${counted(bursts.length, 'burst')} over ${span}.`;
      const found = kept([], got);
      // A client that follows a whole window waits one: only Reset shows that it was shorter.
      if (showsLength(key)) return [found];
      const what = isLongBySeconds(figures)
        ? `whether windows of the ${key.key} key are shorter than announced`
        : `a shorter window than announced (${inShort(figures)})`;
      return [found, untried(what)];
    }
  }
}
