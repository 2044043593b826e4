import type { Finding } from '../../checks/finding.js';
import { speaksOfDay, wasRefused, wasServed } from '../answers.js';
import { longestByServer, worstSpan } from '../bounds.js';
import { inOurTime, type ServerClock } from '../clock.js';
import { plainInteger } from '../header-number.js';
import type { Sample } from '../sample.js';
import { counted, duration, figure, inconclusive, kept, notApplicable, subject, violated } from '../say.js';
import type { Figures, KeySeries } from '../series.js';

const ROW = 'rate-day-quota';

const dayMs = ({ daySeconds }: Figures): number => daySeconds * 1000;

/** The most that a day allows in a span in which no day can have begun anew: what comes back bit by bit is counted in. */
export const mostInOneDay = (figures: Figures, elapsedMs: number): number =>
  Math.floor(figures.perDay * (1 + longestByServer(elapsedMs) / dayMs(figures)));

/**
 * Whether a day may have begun anew within the span: one counted by the clock at its edge, one counted from a first
 * request when that request lies a day back.
 */
function mayRollOver(
  all: readonly Sample[],
  from: number,
  to: number,
  key: KeySeries,
  clock: ServerClock | null,
): boolean {
  const day = dayMs(key.figures);
  if (to - from >= day) return true;
  if (key.aloneSince > from - day) {
    // What was sent before the run may have begun a window; Remaining of the day tells whether it did.
    const first = all.find((sample) => speaksOfDay(sample, key.figures));
    const left = first === undefined ? null : plainInteger(first.remaining);
    if (left !== null && left < key.figures.perDay - all.length) return true;
  }
  const begun = all.find((sample) => sample.sentAt >= from - day && sample.sentAt < from);
  if (begun !== undefined && begun.answeredAt + day >= from && begun.sentAt + day <= to) return true;
  if (clock === null) return true;
  const nextEdge = Math.ceil((from + clock.lowMs) / day) * day;
  return inOurTime(nextEdge, clock).earliest <= to;
}

/** `rate-day-quota`: the plan's requests per day hold as well. `all`: every sample of the key, in the order of sending. */
export function dayQuota(key: KeySeries, all: readonly Sample[], clock: ServerClock | null): readonly Finding[] {
  if (key.dayQuota === null)
    return [notApplicable(ROW, 'opt-in', 'Using up a day takes long: it is done on request only.')];
  const { figures } = key;
  const name = subject(key.key);
  const served = all.filter(wasServed);
  const worst = worstSpan(served, figures.perDay / dayMs(figures));
  if (worst === null) return [inconclusive(ROW, 'too-little-data', `${name} was served nothing.`)];
  const elapsed = worst.to - worst.from;
  const certain = !mayRollOver(all, worst.from, worst.to, key, clock);
  const most = certain ? mostInOneDay(figures, elapsed) : figures.perDay * (Math.floor(elapsed / dayMs(figures)) + 2);
  if (worst.count > most) {
    return [
      violated(
        ROW,
        `${name} gets more than its allowance for a day.`,
        `at most ${counted(most, 'request')} served in ${duration(elapsed)}, at ${figure(figures.perDay)} a day`,
        `${counted(worst.count, 'request')} served`,
      ),
    ];
  }
  // Refusals before the last were for the minute's sake, and waited out.
  const refusal = key.dayQuota.end === 'refused' ? key.dayQuota.samples.findLast(wasRefused) : undefined;
  if (refusal === undefined) {
    const why = worst.count > figures.perDay ? 'a day may have begun anew meanwhile' : 'the allowance was not used up';
    return [
      inconclusive(ROW, 'too-little-data', `${name} was served ${figure(worst.count)} and never refused; ${why}.`),
    ];
  }
  // A request whose answer was lost may have been counted.
  const before = [...served, ...all.filter(({ status }) => status === 0)].filter(
    ({ sentAt }) => sentAt < refusal.sentAt && sentAt > refusal.sentAt - dayMs(figures),
  ).length;
  if (before < figures.perDay) {
    return [
      inconclusive(
        ROW,
        'too-little-data',
        `${name} was refused after ${figure(before)} of ${figure(figures.perDay)}: others may have used the rest.`,
      ),
    ];
  }
  return [kept(ROW, `${figure(before)} served of ${figure(figures.perDay)} a day, then 429.`)];
}
