import { loadLedger } from '../contract/ledger.js';
import type { Bench } from './bench.js';
import { collect, isCollecting } from './collecting.js';
import type { RequirementBody } from './judge-requirement.js';
import { judgeRequirement } from './judge-requirement.js';
import { isUnderRun } from './worker-bench.js';

type TestBody = (fixtures: { readonly bench: Bench }) => Promise<void>;
type TestArguments = [title: string, details: { tag: string[] }, body: TestBody];

// Playwright takes a third of a second to load, and the second host has no use for it.
const playwright = isCollecting() ? null : await import('./playwright-host.js');

/**
 * States a requirement: `test(...requirement(id, body))`. What it gives are the arguments of Playwright's `test`, which the
 * suite calls itself so that editors and the UI mode find the test where it stands. Throws for an id that the ledger
 * does not have.
 */
export function requirement(id: string, body: RequirementBody): TestArguments {
  const row = loadLedger().byId(id);
  collect(id, { row, body });
  return [
    id,
    { tag: [`@part-${row.part}`, `@${row.level}`] },
    async ({ bench }) => {
      const findings = await judgeRequirement(row, body, bench);
      playwright?.reportToPlaywright(row, findings, { underRun: isUnderRun(process.env) });
    },
  ];
}

/** Playwright's `test`, with the bench as a fixture; while cases are collected it does nothing, for there is no runner. */
export const test: (...args: TestArguments) => void = playwright?.test ?? (() => undefined);
