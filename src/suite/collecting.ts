import type { Requirement, RequirementId } from '../contract/types.js';
import type { RequirementBody } from './judge-requirement.js';

/** A requirement as a suite states it. */
export interface RequirementCase {
  readonly row: Requirement;
  readonly body: RequirementBody;
}

let collected: Map<RequirementId, RequirementCase> | undefined;

/** Whether suites are being loaded for the second host, which has no runner. */
export const isCollecting = (): boolean => collected !== undefined;

/** Notes a requirement where they are collected. */
export const collect = (id: RequirementId, stated: RequirementCase): void => void collected?.set(id, stated);

/**
 * Loads suites without Playwright and gives the requirements that they state, by id: the second host. A process that
 * has done so can no longer run suites in Playwright, which none needs to.
 */
export async function collectRequirements(
  load: () => Promise<unknown>,
): Promise<ReadonlyMap<RequirementId, RequirementCase>> {
  const cases = new Map<RequirementId, RequirementCase>();
  collected = cases;
  try {
    await load();
  } finally {
    collected = undefined;
  }
  return cases;
}
