import { UsageError } from '../../base/kernel/errors.js';
import { redactor } from '../../wire/exchange/redact.js';
import { collectGarbage } from '../collect-garbage.js';
import { endedEarly } from '../ended-early.js';
import type { Run } from '../open-run.js';
import { suitesProcess, type PlaywrightChild } from '../playwright-child.js';
import { letJudge, orderOf } from '../playwright-suites.js';
import type { RunOptions } from '../request.js';
import { needsSuites, testedRows } from '../select.js';
import { filesStating } from '../suite-files.js';
import { labelled, type Phase } from './phase.js';

/** Time of the suites without the network, s; most of it is Playwright's start. */
const START_SECONDS = 3;

/**
 * Memory that this process uses at most after a usual preflight: twice as much as measured. A body of a
 * megabyte adds more.
 */
const USUAL_BYTES = 48 * 2 ** 20;

/** Judges the selected rows of the suites in a Playwright process, which writes the log meanwhile. */
export const suitesPhase: Phase = {
  name: 'suites',
  wanted: needsSuites,
  cost: ({ suites, latencyMs }) => {
    const requests = suites ? suites.withKey + suites.withoutKey : 0;
    // They send one request after the other.
    return { requests, seconds: START_SECONDS + Math.round((requests * latencyMs) / 1000) };
  },
  lines: ({ request: { target }, suites, probes }) =>
    suites
      ? [
          labelled(
            'suites',
            `about ${suites.withKey} requests with the ${target.suiteKey} key and ${suites.withoutKey} without a valid one ` +
              '(counted on the embedded server)',
          ),
          ...probes.map((probe) => labelled('', probe)),
        ]
      : [],
  begin: (run) => {
    refusePlugAndPlay();
    const stated = testedRows(run.request);
    // Starts early, because it takes longer than preflight.
    const order = run.request.selected
      ? orderOf(run, stated, { files: filesStating(stated) })
      : orderOf(run, null);
    const child = suitesProcess.start(order);
    return { perform: () => judgeAll(run, child, stated), discard: child.discard };
  },
};

/**
 * Throws UsageError under Yarn's Plug'n'Play: Playwright loads the suites from files, and the kit lies in an
 * archive there.
 */
function refusePlugAndPlay(): void {
  if (process.versions['pnp'] === undefined) return;
  throw new UsageError(
    'plug-and-play',
    'The suites cannot run under Yarn’s Plug’n’Play, which keeps the kit in an archive.',
    'Write nodeLinker: node-modules into .yarnrc.yml, and run yarn install. Nothing was sent.',
  );
}

/** Runs the suites. Throws an Error if their process ended before all was judged. */
async function judgeAll(
  run: Run<RunOptions>,
  child: PlaywrightChild,
  stated: readonly string[],
): Promise<null> {
  const { heapUsed, external } = process.memoryUsage();
  // Preflight may have read megabytes. This process is idle now, and the worker needs memory.
  if (heapUsed + external > USUAL_BYTES) collectGarbage();
  const ended = await letJudge(run, child, 'suites', run.signal);
  const missing = stated.filter((id) => !ended.settled.has(id));
  if (missing.length === 0 || run.signal.aborted) return null;
  const output = redactor(run.keys, run.words)(ended.output);
  throw new Error(endedEarly(missing, { code: ended.code, output }));
}
