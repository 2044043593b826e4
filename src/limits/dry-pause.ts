import { lone, speaksOfMinute, wasServed } from './answers.js';
import { minuteMs, refilled, refillIntervalMs } from './bounds.js';
import { plainInteger } from './headers/header-number.js';
import { resetJumps } from './reset-edges.js';
import type { Sample } from './sample.js';
import type { Figures } from './series.js';

/** Whatever comes back bit by bit shows in so much of a window, also where it does so by a few beats. */
const LONG = 0.4;
/** Of what was due in it: a request that was not counted looks like one that came back. */
const HARDLY_ANY = 1 / 2;
/** A part of a request that came back shows in no whole number. */
const ROUNDING = 1;
/** Of the allowance: what is left beyond it leaves no room for what comes back. */
const ROOM = 3 / 4;
/** So many answers on either side are read: of several servers behind one address, one may count for itself. */
const READ = 5;

/**
 * A burst without a long pause in it, in which hardly anything came back although Remaining had room to show it: the
 * samples after it are set back in time, to as much of a pause as brings what came back. What the burst may have got is
 * then what a burst without a pause may get.
 * @param burst in the order of sending
 */
export function withoutDryPause(burst: readonly Sample[], figures: Figures): readonly Sample[] {
  const pause = burst.findIndex(
    ({ answeredAt }, index) => (burst[index + 1]?.sentAt ?? 0) - answeredAt >= LONG * minuteMs(figures),
  );
  const [before, after, first, last] = [burst[pause], burst[pause + 1], burst[0], burst.at(-1)];
  // In more than a window all that was used comes back, whatever the pause in it brought.
  if (first === undefined || last === undefined || last.answeredAt - first.sentAt > minuteMs(figures)) return burst;
  if (before === undefined || after === undefined || resetJumps([before, after], figures).length > 0) return burst;
  const pauseMs = after.sentAt - before.answeredAt;
  const back = leastBack(burst, pause, figures);
  if (back === null || back > HARDLY_ANY * refilled(figures, pauseMs)) return burst;
  const by = pauseMs - (back === 0 ? 0 : back + ROUNDING) * refillIntervalMs(figures);
  return burst.map((sample, index) => (index <= pause ? sample : earlier(sample, by)));
}

/** The least that came back in a pause by the answers around it, each with what was served between; null where none tells. */
function leastBack(burst: readonly Sample[], pause: number, figures: Figures): number | null {
  const alone = new Set(lone(burst));
  const read = (from: number, to: number): readonly { readonly left: number; readonly served: number }[] =>
    burst.slice(Math.max(0, from), to).flatMap((sample) => {
      const isRead = alone.has(sample) && wasServed(sample) && speaksOfMinute(sample, figures);
      const left = isRead ? plainInteger(sample.remaining) : null;
      const served = burst.slice(0, burst.indexOf(sample) + 1).filter(wasServed).length;
      return left === null ? [] : [{ left, served }];
    });
  const before = read(pause + 1 - READ, pause + 1).filter(({ left }) => left <= ROOM * figures.perMinute);
  const after = read(pause + 1, pause + 1 + READ);
  const backs = before.flatMap((one) =>
    after.map((other) => Math.max(0, other.left - one.left + other.served - one.served)),
  );
  return backs.length === 0 ? null : Math.min(...backs);
}

const earlier = (sample: Sample, byMs: number): Sample => ({
  ...sample,
  intendedAt: sample.intendedAt - byMs,
  sentAt: sample.sentAt - byMs,
  answeredAt: sample.answeredAt - byMs,
});
