import { count } from '../../../base/kernel/format.js';
import type { DayQuotaSeries } from '../../../judge/limits/series.js';
import {
  describesDay,
  wasRefused,
  wasServed,
  type Sample,
  servedIn,
  lastAnswerOf,
} from '../../../judge/limits/sample.js';
import { minuteMs, type Figures } from '../../../judge/limits/bounds.js';
import { type Lab, progressEvery } from '../../load/lab.js';
import { endOf, isOver } from '../open-series.js';
import type { KeySession, Sink } from '../../load/key-session.js';
import { paced } from '../../load/paced.js';
import type { Drive, KeyRun, Outcome } from '../key-run.js';
import { retryAt } from '../../../judge/limits/waits.js';
import { dayCeiling, steadyPlan } from '../steady/drive.js';

/** Uses up the day. */
export async function useUpDay({ session, lab, drive }: KeyRun): Promise<Outcome | null> {
  const series = await dayQuota(session, lab, drive);
  const served = servedIn([...drive.earlier, ...session.samples()]);
  return { series: { dayQuota: series }, sentence: sentenceOf(served, series.end, session.figures) };
}

/** Describes a day: "1,000 of 1,000 requests of the day allowed, then 429." */
const sentenceOf = (served: number, end: DayQuotaSeries['end'], figures: Figures): string =>
  `${count(served)} of ${count(figures.perDay)} requests of the day allowed, ${end === 'refused' ? 'then 429' : 'no 429'}.`;

/** Share of a window that a run at 95 % of the plan may catch up without reaching the limit. */
const MOST_LATE_SHARE = 0.04;
/** Most waits for the minute's limit. A target that refuses this pace more often gets no more requests. */
const MOST_WAITS = 5;

/** Uses up one plan's day, paced under the minute's limit, as `DayQuotaSeries` describes. */
async function dayQuota(session: KeySession, lab: Lab, drive: Drive): Promise<DayQuotaSeries> {
  const { figures, key } = session;
  const { gapMs, silenceMs } = steadyPlan(figures);
  const before = session.samples();
  const from = Math.max(lab.now(), lastAnswerOf(before) + silenceMs / 2);
  if (!(await lab.pause(from, `a fresh minute of the ${key} plan, before its day is used up`)))
    return { samples: [], end: 'interrupted' };
  const samples: Sample[] = [];
  // A 429 may not have counted: only allowed requests certainly used up the day.
  const ownBefore = servedIn(before);
  const suitesBefore = servedIn(drive.earlier);
  const beganAt = before[0]?.sentAt ?? from;
  let served = 0;
  const sink: Sink = {
    profile: 'day-quota',
    inPassing: true,
    // The limit's own requirements judge the responses after the day is used up.
    isPassive: () => suitesBefore + ownBefore + served < figures.perDay,
    take(sample) {
      samples.push(sample);
      if (wasServed(sample)) served += 1;
    },
  };
  const tell = progressEvery(
    lab,
    'day-quota',
    key,
    () => `${count(ownBefore + samples.length)} of ${count(figures.perDay)} sent`,
  );

  /** Sends until a request is not allowed or all are sent; returns that response. */
  const send = async (): Promise<Sample | null> => {
    const usedBefore = ownBefore + served;
    let over: Sample | null = null;
    await paced(
      session,
      {
        from: lab.now(),
        gapMs,
        mostLateMs: MOST_LATE_SHARE * minuteMs(figures),
        requests: () => dayCeiling(figures, lab.now() - beganAt) - usedBefore,
        operation: () => 'listPets',
        stopsAt: (sample: Sample) => {
          tell();
          // Of concurrent ones, the one sent last decides how it ended.
          if (isOver(sample) && (over === null || sample.sentAt > over.sentAt)) over = sample;
          return isOver(sample);
        },
      },
      sink,
      lab,
    );
    return over;
  };

  let over = await send();
  for (let waits = 0, servedBefore = 0; waits < MOST_WAITS && served > servedBefore; waits += 1) {
    const back =
      over === null || ownBefore + served >= figures.perDay ? null : endOfMinute(over, session, lab);
    if (back === null) break;
    servedBefore = served;
    if (!(await lab.pause(back, `Retry-After on the ${key} plan, whose minute was used up before its day`)))
      break;
    over = await send();
  }
  return { samples, end: endOf(over === null ? [] : [over], lab.signal, 'ceiling') };
}

/** End of the wait after a 429 that may be the minute's, Unix ms; null for any other response. */
function endOfMinute(over: Sample, { figures }: KeySession, { clock }: Lab): number | null {
  if (!wasRefused(over) || describesDay(over, figures)) return null;
  const { at, capped } = retryAt(over, figures, clock());
  return capped ? null : at;
}
