import { about, untried, type Finding } from '../../findings/finding.js';
import { wasServed } from '../../limits/answers.js';
import { isLongBySeconds, inShort } from '../../limits/bounds.js';
import type { ServerClock } from '../../limits/clock.js';
import type { KeySeries } from '../../limits/series.js';
import { windowsSeen } from '../../limits/windows-seen.js';
import { showsRounding } from '../burst/refusal-phase.js';
import { refills } from '../window/spread.js';
import { endOfWait } from './end-of-wait.js';

/** Whether a wait of this key was served to its end that would have been too short, had it been rounded to the nearest second. */
function isShown({ burst, recoveries: [first], figures, earlier }: KeySeries, clock: ServerClock | null): boolean {
  const samples = burst?.samples ?? [];
  const own = windowsSeen(samples, figures).pieces.at(-1)?.samples[0];
  const due = first === undefined ? null : endOfWait(first.refusal, clock);
  if (own === undefined || !first?.retry || due === null || refills(samples, figures)) return false;
  return showsRounding(own, first.refusal, first.retry.answeredAt - due.earliest, { figures, clock, earlier });
}

/** `rate-retry-after-honoured`: that no wait told whether it was rounded up, or to the nearest second. */
export function roundingUntold(keys: readonly KeySeries[], clock: ServerClock | null): readonly Finding[] {
  const some = keys.find(({ recoveries: [first] }) => (first?.retry ? wasServed(first.retry) : false));
  if (some === undefined || keys.some((key) => isShown(key, clock))) return [];
  const why = isLongBySeconds(some.figures) ? 'no refusal came at a moment that tells' : inShort(some.figures);
  return [about('rate-retry-after-honoured', untried(`whether waits are rounded up to the second (${why})`))];
}
