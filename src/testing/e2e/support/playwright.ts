import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { startProcess, type Ended, type Running } from './command.js';
import { packageRoot } from '../../../base/kernel/package.js';

const CLI = createRequire(import.meta.url).resolve('@playwright/test/cli');

/** Starts `npx playwright test` in the checkout on the TypeScript suites; output goes below `directory`. */
export const startPlaywright = (
  directory: string,
  target: string | undefined,
  env: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Running =>
  startProcess(process.execPath, [CLI, 'test', '--output', join(directory, 'results'), ...words], {
    cwd: packageRoot(),
    env: { ...env, ...(target !== undefined && { PETSTORE_TARGET: target }) },
  });

/** Runs `startPlaywright` to its end. */
export const playwright = (...started: Parameters<typeof startPlaywright>): Promise<Ended> =>
  startPlaywright(...started).ended;

/** The one result of a test in Playwright's JSON report. */
interface Told {
  readonly errors: readonly {
    readonly message: string;
    readonly location?: { readonly file: string; readonly line: number };
  }[];
  readonly attachments: readonly { readonly name: string; readonly body?: string }[];
}

/** Reads the result of each test from Playwright's JSON report. */
export function testResults(stdout: string): readonly (Told & { readonly title: string })[] {
  interface Suite {
    readonly specs: readonly {
      readonly title: string;
      readonly tests: readonly { readonly results: readonly Told[] }[];
    }[];
    readonly suites?: readonly Suite[];
  }
  const walk = (suite: Suite): readonly (Told & { readonly title: string })[] => [
    ...suite.specs.flatMap(({ title, tests }) =>
      tests.flatMap(({ results }) => results.map((one) => ({ title, ...one }))),
    ),
    ...(suite.suites ?? []).flatMap(walk),
  ];
  const report = JSON.parse(stdout) as {
    readonly suites: readonly Suite[];
    readonly errors: readonly unknown[];
  };
  assert.deepEqual(report.errors, []);
  return report.suites.flatMap(walk);
}
