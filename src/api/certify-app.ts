import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failingCards } from '../report/terminal/failing-cards.js';
import { FILES } from '../report/files.js';
import { verdictText } from '../report/words/bounds.js';
import type { Run } from './run-options.js';
import type { CertifyOptions } from './certify-options.js';
import { runTarget } from './run.js';
import { serveApp, type App } from './serve-app.js';

/** The version segment with which every base address ends (part 9). */
const USUAL_PATH = '/v1';

/** Judges a server of this process: see `certify` in `src/index.ts`. */
export async function certifyApp(app: App, { keys, path = USUAL_PATH, ...options }: CertifyOptions): Promise<Run> {
  const served = typeof app === 'string' ? null : await serveApp(app);
  const baseUrl = typeof app === 'string' ? app : `${served?.origin}${path}`;
  const folder = options.reportDir === undefined ? mkdtempSync(join(tmpdir(), 'petstore-conformance-')) : null;
  const { windows, suiteKey, ...run } = options;
  try {
    const came = await runTarget(
      { name: 'app', baseUrl, keys, ...(windows && { windows }), ...(suiteKey && { suiteKey }) },
      { only: 'suites', ...run, reportDir: options.reportDir ?? join(folder ?? '', 'report') },
    );
    if (came.exitCode !== 0) throw notConformant(came);
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    return came;
  } finally {
    await served?.close();
  }
}

/** What a test shows: the verdict, a card for each requirement that is not kept, and where the rest is. */
function notConformant(run: Run): Error {
  const { results, directory } = run;
  const cards = failingCards(results).join('\n');
  const message = [verdictText(results), cards, `report: ${join(directory, FILES.page)}`].filter((part) => part !== '');
  const error = new Error(message.join('\n\n'));
  error.name = 'NotConformant';
  return Object.assign(error, { run });
}
