import { extname } from 'node:path';
import { defineConfig } from '@playwright/test';
import { orderOfRun } from './src/drive/suite/variables.js';

/** Under `run`, the folder that Playwright may write into; by hand, its usual one. */
const { outputDir: output, selected = null, files = null } = orderOfRun() ?? {};
// Compiled in the package, TypeScript in a checkout; this file is what the other one is.
const byHand = `./src/run/by-hand-setup${extname(import.meta.filename)}`;

// Started by `run`, this process lives no longer than its parent: the channel between them breaks with it.
if (output !== undefined && process.send) process.on('disconnect', () => process.exit(1));

// What is written down quotes a server's answers: it is for its owner to show around.
process.umask(0o077);

export default defineConfig({
  testDir: './suites',
  testMatch: files ? files.map((name) => `**/${name}`) : '**/*.spec.{ts,js}',
  // Under `run` what every answer is judged by is in the log, and needs no test.
  ...(output === undefined ? { globalSetup: byHand } : { testIgnore: '**/with-every-answer.spec.*' }),
  // Inside an installed package the suites lie in node_modules, which is ignored.
  respectGitIgnore: false,
  // One worker and no retry: the run's memory lives in the worker, and a flake is to be seen.
  workers: 1,
  retries: 0,
  fullyParallel: false,
  // Every request and every wait is bounded by the courier; a test that was cut off would cost a new worker.
  timeout: 0,
  reporter:
    output === undefined ? 'list' : [['line'], ['html', { outputFolder: `${output}/html`, open: 'never' }]],
  ...(output !== undefined && { outputDir: `${output}/results` }),
  // Traces would hold the key in clear.
  use: { trace: 'off' },
  ...(selected && { grep: new RegExp(`(^|\\s)(${selected.join('|')})(\\s|$)`) }),
});
