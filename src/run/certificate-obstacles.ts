import { planNames } from '../base/interface/names.js';
import { FULL_WINDOWS } from '../base/interface/plans.js';
import { daysBetween } from '../base/kernel/day.js';
import { capital, count, withArticle } from '../base/kernel/format.js';
import { plansWithKey } from '../wire/targets/keys.js';
import type { RunRequest } from './request.js';

/**
 * Returns why no result of a run can get a certificate, each with its remedy, as far as that is known before
 * the run; none for a run that is to write none.
 *
 * @param now start of the run, ISO instant
 */
export function certificateObstacles(
  { target, selection, writes, includes, allowLoadOnProduction, acceptance, asOf }: RunRequest,
  now: string,
): readonly string[] {
  if (!acceptance?.certificate) return [];
  const given = plansWithKey(target, selection?.plans);
  const others = planNames.filter((plan) => !given.includes(plan) && target.plans[plan]);
  const { minute, day } = target.windows;
  return [
    given.length < 2
      ? `rate-per-key needs the keys of two plans, but only the ${given.join()} key is given. ` +
        `Add ${withArticle(`${others.map(capital).join(' or ')} key`)}.`
      : '',
    minute === FULL_WINDOWS.minute && day === FULL_WINDOWS.day
      ? ''
      : `The windows are ${count(minute)} s and ${count(day)} s, not those of the interface, ` +
        `${count(FULL_WINDOWS.minute)} s and ${count(FULL_WINDOWS.day)} s. Test a server with those, and ` +
        'leave out windows.',
    target.exclusive
      ? ''
      : 'The keys are shared. Use keys without other users, and leave out exclusive: false.',
    includes.includes('ban') && !target.sacrificial
      ? 'The profile ban needs a key that may be banned. Set keys.sacrificial, or leave out --include ban.'
      : '',
    target.production && !allowLoadOnProduction
      ? 'Load on production is not allowed. Add --allow-load-on-production.'
      : '',
    writes ? '' : 'Writes are off. Leave out --read-only and writes: false.',
    selection ? 'Only a selection is judged. Leave out the options that narrow the run.' : '',
    acceptance.baseline ? 'A baseline accepts deviations. Leave out --baseline.' : '',
    // The day of a run may differ by one from a date in the operator's time zone.
    Math.abs(daysBetween(asOf, now)) > 1 ? `It is judged as of ${asOf}. Leave out --as-of.` : '',
  ].filter((reason) => reason !== '');
}
