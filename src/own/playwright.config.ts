import { dirname, join } from 'node:path';
import { defineConfig } from '@playwright/test';
import type { WorkerOrder } from '../suite/worker-fixture.js';
import { ORDER_VARIABLE, OUTPUT_VARIABLE, SELECTED_VARIABLE, OWN_FOLDER, OWN_VARIABLE } from '../suite/variables.js';
import type { OwnOrder } from './own-fixture.js';
import { packageRoot } from '../contract/package.js';

/** Own suites: wherever they lie, and whatever language they are written in that Playwright reads. */

const { files } = JSON.parse(process.env[OWN_VARIABLE] ?? '{}') as OwnOrder;
const { figures } = JSON.parse(process.env[ORDER_VARIABLE] ?? '{}') as WorkerOrder;
const selected = process.env[SELECTED_VARIABLE]?.split(',');
const output = process.env[OUTPUT_VARIABLE] ?? 'test-results';

// Started by `run`, this process lives no longer than its parent: the channel between them breaks with it.
if (process.send) process.on('disconnect', () => process.exit(1));

process.umask(0o077);

/** For a test that waits for nothing, and for each window that it may have to wait out, ms and times. */
const PATIENCE = { plainMs: 30_000, windows: 2 };

const escaped = (path: string): string => path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

export default defineConfig({
  // A folder each: what lies between them is nobody's suites.
  projects: [...new Set(files.map((file) => dirname(file)))].map((testDir) => ({
    name: testDir,
    testDir,
    testMatch: files.filter((file) => dirname(file) === testDir).map((file) => new RegExp(`^${escaped(file)}$`)),
  })),
  // The kit is compiled, also where it is no package among others.
  build: { external: [join(packageRoot(), 'dist/**')] },
  respectGitIgnore: false,
  workers: 1,
  retries: 0,
  fullyParallel: false,
  timeout: PATIENCE.plainMs + PATIENCE.windows * figures.windows.minute * 1000,
  reporter: [[join(import.meta.dirname, 'problems-reporter.js')]],
  outputDir: join(output, OWN_FOLDER),
  // Traces would hold the key in clear.
  use: { trace: 'off' },
  ...(selected && { grep: new RegExp(`(^|\\s)(${selected.join('|')})$`) }),
});
