import {
  about,
  outOfScope,
  unestablished,
  type Finding,
  type ReasonCode,
} from '../../judge/findings/finding.js';
import type { PlanName, Requirement } from '../../base/interface/types.js';
import type { ProfileName } from '../../base/interface/names.js';
import type { Figures } from '../../judge/limits/bounds.js';
import { count, counted } from '../../base/kernel/format.js';
import type { CostGiven } from '../limits/cost.js';
import { dayCost } from '../limits/day-quota.js';
import { figuresOf } from '../load/figures.js';
import { PROFILES } from './profiles.js';
import type { LoadRequest } from './plan-load.js';

/* Why a requirement gets no load. */

/** Defaults for a target on or near this machine. A farther one needs a measured latency, and a declared ban. */
export const GIVEN: CostGiven = { latencyMs: 2, ban: { maxRequests: 60 } };

export const profilesOf = ({ judgedBy }: Requirement): readonly ProfileName[] =>
  judgedBy.kind === 'load' ? judgedBy.profiles : [];

/** Most requests of a day in one run: all their samples are kept, about 60 MB (decision 5). */
export const MOST_OF_A_DAY = 200_000;

export const requestsOfDay = (figures: Figures): number => dayCost(figures).requests;

/** Is true if a day's allowance can be used up within the day: with test windows it may not be. */
export const endsWithinItsDay = (figures: Figures): boolean => dayCost(figures).seconds < figures.daySeconds;

/** Findings on requirements none of whose profiles will run. */
export function leftOut(
  row: Requirement,
  ran: ReadonlySet<ProfileName>,
  { includes, target }: Pick<LoadRequest, 'includes' | 'target'>,
  { isAnyKeyLeft, tooLong }: { readonly isAnyKeyLeft: boolean; readonly tooLong: PlanName | null },
): readonly Finding[] {
  const profiles = profilesOf(row);
  if (profiles.some((profile) => ran.has(profile))) return [];
  const optIn = PROFILES.find(({ name, optIn: why }) => why !== null && profiles.includes(name));
  const say = (code: ReasonCode, text: string): readonly Finding[] => [about(row.id, outOfScope(code, text))];
  if (optIn === undefined)
    return say('not-selected', `No profile that judges it was selected: ${profiles.join(', ')}.`);
  const { name, keys, optIn: because } = optIn;
  if (!includes.includes(name))
    return say('opt-in', `The profile ${name} ${because} and runs only with --include ${name}.`);
  if (keys === 'sacrificial' && !target.sacrificial)
    return say('no-key', 'The target has no key that may be banned (keys.sacrificial).');
  if (keys === 'one-plan' && tooLong !== null) {
    const requests = counted(requestsOfDay(figuresOf(target, tooLong)), 'request');
    const most = `a run sends at most ${count(MOST_OF_A_DAY)}`;
    return say(
      'thrift',
      `The day of the ${tooLong} plan takes ${requests}; ${most}. Give the key of a smaller plan.`,
    );
  }
  if (keys === 'one-plan' && isAnyKeyLeft) {
    return [
      about(
        row.id,
        unestablished('prerequisite', "The limit per minute is too low to use up any plan's day."),
      ),
    ];
  }
  return say('no-key', 'No plan key was available for it.');
}
