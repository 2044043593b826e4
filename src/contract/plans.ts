import { configPath, loadSchema, once, PACKAGE_HINT } from './config-file.js';
import type { Plan } from './types.js';
import { parseYaml, readText } from './yaml-source.js';
import { checkShape } from './shape.js';

/** A plan's allowance without its name: requests per minute and per day. */
export type PlanFigures = Omit<Plan, 'name'>;

/** The interface's figures by plan; `custom` where it leaves them to an agreement (part 8, "Request rate, by plan"). */
export interface Plans {
  readonly free: PlanFigures;
  readonly pro: PlanFigures;
  readonly business: PlanFigures;
  readonly enterprise: 'custom';
}

/** The plans that the package carries, read once per process. Throws ConfigError. */
export const loadPlans = once((): Plans => {
  const file = configPath('interface', 'plans.yaml');
  const source = parseYaml(readText(file, PACKAGE_HINT), file);
  const { plans } = checkShape(source, source.toValue(), loadSchema('plans'), PACKAGE_HINT) as { plans: Plans };
  return plans;
});
