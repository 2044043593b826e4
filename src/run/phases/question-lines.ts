import type { PlanName } from '../../base/interface/types.js';
import { planNames } from '../../base/interface/names.js';
import { count, duration } from '../../base/kernel/format.js';
import { figuresOf } from '../../drive/load/figures.js';
import { GIVEN } from '../../drive/profiles/left-out-rows.js';
import type { LoadPlan } from '../../drive/profiles/plan-load.js';
import type { Question } from '../../drive/limits/question.js';
import { questionsIn } from '../../drive/limits/select.js';
import { wrapped } from '../../outcome/words/safe-text.js';
import type { Target } from '../../wire/targets/target.js';
import { labelled } from './phase.js';

const line = (label: string, text: string): readonly string[] => wrapped(labelled(`    ${label}`, ''), text);

/**
 * Returns the questions that a run asks, in their order, each with its state, its requests, its rows and its
 * cost. Empty if it asks none.
 */
export function questionLines(
  { profiles }: LoadPlan,
  target: Target,
  latencyMs = GIVEN.latencyMs,
): readonly string[] {
  const ofPlans = profiles.filter(({ key }) => key !== 'sacrificial');
  const keys = planNames.filter((name) => ofPlans.some(({ key }) => key === name));
  return questionsIn(ofPlans.map(({ profile }) => profile)).flatMap((question, at) => [
    `  ${at + 1} ${question.title} (--profile ${question.profile})`,
    ...line('asks', question.asks),
    ...line('state', question.state),
    ...line('sends', question.sends),
    ...line('often', question.often),
    ...(question.only === null ? [] : line('only', question.only)),
    ...line('decides', question.decides.join(', ')),
    ...line('cost', costText(question, keys, target, latencyMs)),
  ]);
}

/** "free 61, pro 301 requests, about 3 s"; "up to free 66, pro 306 requests, 8 s" under a condition. */
function costText(
  { cost, only }: Question,
  keys: readonly PlanName[],
  target: Target,
  latencyMs: number,
): string {
  const costs = keys.map((key) => ({ key, ...cost(figuresOf(target, key), { latencyMs }) }));
  const most = Math.max(...costs.map(({ seconds }) => seconds));
  const noun = costs.every(({ requests: sent }) => sent === 1) ? 'request' : 'requests';
  const requests = `${costs.map(({ key, requests: sent }) => `${key} ${count(sent)}`).join(', ')} ${noun}`;
  const length = duration(Math.max(1, Math.round(most)) * 1000);
  return only === null ? `${requests}, about ${length}` : `up to ${requests}, ${length}`;
}
