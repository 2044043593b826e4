import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { changedSources } from './test-order.js';

/**
 * Lints all sources of the current folder, and with types those that the change touches: with types, all of
 * them take a third of the time of the unit tests. `npm test` lints all with types.
 */

/** Returns the exit code of the linter with these words. */
const lint = (...words: readonly string[]): number =>
  spawnSync('npx', ['--no-install', 'oxlint', '--deny-warnings', ...words], { stdio: 'inherit' }).status ?? 1;

const changed = changedSources(process.cwd()).filter(
  (path) => /^(?:src|suites)\/.*\.tsx?$/.test(path) && existsSync(path),
);
const withTypes = changed.length === 0 ? 0 : lint('--type-aware', ...changed);
process.exitCode = Math.max(lint(), withTypes);
