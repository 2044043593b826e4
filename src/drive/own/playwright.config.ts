import { dirname, join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { orderOfRun, OWN_FOLDER } from '../suite/variables.js';
import { packageRoot } from '../../base/kernel/package.js';
import { literal } from '../../base/kernel/literal.js';

/** Own suites, in any folder and any language that Playwright reads. */

const order = orderOfRun();
if (!order?.own) throw new Error('Only run starts own suites.');
const { figures, selected, outputDir } = order;
const { files } = order.own;

// `run` started this process, which ends with its parent: then the channel between them closes.
if (process.send) process.on('disconnect', () => process.exit(1));

process.umask(0o077);

/** Time for a test without waiting, ms, and number of windows that it may wait out. */
const PATIENCE = { plainMs: 30_000, windows: 2 };

export default defineConfig({
  // One project for each folder, so other files between them are ignored.
  projects: [...new Set(files.map((file) => dirname(file)))].map((testDir) => ({
    name: testDir,
    testDir,
    testMatch: files
      .filter((file) => dirname(file) === testDir)
      .map((file) => new RegExp(`^${literal(file)}$`)),
  })),
  // The kit is compiled already, even if it is not installed as a package.
  build: { external: [join(packageRoot(), 'dist/**')] },
  respectGitIgnore: false,
  workers: 1,
  retries: 0,
  fullyParallel: false,
  timeout: PATIENCE.plainMs + PATIENCE.windows * figures.windows.minute * 1000,
  reporter: [[join(import.meta.dirname, 'problems-reporter.js')]],
  outputDir: join(outputDir, OWN_FOLDER),
  // Traces would contain the key in clear.
  use: { trace: 'off' },
  ...(selected && { grep: new RegExp(`(^|\\s)(${selected.join('|')})$`) }),
});
