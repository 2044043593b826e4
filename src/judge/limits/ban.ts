import { observed, outOfScope, unestablished, type Judged } from '../findings/finding.js';
import { ALLOWANCES, banSeen, type Ban } from './ban-seen.js';
import { counted } from '../../base/kernel/format.js';
import { subject, type BanSeries, type KeyByClock } from './series.js';
import { wasRefused, refusedIn, servedIn } from './sample.js';

/** What the observation is about. */
export const ASKED = 'requests continued after 429';

/** Judges one of the ban's requirements by the requests on the sacrificial key after 429. */
export const byBan =
  (judge: (ban: Ban, series: BanSeries, of: KeyByClock) => Judged, isObservation = false) =>
  (of: KeyByClock): Judged => {
    const { key, clock } = of;
    const { ban: series } = key;
    if (series === null) return null;
    const seen = banSeen(series, key.figures, clock);
    if (seen !== null) return judge(seen, series, of);
    const refusals = counted(refusedIn(series.pushed), 'refused request');
    if (!series.pushed.some(wasRefused))
      return unestablished('prerequisite', `${subject(key.key)} got no 429.`);
    if ([series.pushed.at(-1), series.watched.at(-1)].some((last) => last?.status === 0))
      return unestablished('transport', `After ${refusals} no complete response came.`);
    if (servedIn(series.pushed) > ALLOWANCES * key.figures.perMinute)
      return unestablished(
        'too-little-data',
        `After ${refusals} the key's allowance was back, before a ban.`,
      );
    const why = `No ban came after ${refusals}.`;
    return isObservation ? observed([], why, ASKED) : outOfScope('not-observed', why);
  };
