import type { Finding } from '../../checks/finding.js';
import { bySending, wasRefused, wasServed } from '../answers.js';
import { minuteMs, type Span } from '../bounds.js';
import { type ServerClock, resetTime } from '../clock.js';
import { readRetryAfter } from '../retry-after.js';
import type { Sample } from '../sample.js';
import { counted, duration, figure, inconclusive, kept, subject, violated } from '../say.js';
import type { Figures, KeySeries } from '../series.js';
import { windowBegan } from '../windows-seen.js';
import { overServed } from './refuses-past-limit.js';

const ROW = 'rate-window';

/** A span in which more was served than two windows, and those that fit in, can hold; null when there is none. */
function overfull(served: readonly Sample[], figures: Figures): (Span & { readonly most: number }) | null {
  let latest = -Infinity;
  const answered = served.map(({ answeredAt }) => (latest = Math.max(latest, answeredAt)));
  // To break the bound with n windows' worth more takes (n + 1) * L + 1 requests within less than n windows.
  for (let windows = 1; (windows + 1) * figures.perMinute < served.length; windows += 1) {
    const most = (windows + 1) * figures.perMinute;
    for (let last = most; last < served.length; last += 1) {
      const from = served[last - most]?.sentAt ?? 0;
      const to = answered[last] ?? from;
      if (to - from < windows * minuteMs(figures)) return { count: most + 1, from, to, most };
    }
  }
  return null;
}

/** When, in our time, a refusal lets the client back by its Retry-After, or else by its Reset; null where it does not say. */
export function letsBackAt(refusal: Sample, clock: ServerClock | null): number | null {
  const after = readRetryAfter(refusal.retryAfter);
  if (after.kind === 'seconds') return refusal.answeredAt + after.seconds * 1000;
  if (after.kind === 'date' && clock !== null) return after.unixMs - clock.lowMs;
  return resetTime(refusal, clock)?.latest ?? null;
}

/** A burst after the first got but a part of the allowance: it comes back evenly, and the bound on that was kept. */
export const cameBackBitByBit = (bursts: readonly (readonly Sample[])[], figures: Figures): boolean =>
  bursts.length > 1 && (bursts.at(-1) ?? []).filter(wasServed).length < figures.perMinute / 2;

/** `rate-window`: in any span of a window at most twice the limit is served, whatever the algorithm. */
export function windowLength(key: KeySeries, clock: ServerClock | null, sequentialSound: boolean): readonly Finding[] {
  const name = subject(key.key);
  const { figures } = key;
  const bursts = key.window?.bursts ?? (key.burst === null ? [] : [key.burst.samples]);
  const served = bySending(bursts.flat().filter(wasServed));
  const [first] = served;
  const over = overfull(served, figures);
  if (first === undefined) return [inconclusive(ROW, 'too-little-data', `${name} was not asked for its allowance.`)];
  if (!sequentialSound) return [inconclusive(ROW, 'prerequisite', `${name} is not limited within one window.`)];
  if (over !== null) {
    return [
      violated(
        ROW,
        `${name} gets its allowance back before a window is over.`,
        `at most ${counted(over.most, 'request')} served in any ${duration(minuteMs(figures))}`,
        `${counted(over.count, 'request')} served in ${duration(over.to - over.from)}`,
      ),
    ];
  }
  const faster = overServed(bySending(bursts.flat()), figures).proven;
  if (faster !== null) {
    return [
      violated(
        ROW,
        `${name} gets its allowance back faster than the plan says.`,
        `at most ${counted(faster.most, 'request')} served in ${duration(faster.elapsedMs)}`,
        `${counted(faster.served, 'request')} served`,
      ),
    ];
  }
  const refusal = bursts.at(-1)?.find(wasRefused);
  if (refusal === undefined) {
    return [inconclusive(ROW, 'too-little-data', `${name} was not refused in its last burst.`)];
  }
  const back = letsBackAt(refusal, clock);
  const windowEnd = windowBegan(first, figures, key.earlier) + minuteMs(figures);
  if (back === null) return [inconclusive(ROW, 'prerequisite', `${name}'s refusal does not say when to come back.`)];
  // Refused again after the time that it was told, the client was not let back early: another row is charged with that.
  const brokeItsWord = key.recoveries.some(
    ({ refusal: told, retry }) => told === refusal && retry !== null && retry.sentAt >= back && wasRefused(retry),
  );
  const again = bursts.length <= MOST_MORE_BURSTS && !cameBackBitByBit(bursts, figures) && !brokeItsWord;
  if (back < windowEnd && again) {
    const early = duration(windowEnd - back);
    return [
      inconclusive(
        ROW,
        'too-little-data',
        `${name} was let back ${early} before a window was over, and not asked again.`,
      ),
    ];
  }
  const span = duration((served.at(-1)?.answeredAt ?? first.sentAt) - first.sentAt);
  return [kept(ROW, `${figure(served.length)} served in ${counted(bursts.length, 'burst')} over ${span}.`)];
}

/** A window a sixth as long shows after two more bursts; the third allows for a first that began late in one. */
export const MOST_MORE_BURSTS = 3;
