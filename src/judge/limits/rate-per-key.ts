import { RATE_HEADERS } from '../../base/interface/rate-headers.js';
import { count } from '../../base/kernel/format.js';
import { leftOf, leftsOf, wasRefused, wasServed } from './sample.js';
import { MOSTLY, SLACK } from './bounds.js';
import type { KeyRun } from './key-run.js';
import { blunt, held, seen, type Shown } from './shown.js';

/** Judges `rate-per-key`: another key that is used up leaves the allowance of this one untouched. */
export function untouchedByOthers(run: KeyRun): Shown | null {
  const { name } = run;
  // The smallest plan's key is used up first, while no other is used.
  if (!run.bursts.some((burst) => burst.some(({ part }) => part === 'others'))) return null;
  const touched = probesIn(run);
  const shared = touched.filter(({ fall }) => fall > SLACK);
  const [first] = shared;
  if (first !== undefined) {
    const detail = {
      expected: `about ${count(first.before - 1)} remaining while another key was used up`,
      actual: first.actual,
      measured: { what: [first.isRefused ? 'refused' : 'fell'] },
    };
    const message = `Another key uses up the allowance of ${name.toLowerCase()}.`;
    return seen(shared.length, message, detail);
  }
  if (touched.length > 0) return held(`${name}'s allowance was untouched while another key was used up.`);
  return blunt('too-little-data', `${name} was not asked while another key was used up`);
}

/**
 * Is true if a key is refused each time that another one is used up, though most of its plan was left: within
 * the seconds of a burst nobody else uses so much.
 */
export const isRefusedBesideOthers = (run: KeyRun): boolean =>
  probesIn(run).filter(({ isRefused, before }) => isRefused && before > MOSTLY * run.limit).length > 1;

/** What another key's burst took from this one. */
interface Probe {
  readonly before: number;
  readonly fall: number;
  readonly isRefused: boolean;
  readonly actual: string;
}

/** Reads the request that a key sends in each round while another one is used up. */
const probesIn = (run: KeyRun): readonly Probe[] =>
  run.bursts.flatMap((burst): readonly Probe[] => {
    const at = burst.findIndex(({ part }) => part === 'others');
    const own = burst.slice(0, Math.max(0, at)).filter(wasServed);
    const lefts = leftsOf(own, run.figures);
    const probe = burst[at];
    if (probe === undefined || own.length === 0) return [];
    // Without Remaining, only a refusal right at the beginning of a silent key's burst shows it.
    // Answers of parallel requests may show what was left before the others.
    const before = Math.min(...lefts, (lefts.length > 0 ? Math.max(...lefts) + 1 : run.limit) - own.length);
    const left = leftOf(probe, run.figures);
    const isRefused = wasRefused(probe);
    // A key with fewer left may be refused by its own pace.
    if (before < SLACK) return wasServed(probe) ? [{ before, fall: 0, isRefused, actual: '' }] : [];
    // A key that was refused before is refused by its own pace.
    if (isRefused && burst.slice(0, at).some(wasRefused)) return [];
    if (isRefused) return [{ before, fall: before, isRefused, actual: 'refused with 429' }];
    if (left === null || lefts.length === 0) return [{ before, fall: 0, isRefused, actual: '' }];
    return [
      { before, fall: before - left - 1, isRefused, actual: `${RATE_HEADERS.remaining}: ${count(left)}` },
    ];
  });
