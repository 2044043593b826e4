import { loadSchema, once, PACKAGE_HINT } from '../kernel/config-file.js';
import type { Plan } from './types.js';
import { readInterface, keepBuilt } from './interface-file.js';
import { parseYaml } from '../kernel/yaml-source.js';
import { checkShape } from '../kernel/shape.js';

/** Limits of a plan without its name: requests per minute and per day. */
export type PlanFigures = Omit<Plan, 'name'>;

/** Figures of the interface by plan; `custom` means by agreement (part 8, "Request rate, by plan"). */
export interface Plans {
  readonly free: PlanFigures;
  readonly pro: PlanFigures;
  readonly business: PlanFigures;
  readonly enterprise: 'custom';
}

/** Loads the package's plans once per process. Throws ConfigError. */
export const loadPlans = once((): Plans => readPlans().value);

const readPlans = () =>
  readInterface('plans', (text, file) => {
    const source = parseYaml(text, file);
    return (checkShape(source, source.toValue(), loadSchema('plans'), PACKAGE_HINT) as { plans: Plans }).plans;
  });

/** Parses the package's plans anew and keeps them for later processes. Part of the build. */
export const buildPlans = (): void => keepBuilt('plans', readPlans);
