import type { Requirement, RequirementId } from '../../base/interface/types.js';
import type { RequirementBody } from './judge-requirement.js';

/**
 * Requirements of the loaded suites by id, and whether a second host loads them without Playwright. Then this
 * process cannot run suites in Playwright, which no process needs.
 */
export const loadedSuites = {
  cases: new Map<RequirementId, { readonly row: Requirement; readonly body: RequirementBody }>(),
  isPlain: false,
};
