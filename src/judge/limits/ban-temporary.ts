import { kept, unestablished, violated, type Judgement } from '../findings/finding.js';
import { duration } from '../../base/kernel/format.js';
import { subject, type BanSeries, type KeyByClock } from './series.js';
import type { Sample } from './sample.js';
import { byBan } from './ban.js';
import { banDeadline, GRACE_MS, LONGEST_WATCH_MS, type Ban } from './ban-seen.js';

/** Judges `ban-temporary`: an observed ban ends when it should. */
export const banTemporary = byBan(temporary);

function temporary(ban: Ban, series: BanSeries, { key, clock }: KeyByClock): Judgement {
  const deadline = banDeadline(ban, key.figures, clock);
  const lastedMs = (sample: Sample): number => sample.sentAt - ban.began.answeredAt;
  const lasted = (sample: Sample): string => duration(lastedMs(sample));
  const overdue = series.watched.find(
    (sample) => sample.status !== 0 && !ban.isOver(sample) && sample.sentAt >= (deadline ?? NaN) + GRACE_MS,
  );
  if (overdue !== undefined && deadline !== null) {
    const { status } = overdue;
    const dueMs = deadline - ban.began.answeredAt;
    return violated([], `${subject(key.key)}'s ban does not end when it should.`, {
      expected: `allowed ${duration(dueMs)} after the ban began`,
      actual: `${status} after ${lasted(overdue)}`,
      measured: { dueMs, tookMs: lastedMs(overdue), status },
    });
  }
  if (ban.end !== undefined) return kept([], `The ban was over after ${lasted(ban.end)}.`);
  const last = series.watched.at(-1);
  const why =
    last !== undefined && lastedMs(last) >= LONGEST_WATCH_MS
      ? `The ban was still active after ${lasted(last)}, and no header or setting gives its length.`
      : 'The run did not watch the ban to its end.';
  return unestablished('too-little-data', why);
}
