import { lone, speaksOfMinute, wasServed } from './answers.js';
import { minuteMs, refilled, refillIntervalMs } from './bounds.js';
import { plainInteger } from './header-number.js';
import { resetJumps } from './reset-edges.js';
import type { Sample } from './sample.js';
import type { Figures } from './series.js';

/** Whatever comes back bit by bit shows in so much of a window, also where it does so by a few beats. */
const LONG = 1 / 2;
/** Of what was due in it: a request that was not counted looks like one that came back. */
const HARDLY_ANY = 0.1;

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
  const [before, after] = [burst[pause], burst[pause + 1]];
  if (before === undefined || after === undefined || resetJumps([before, after], figures).length > 0) return burst;
  const pauseMs = after.sentAt - before.answeredAt;
  const due = refilled(figures, pauseMs);
  const [left, now] = [readLeft(before, figures), readLeft(after, figures)];
  const alone = lone(burst);
  if (left === null || now === null || !alone.includes(before) || !alone.includes(after)) return burst;
  const back = Math.max(0, now + 1 - left);
  if (2 * left > figures.perMinute || back > HARDLY_ANY * due) return burst;
  const by = pauseMs - back * refillIntervalMs(figures);
  return burst.map((sample, index) => (index <= pause ? sample : earlier(sample, by)));
}

const readLeft = (sample: Sample, figures: Figures): number | null =>
  wasServed(sample) && speaksOfMinute(sample, figures) ? plainInteger(sample.remaining) : null;

const earlier = (sample: Sample, byMs: number): Sample => ({
  ...sample,
  intendedAt: sample.intendedAt - byMs,
  sentAt: sample.sentAt - byMs,
  answeredAt: sample.answeredAt - byMs,
});
