import { RATE_HEADERS } from '../../base/interface/rate-headers.js';
import { count } from '../../base/kernel/format.js';
import { wasRefused, wasServed } from './sample.js';
import type { KeyRun } from './key-run.js';
import { leftOf } from './left.js';
import { blunt, fault, held, once, type Shown } from './shown.js';

/** Remaining may be rounded, and a request be counted late. */
const SLACK = 2;
/** A key with fewer left may be refused by its own pace. */
const FEW_LEFT = 2;

/** Judges `rate-per-key`: another key that is used up leaves the allowance of this one untouched. */
export function untouchedByOthers(run: KeyRun): Shown | null {
  const { name, figures } = run;
  // The smallest plan's key is used up first, and alone.
  if (!run.bursts.some((burst) => burst.some(({ part }) => part === 'others'))) return null;
  const touched = run.bursts.flatMap((burst) => {
    const at = burst.findIndex(({ part }) => part === 'others');
    const own = burst.slice(0, Math.max(0, at)).filter(wasServed);
    const lefts = own.flatMap((sample) => leftOf(sample, figures) ?? []);
    const probe = burst[at];
    if (probe === undefined || own.length === 0) return [];
    // Without Remaining, only a refusal right at the beginning of a silent key's burst shows it.
    // Answers of parallel requests may show what was left before the others.
    const before = Math.min(...lefts, (lefts.length > 0 ? Math.max(...lefts) + 1 : run.limit) - own.length);
    const left = leftOf(probe, figures);
    if (before < FEW_LEFT) return wasServed(probe) ? [{ before, fall: 0, actual: '' }] : [];
    // A key that was refused before is refused by its own pace.
    if (wasRefused(probe) && burst.slice(0, at).some(wasRefused)) return [];
    if (wasRefused(probe)) return [{ before, fall: before, actual: 'refused with 429' }];
    if (left === null || lefts.length === 0) return [{ before, fall: 0, actual: '' }];
    return [{ before, fall: before - left - 1, actual: `${RATE_HEADERS.remaining}: ${count(left)}` }];
  });
  const shared = touched.filter(({ fall }) => fall > SLACK);
  const [first] = shared;
  if (first !== undefined) {
    const detail = {
      expected: `about ${count(first.before - 1)} remaining while another key was used up`,
      actual: first.actual,
      measured: { what: [first.actual.startsWith('refused') ? 'refused' : 'fell'] },
    };
    const message = `Another key uses up the allowance of ${name.toLowerCase()}.`;
    return shared.length > 1 ? fault(message, detail) : once(message, detail, `${first.actual}, once`);
  }
  if (touched.length > 0) return held(`${name}'s allowance was untouched while another key was used up.`);
  return blunt('too-little-data', `${name} was not asked while another key was used up`);
}
