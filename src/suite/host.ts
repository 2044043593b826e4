import { loadLedger } from '../contract/ledger.js';
import type { Requirement } from '../contract/types.js';
import type { Bench } from './bench.js';
import type { RequirementBody } from './judge-requirement.js';
import { judgeRequirement } from './judge-requirement.js';
import { reportToPlaywright, test as playwrightTest } from './playwright-host.js';
import { isUnderRun } from './worker-bench.js';

/** A requirement as a suite states it. */
export interface RequirementCase {
  readonly row: Requirement;
  readonly body: RequirementBody;
}

type TestBody = (fixtures: { readonly bench: Bench }) => Promise<void>;
type TestArguments = [title: string, details: { tag: string[] }, body: TestBody];

let collected: Map<string, RequirementCase> | undefined;

/**
 * States a requirement: `test(...requirement(id, body))`. What it gives are the arguments of Playwright's `test`, which the
 * suite calls itself so that editors and the UI mode find the test where it stands. Throws for an id that the ledger
 * does not have.
 */
export function requirement(id: string, body: RequirementBody): TestArguments {
  const row = loadLedger().byId(id);
  collected?.set(id, { row, body });
  return [
    id,
    { tag: [`@part-${row.part}`, `@${row.level}`] },
    async ({ bench }) =>
      reportToPlaywright(row, await judgeRequirement(row, body, bench), { underRun: isUnderRun(process.env) }),
  ];
}

/** Playwright's `test`, with the bench as a fixture; while cases are collected it does nothing, for there is no runner. */
export let test: (...args: TestArguments) => void = playwrightTest;

/** Loads suites without Playwright and gives the requirements that they state, by id: the second host. */
export async function collectRequirements(load: () => Promise<unknown>): Promise<ReadonlyMap<string, RequirementCase>> {
  const cases = new Map<string, RequirementCase>();
  collected = cases;
  test = () => undefined;
  try {
    await load();
  } finally {
    collected = undefined;
    test = playwrightTest;
  }
  return cases;
}
