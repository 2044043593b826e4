import { count, counted } from '../../base/kernel/format.js';
import type { Asked } from './asked.js';
import { FEWEST, figuresOfDay } from './bounds.js';
import { fallsIn } from './falls.js';
import type { KeyRun } from './key-run.js';
import { miscounted } from './miscounted.js';
import { describesDay, wasRefused, wasServed } from './sample.js';
import { held, open, type Shown } from './shown.js';

const untilRefusal = (burst: readonly Asked[]): readonly Asked[] => {
  const end = burst.findIndex(wasRefused);
  return end < 0 ? burst : burst.slice(0, end);
};

/**
 * Judges Remaining where the headers of what is served describe the day, as Limit may (part 8): in a burst it
 * falls by one a request, as nothing of a day comes back meanwhile. Null where they do not.
 */
export function countedOverDay({ bursts, figures, name }: KeyRun): Shown | null {
  const served = bursts.map(untilRefusal);
  const ofDay = served.flat().filter((one) => wasServed(one) && describesDay(one, figures));
  const falls = served.flatMap((burst) => fallsIn(burst, figuresOfDay(figures)));
  if (falls.length < FEWEST) return null;
  const miscount = miscounted(name, falls, figuresOfDay(figures), true);
  if (miscount !== null) return { kind: 'judged', judgement: miscount.judgement };
  const wrong = falls.find(({ fall, all }) => fall !== all);
  return wrong === undefined
    ? held(`Remaining of the day counted correctly over ${counted(ofDay.length, 'response')}.`)
    : open(
        'too-little-data',
        `${name}'s Remaining describes the day, and was lower by ${count(wrong.fall)} after ${counted(wrong.all, 'request')}`,
      );
}
