import type { PlanName } from '../../base/interface/types.js';
import type { RequirementResult, Results } from '../results/results.js';
import { count, counted, listed } from '../../base/kernel/format.js';
import { isListedAsNotTested, notTested, planWords } from './bounds.js';
import { byPartly } from './outcomes.js';
import { reasonWords } from './reasons.js';

/**
 * Returns what the musts of a run and its load cover and do not cover, a clause each. A plan is covered where
 * its burst was sent, its day where the whole day's allowance was sent: a key is not enough. Pure.
 */
export function coverageOf(results: Results) {
  const { requirements, load, scope } = results;
  const put = (profile: string): readonly PlanName[] =>
    scope.plans.filter((plan) =>
      load.some((one) => one.profile === profile && one.plan === plan && one.sent > 0),
    );
  const [plans, days] = [put('burst'), put('day-quota')];
  const hasDay = requirements.some(({ id, outcome }) => id === 'rate-day-quota' && outcome === 'passed');
  const idle = scope.plans.filter((plan) => !plans.includes(plan));
  const daysLeft = hasDay ? plans.filter((plan) => !days.includes(plan)) : [];
  const musts = requirements.filter(({ level }) => level === 'must');
  const passed = musts.filter(({ outcome }) => outcome === 'passed').length;
  const behaviours = `${count(passed)} of ${counted(musts.length, 'required behaviour')}`;
  return {
    plans,
    behaviours,
    covers: [
      behaviours,
      ...(plans.length === 0 ? [] : [`the requests per minute of ${planWords(plans)}`]),
      ...(hasDay ? [`the requests per day of ${planWords(days)}`] : []),
    ],
    notCovered: [
      ...notTested(results),
      ...(idle.length === 0 ? [] : [`the limits of ${planWords(idle)} (no load was sent)`]),
      ...(daysLeft.length === 0
        ? []
        : [`the day's quota of ${planWords(daysLeft)} (tested with one key only)`]),
      ...musts.flatMap(asideClause),
      ...byPartly(requirements).map(
        ({ text, requirements: rows }) => `${partWords(rows)} only in part (${text})`,
      ),
      ...requirements.flatMap(({ id, level, outcome }) =>
        level === 'should' && outcome === 'inconclusive' ? [`${id} (inconclusive)`] : [],
      ),
    ],
  };
}

const asideClause = ({ id, outcome, reason }: RequirementResult): readonly string[] =>
  outcome !== 'not-applicable' || reason === undefined || isListedAsNotTested({ id, reason })
    ? []
    : [`${id} (${reasonWords(reason.code)})`];

const MOST_NAMED = 3;

const partWords = (rows: readonly RequirementResult[]): string =>
  rows.length > MOST_NAMED ? counted(rows.length, 'requirement') : listed(rows.map(({ id }) => id));
