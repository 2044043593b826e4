import { kept, unestablished, untried, violated, type Judged } from '../findings/finding.js';
import { resetTime } from './clock.js';
import { counted, duration } from '../../base/kernel/format.js';
import { subject } from './series.js';
import { isBan } from './ban-signs.js';
import { wasServed } from './sample.js';
import { AGREEMENT_MS } from './timing.js';
import type { KeyReading } from './reading.js';
import { endOfWait } from './waits.js';

/** Judges `ban-only-after-abuse`: a client that got one 429 and waited is not banned. */
export function banOnlyAfterAbuse({ key, clock }: KeyReading): Judged {
  const name = subject(key.key);
  // A client that succeeds after several 429s would have succeeded after one.
  const forgiven = key.recoveries.find(({ retry }) => retry !== null && wasServed(retry));
  const recovery = key.recoveries.find(({ refusals }) => refusals === 1) ?? forgiven;
  const retry = recovery?.retry ?? null;
  if (recovery === undefined || retry === null || retry.status === 0) {
    return unestablished('too-little-data', `${name} sent no request after a single 429.`);
  }
  const { refusal } = recovery;
  const waited = duration(retry.sentAt - refusal.answeredAt);
  const met = counted(recovery.refusals, '429 response');
  const [wait, reset] = [endOfWait(refusal, clock), resetTime(refusal, clock)];
  if (wasServed(retry)) {
    const found = kept([], `The key was allowed again after ${met} and a wait of ${waited}.`);
    const soonest = Math.min(wait?.latest ?? Infinity, reset?.latest ?? Infinity);
    return retry.sentAt > soonest + AGREEMENT_MS ? [found, untried(`a ban shorter than ${waited}`)] : [found];
  }
  const due = wait ?? reset;
  if (due !== null && retry.sentAt >= due.latest && isBan(retry, refusal, key.figures)) {
    return violated([], `${name}'s key is banned after a single 429.`, {
      expected: 'a key that waits after its first 429 is allowed again',
      actual: `${retry.status} after a wait of ${waited}`,
      measured: { status: retry.status },
    });
  }
  const what = `${name} got ${retry.status} after a wait of ${waited}, which need not be a ban.`;
  return unestablished('prerequisite', what);
}
