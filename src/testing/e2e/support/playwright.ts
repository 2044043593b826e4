import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../../../contract/package-root.js';
import { startProcess } from './command.js';
import type { Ended } from './command.js';

const CLI = createRequire(import.meta.url).resolve('@playwright/test/cli');

/** `npx playwright test` in the checkout, on the TypeScript suites; what it writes goes below `directory`. */
export const playwright = (
  directory: string,
  target: string,
  env: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Ended> =>
  startProcess(process.execPath, [CLI, 'test', '--output', join(directory, 'results'), ...words], {
    cwd: packageRoot(),
    env: { ...env, PETSTORE_TARGET: target },
  }).ended;
