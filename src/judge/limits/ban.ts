import { observed, outOfScope, unestablished, type Judged } from '../findings/finding.js';
import { banSeen, type Ban } from './ban-seen.js';
import type { ServerClock } from './clock.js';
import { counted } from '../../base/kernel/format.js';
import { subject, type BanSeries, type KeyByClock } from './series.js';
import { wasRefused, refusedIn } from './sample.js';

/** What the observation is about. */
export const ASKED = 'requests continued after 429';

/** Judges one of the ban's requirements by the requests on the sacrificial key after 429. */
export const byBan =
  (
    judge: (ban: Ban, series: BanSeries, clock: ServerClock | null, name: string) => Judged,
    isObservation = false,
  ) =>
  ({ key, clock }: KeyByClock): Judged => {
    const { ban: series } = key;
    if (series === null) return null;
    const name = subject(key.key);
    const seen = banSeen(series, key.figures, clock);
    if (seen !== null) return judge(seen, series, clock, name);
    const refusals = counted(refusedIn(series.pushed), 'refused request');
    if (!series.pushed.some(wasRefused)) return unestablished('prerequisite', `${name} got no 429.`);
    if ([series.pushed.at(-1), series.watched.at(-1)].some((last) => last?.status === 0))
      return unestablished('transport', `After ${refusals} no complete response came.`);
    const why = `No ban came after ${refusals}.`;
    return isObservation ? observed([], why, ASKED) : outOfScope('not-observed', why);
  };
