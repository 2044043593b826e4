import { count } from '../../base/kernel/format.js';
import { FEWEST, type Figures } from '../../judge/limits/bounds.js';
import {
  bySending,
  servedIn,
  wasRefused,
  wasRefusedByMinute,
  wasServed,
  type Sample,
} from '../../judge/limits/sample.js';
import type { DayQuotaSeries, SeriesEnd } from '../../judge/limits/series.js';
import { asksBeyondMinute } from '../../judge/limits/when-allowed.js';
import type { Sink } from '../load/key-session.js';
import { progressEvery } from '../load/lab.js';
import type { Cost } from './cost.js';
import { sendEvenly } from './even-pace.js';
import { type KeyPlayer, Enough } from './key-player.js';
import type { KeyOptions } from './played.js';
import { steadyGapMs } from './play-steady.js';

/** Most waits for the minute's limit. A target that refuses this pace more often gets no more requests. */
const MOST_WAITS = 5;

/** Returns the most that a day can allow: gradual refills and one reset, plus a few to rule out rounding. */
function dayCeiling(figures: Figures, elapsedMs: number): number {
  const back = (figures.perDay * elapsedMs) / (figures.daySeconds * 1000);
  return Math.floor(figures.perDay + back) + FEWEST;
}

export function dayCost(figures: Figures): Cost {
  const ms = figures.perDay * steadyGapMs(figures);
  return { requests: dayCeiling(figures, ms), seconds: ms / 1000 };
}

const sentenceOf = (served: number, end: SeriesEnd, { perDay }: Figures): string =>
  `${count(served)} of ${count(perDay)} requests of the day allowed, ${end === 'refused' ? 'then 429' : 'no 429'}.`;

/** Uses up the day of one plan's key at the pace of the steady run, as `DayQuotaSeries` describes. */
export async function useUpDay(player: KeyPlayer, { earlier }: Pick<KeyOptions, 'earlier'>) {
  const { session } = player;
  const series = await dayQuota(player, earlier);
  const served = servedIn([...earlier, ...session.samples()]);
  return { series, sentence: sentenceOf(served, series.end, session.figures) };
}

async function dayQuota(player: KeyPlayer, earlier: readonly Sample[]): Promise<DayQuotaSeries> {
  const { session, lab } = player;
  const { figures, key } = session;
  const before = session.samples();
  const suitesBefore = servedIn(earlier);
  // A 429 may not have counted: only allowed requests certainly used up the day.
  const ownBefore = servedIn(before);
  const beganAt = before[0]?.sentAt ?? lab.now();
  const samples: Sample[] = [];
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
  const text = (): string => `${count(ownBefore + samples.length)} of ${count(figures.perDay)} sent`;
  const tell = progressEvery(lab, 'day-quota', key, text);

  /** Sends until a request is not allowed or all are sent; returns that response. */
  const send = async (): Promise<Sample | null> => {
    const usedBefore = ownBefore + served;
    let sent = 0;
    let over: Sample | null = null;
    await sendEvenly(player, {
      gapMs: steadyGapMs(figures),
      async next(due, settled) {
        // The first response decides about the others.
        if (sent === 1) await settled();
        sent += 1;
        return over !== null || usedBefore + sent > dayCeiling(figures, lab.now() - beganAt) ? null : due;
      },
      async send(due) {
        const sample = await player.askPaced(sink, due);
        tell();
        // Of concurrent ones, the one sent last decides how it ended.
        if (!wasServed(sample) && (over === null || sample.sentAt > over.sentAt)) over = sample;
      },
    });
    return over;
  };

  let over: Sample | null = null;
  try {
    await player.silence(`a fresh minute of the ${key} plan, before its day is used up`, earlier);
    over = await send();
    for (let waits = 0, servedBefore = 0; waits < MOST_WAITS && served > servedBefore; waits += 1) {
      if (over === null || ownBefore + served >= figures.perDay || !isOfMinute(over, player)) break;
      servedBefore = served;
      const what = `Retry-After on the ${key} plan, whose minute was used up before its day`;
      await player.pause(player.allowedAt(over), what);
      over = await send();
    }
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return { samples: bySending(samples), end: endBy(over, lab.signal) };
}

/** Is true for a 429 that may be the minute's. */
const isOfMinute = (over: Sample, { session, lab }: KeyPlayer): boolean =>
  wasRefusedByMinute(over, session.figures) && !asksBeyondMinute(over, session.figures, lab.clock());

function endBy(over: Sample | null, signal: AbortSignal): SeriesEnd {
  if (over !== null && wasRefused(over)) return 'refused';
  if (signal.aborted) return 'interrupted';
  if (over === null) return 'ceiling';
  return over.status === 0 ? 'transport' : 'unexpected-status';
}
