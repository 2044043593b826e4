import { createRequire } from 'node:module';
import { join } from 'node:path';
import { startProcess, type Ended, type Running } from './command.js';
import { packageRoot } from '../../../contract/package.js';

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
