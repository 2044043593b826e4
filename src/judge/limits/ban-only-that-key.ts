import { kept, unestablished, violated, type Judgement } from '../findings/finding.js';
import { plainInteger } from '../../base/interface/rate-headers.js';
import type { BanSeries } from './series.js';
import { looksBanned, refusesKey } from './ban-signs.js';
import { isPlanAnswer, wasRefused } from './sample.js';
import { byBan } from './ban.js';
import type { Ban } from './ban-seen.js';

/** Judges `ban-only-that-key`: during a ban another key is allowed. */
export const banOnlyThatKey = byBan(onlyThatKey);

function onlyThatKey({ began, end }: Ban, { otherKey }: BanSeries): Judgement {
  const during = otherKey?.during;
  if (!during || during.sentAt < began.answeredAt || during.answeredAt > (end?.sentAt ?? Infinity))
    return unestablished('no-key', 'No other key sent a request during the ban.');
  const { key, before, figures } = otherKey;
  const { status } = during;
  // An exhausted key gets 429 by its own limit.
  const isUnexplained = looksBanned(during, figures) || (plainInteger(before.remaining) ?? 0) > 2;
  if (refusesKey(during) || (wasRefused(during) && isUnexplained)) {
    return violated([], 'A ban of one key also affects another key.', {
      expected: `the ${key} key allowed during the ban`,
      actual: `status ${status}`,
      measured: { status },
    });
  }
  if (isPlanAnswer(during) && !wasRefused(during))
    return kept([], `The ${key} key was allowed during the ban.`);
  return unestablished(
    status === 0 ? 'transport' : 'unavailable',
    `The other key was not allowed during the ban (${status || 'no response'}), but the ban need not be the cause.`,
  );
}
