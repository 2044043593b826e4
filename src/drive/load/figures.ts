import type { PlanName } from '../../base/interface/types.js';
import { rateFactsOf } from '../../judge/checks/rate-headers.js';
import type { Figures } from '../../judge/limits/bounds.js';
import { planOf, type Target } from '../../wire/targets/target.js';

export const figuresOf = (target: Target, plan: PlanName): Figures =>
  rateFactsOf({
    plan: planOf(target, plan),
    windows: target.windows,
    banSeconds: target.ban.maxSeconds,
  });
