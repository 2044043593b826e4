import { planNames } from '../contract/plan-names.js';
import type { RunRequest } from './request.js';

/** Whether one key leaves the allowance of another alone shows with the keys of two plans. */
const LEAST_PLANS = 2;

/** What keeps a run from its certificate whatever it finds, a sentence each; empty where nothing is known to. Pure. */
export function certificateOutlook(
  { target, selection, writes, includes }: RunRequest,
  allowLoadOnProduction: boolean,
): readonly string[] {
  const given = planNames.filter((plan) => target.keys[plan] && (selection?.plans?.includes(plan) ?? true));
  const others = planNames.filter((plan) => !given.includes(plan) && target.plans[plan]);
  return [
    given.length < LEAST_PLANS
      ? `rate-per-key needs the keys of two plans, and only the ${given.join()} key is given. Give a ${others.join(' or ')} key.`
      : '',
    includes.includes('ban') && !target.sacrificial
      ? 'The profile ban needs a key that may be banned. Give keys.sacrificial, or leave out --include ban.'
      : '',
    target.production && !allowLoadOnProduction
      ? 'No load is allowed on production. Add --allow-load-on-production.'
      : '',
    writes ? '' : 'Writes are off. Leave out --read-only and writes: false.',
    selection ? 'Only a selection is judged. Leave out what narrows the run.' : '',
  ].filter((reason) => reason !== '');
}
