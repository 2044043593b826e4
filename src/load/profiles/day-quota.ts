import { wasRefused, wasServed } from '../../limits/answers.js';
import { dayCeiling, steadyPlan } from '../../limits/decisions.js';
import { now } from '../../exchange/connection.js';
import type { Sample } from '../../limits/sample.js';
import type { DayQuotaSeries } from '../../limits/series.js';
import { isOver } from '../field.js';
import type { Field } from '../field.js';
import type { KeyLine, Sink } from '../key-line.js';
import { paced } from '../paced.js';
import type { DayPlace } from '../day-place.js';
import { progressEvery } from '../progress.js';

/** How often the place is written down, in requests: as many would be lost by a crash. */
const WRITTEN_EVERY = 50;

/**
 * Uses up one plan's day, paced under the minute's limit, as `DayQuotaSeries` describes it. Goes on where an
 * interrupted run left off.
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
  await paced(
    line,
    {
      from: now(),
      gapMs,
      requests: () => dayCeiling(figures, now() - begun) - used,
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
  write();
  const over = samples.find(isOver);
  if (over === undefined && !signal.aborted) place.forget();
  if (over === undefined) return { samples: [...earlier, ...samples], end: signal.aborted ? 'interrupted' : 'ceiling' };
  if (signal.aborted && !wasRefused(over)) return { samples: [...earlier, ...samples], end: 'interrupted' };
  if (wasRefused(over)) place.forget();
  const end = wasRefused(over) ? 'refused' : over.status === 0 ? 'transport' : 'unexpected-status';
  return { samples: [...earlier, ...samples], end };
}
