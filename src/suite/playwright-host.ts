import { test as base } from '@playwright/test';
import type { Finding } from '../checks/finding.js';
import type { Requirement } from '../contract/types.js';
import { fold, reasonOf } from '../verdict/verdict.js';
import type { Bench } from './bench.js';
import { openWorkerBench } from './worker-bench.js';

/** Playwright's `test` with the bench as a worker's fixture: the run's memory lives as long as the worker does. */
export const test = base.extend<object, { bench: Bench }>({
  bench: [
    // Playwright reads the names of the fixtures that this one needs from its first parameter; it needs none.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const { bench, close } = await openWorkerBench(process.env);
      await use(bench);
      await close();
    },
    { scope: 'worker' },
  ],
});

/**
 * What became of a requirement, for Playwright. Under `run` everything is in the log already and a failing test would
 * cost a new worker, so that the outcome is an annotation only; started by hand, a failure throws as people expect.
 */
export function reportToPlaywright(
  row: Requirement,
  findings: readonly Finding[],
  { underRun }: { readonly underRun: boolean },
): void {
  const outcome = fold(row.level, findings);
  const text = findings.map(describe).join('\n');
  test.info().annotations.push({ type: outcome, description: reasonOf(row.level, outcome, findings)?.text ?? text });
  if (underRun) return;
  if (outcome === 'failed' || outcome === 'error') throw new Error(`${row.statement}\n${text}`);
  if (outcome === 'inconclusive' || outcome === 'not-applicable')
    test.info().skip(true, reasonOf(row.level, outcome, findings)?.text ?? outcome);
}

function describe(finding: Finding): string {
  switch (finding.kind) {
    case 'violated':
      return [
        finding.message,
        finding.expected && `expected  ${finding.expected}`,
        finding.actual && `received  ${finding.actual}`,
      ]
        .filter(Boolean)
        .join('\n');
    case 'observed':
      return finding.value;
    case 'kept':
      return finding.message ?? '';
    case 'fault':
      return finding.message;
    case 'inconclusive':
    case 'not-applicable':
      return finding.reason.text;
    case 'untried':
      return `not tried: ${finding.what}`;
  }
}
