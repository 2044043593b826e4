import { join } from 'node:path';
// Without browsers: preparing their fixtures for each test took a sixth of a run's processor time.
import { _baseTest as base } from '@playwright/test';
import type { Fixture } from './fixture.js';
import { orderOfRun } from './variables.js';
import type { HandReport } from './worker-fixture.js';

interface Fixtures {
  readonly opened: { readonly fixture: Fixture; readonly hand: HandReport | null };
  readonly fixture: Fixture;
  readonly hand: HandReport | null;
}

/** Playwright's `test` with a worker's fixture: the run's memory lives as long as the worker. */
export const test = base.extend<object, Fixtures>({
  opened: [
    // Playwright reads the fixtures that this one needs from its first parameter; it needs none.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use, { project, workerIndex }) => {
      const { openHandFixture, openWorkerFixture } = await import('./worker-fixture.js');
      const order = orderOfRun();
      const opened = order
        ? await openWorkerFixture(order)
        : await openHandFixture(process.env, join(project.outputDir, 'memory'), workerIndex === 0);
      await use(opened);
      await opened.close();
    },
    { scope: 'worker' },
  ],
  fixture: [({ opened }, use) => use(opened.fixture), { scope: 'worker' }],
  hand: [({ opened }, use) => use(opened.hand), { scope: 'worker' }],
});
