import { once, PACKAGE_HINT } from '../kernel/config-file.js';
import { fixedPlans } from './names.js';
import type { Plan } from './types.js';
import { readInterface, keepBuilt } from './interface-file.js';
import { parseYaml } from '../kernel/yaml-source.js';
import { checkShape } from '../kernel/check-shape.js';
import { closed, each, integer, type Of, oneOf, published, type Shape } from '../kernel/shape.js';

export type PlanFigures = Omit<Plan, 'name'>;
export const planFigures: Shape<PlanFigures> = closed({ perMinute: integer(1), perDay: integer(1) });

/** Windows of part 8: a minute and a day, seconds. */
export const FULL_WINDOWS = { minute: 60, day: 86_400 } as const;

/** Figures of the interface by plan; `custom` means by agreement (part 8, "Request rate, by plan"). */
export const PLANS = published(
  'The plans, config/interface/plans.yaml',
  null,
  closed({
    plans: closed({ ...each(fixedPlans, planFigures), enterprise: oneOf(['custom']) }),
  }),
);
export type Plans = Of<typeof PLANS>['plans'];

/** Throws ConfigError. */
export const loadPlans = once((): Plans => readPlans().value);

const readPlans = () =>
  readInterface('plans', (text, file) => {
    const source = parseYaml(text, file);
    return checkShape(source, source.toValue(), PLANS, PACKAGE_HINT).plans;
  });

/**
 * Returns the figures of the plan whose limit per minute a number is; null if it is none's, or also another
 * figure of a plan.
 */
export function planOfMinute(limit: number | null, plans: Plans): PlanFigures | null {
  const [plan, ...others] = fixedPlans
    .map((name) => plans[name])
    .filter(({ perMinute, perDay }) => perMinute === limit || perDay === limit);
  return plan && plan.perDay !== limit && others.length === 0 ? plan : null;
}

export const buildPlans = (): void => keepBuilt('plans', readPlans);
