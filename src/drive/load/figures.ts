import type { PlanName } from '../../base/interface/types.js';
import type { Figures } from '../../judge/limits/bounds.js';
import { planOf, type Target } from '../../wire/targets/target.js';

export const figuresOf = (target: Target, plan: PlanName): Figures => {
  const { perMinute, perDay } = planOf(target, plan);
  const { windows, ban } = target;
  return {
    perMinute,
    perDay,
    minuteSeconds: windows.minute,
    daySeconds: windows.day,
    ...(ban.maxSeconds !== undefined && { banSeconds: ban.maxSeconds }),
  };
};
