import { speaksOfDay, wasRefused, wasServed } from '../../limits/answers.js';
import { minuteMs } from '../../limits/bounds.js';
import { dayCeiling, retryAt, steadyPlan } from '../../limits/decisions.js';
import { now } from '../../exchange/connection.js';
import type { Sample } from '../../limits/sample.js';
import type { DayQuotaSeries, SeriesEnd } from '../../limits/series.js';
import { endings, isOver } from '../field.js';
import type { Field } from '../field.js';
import type { KeyLine, Sink } from '../key-line.js';
import { paced } from '../paced.js';
import type { DayPlace } from '../day-place.js';
import { progressEvery } from '../progress.js';

/** How often the place is written down, in requests: as many would be lost by a crash. */
const WRITTEN_EVERY = 50;

/** At 95 % of the plan, so much of a window may be made up for within one without reaching the limit. */
const MOST_LATE_SHARE = 0.04;

/** So often the minute's limit may come between: a target that refuses this pace more often is not to be asked on. */
const MOST_WAITS = 5;

/**
 * Uses up one plan's day, paced under the minute's limit, as `DayQuotaSeries` describes it. Goes on where an
 * interrupted run left off, and after a refusal that was for the minute's sake.
 */
export async function dayQuota(line: KeyLine, field: Field, place: DayPlace): Promise<DayQuotaSeries> {
  const { figures, key } = line;
  const { signal } = field;
  const { gapMs, silenceMs } = steadyPlan(figures, null, null);
  const earlier = place.read(now() - figures.daySeconds * 1000);
  const lastAnswer = [...earlier, ...line.samples()].reduce((latest, sample) => Math.max(latest, sample.answeredAt), 0);
  const from = Math.max(now(), lastAnswer + silenceMs / 2);
  if (!(await field.pause(from, `a fresh minute of the ${key} plan, before its day is used up`))) {
    return { samples: earlier, end: 'interrupted' };
  }
  const sink: Sink = { profile: 'day-quota', samples: [] };
  const { samples } = sink;
  // What was refused before may not have been counted: only what was served certainly used the day up.
  const used = [...earlier, ...line.samples()].filter(wasServed).length;
  const begun = earlier[0]?.sentAt ?? line.samples()[0]?.sentAt ?? from;
  let written = 0;
  const write = (): void => {
    place.append(samples.slice(written));
    written = samples.length;
  };
  const tell = progressEvery(field, 'day-quota', key, () => `${used + samples.length} of ${figures.perDay} sent`);

  /** Sends until something is not served, or all has been sent; gives what was not served. */
  const send = async (): Promise<Sample | undefined> => {
    const sentBefore = samples.length;
    await paced(
      line,
      {
        from: now(),
        gapMs,
        mostLateMs: MOST_LATE_SHARE * minuteMs(figures),
        requests: () => dayCeiling(figures, now() - begun) - used - sentBefore,
        operation: () => 'listPets',
        stopsAt: (sample: Sample) => {
          if (samples.length - written >= WRITTEN_EVERY) write();
          tell();
          return isOver(sample);
        },
      },
      sink,
      signal,
    );
    return endings(samples.slice(sentBefore)).at(-1);
  };

  const servedSoFar = (): number => used + samples.filter(wasServed).length;
  let over = await send();
  for (let waits = 0, before = used; waits < MOST_WAITS && servedSoFar() > before; waits += 1) {
    const back = over === undefined || servedSoFar() >= figures.perDay ? null : endOfMinute(over, line, field);
    if (back === null) break;
    before = servedSoFar();
    if (!(await field.pause(back, `Retry-After on the ${key} plan, whose minute was used up before its day`))) break;
    over = await send();
  }
  write();
  const end = endBy(over, signal);
  if (end === 'refused' || end === 'ceiling') place.forget();
  return { samples: [...earlier, ...samples], end };
}

/** When a refusal that may be for the minute's sake lets the client back, Unix ms; null for any other answer. */
function endOfMinute(over: Sample, { figures }: KeyLine, { clock }: Field): number | null {
  if (!wasRefused(over) || speaksOfDay(over, figures)) return null;
  const { at, capped } = retryAt(over, figures, clock());
  return capped ? null : at;
}

function endBy(over: Sample | undefined, signal: AbortSignal): SeriesEnd {
  if (over !== undefined && wasRefused(over)) return 'refused';
  if (signal.aborted) return 'interrupted';
  if (over === undefined) return 'ceiling';
  return over.status === 0 ? 'transport' : 'unexpected-status';
}
