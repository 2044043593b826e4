import { statSync, rmSync } from 'node:fs';
import { resolve, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadLedger } from '../base/interface/ledger.js';
import { redactor } from '../wire/exchange/redact.js';
import { followLog } from '../log/follow.js';
import { FILES } from '../log/files.js';
import { orderFor } from '../drive/suite/fixture.js';
import { nearestName } from '../base/kernel/nearest-name.js';
import type { OwnMessage } from '../drive/own/problems-reporter.js';
import { OWN_FOLDER, type WorkerOrder } from '../drive/suite/variables.js';
import type { OwnProblem } from '../log/record.js';
import { UsageError } from '../base/kernel/errors.js';
import { duration } from '../base/kernel/format.js';
import type { RunOptions } from './request.js';
import type { Run } from './run-to-end.js';
import { startPlaywright, type Ended, type PlaywrightChild } from './playwright-child.js';
import { endedEarly } from './ended-early.js';
import { testedRows } from './select.js';
import { bounded, mostOwnSeconds } from './bound.js';

/** The suites' process, and the requirements that they state. */
export type Suites = NonNullable<ReturnType<typeof prepareSuites>>;

const orderOf = (
  { request, removal, file, secret, keys, words, directory }: Run<RunOptions>,
  selected: WorkerOrder['selected'],
  own: WorkerOrder['own'] = null,
): WorkerOrder => ({
  ...orderFor(request.target, request, removal),
  log: file,
  secret,
  keys,
  words,
  selected,
  outputDir: resolve(directory, FILES.playwright),
  own,
});

/** Throws UsageError under Yarn's Plug'n'Play: Playwright loads the suites from files, and the kit lies in an archive there. */
function refusePlugAndPlay(): void {
  if (process.versions['pnp'] === undefined) return;
  throw new UsageError(
    'plug-and-play',
    'The suites cannot run under Yarn’s Plug’n’Play, which keeps the kit in an archive.',
    'Write nodeLinker: node-modules into .yarnrc.yml, and run yarn install. Nothing was sent.',
  );
}

/** Starts the process for the suites early, because it takes longer than preflight; null if not needed. */
export function prepareSuites(run: Run<RunOptions>) {
  const stated = testedRows(loadLedger().requirements, run.request);
  if (stated.length > 0) refusePlugAndPlay();
  return stated.length === 0 ? null : { child: startPlaywright(orderOf(run, run.request.selected && stated)), stated };
}

/** Runs a Playwright process, which writes the log until its end; returns the settled rows. */
async function letJudge(
  { journal, file, onRecord }: Run<RunOptions>,
  child: PlaywrightChild,
  phase: 'suites' | 'own',
  signal: AbortSignal,
): Promise<Ended & { readonly settled: ReadonlySet<string> }> {
  const settled = new Set<string>();
  const stop = followLog(file, statSync(file).size, (record) => {
    if (record.type === 'settled') settled.add(record.requirement);
    // This process wrote and showed the phase's record itself, below.
    if (record.type !== 'phase') onRecord(record);
  });
  try {
    // The worker waits for this line, and writes the log from then on.
    journal.append({ type: 'phase', phase, at: Date.now() });
    return { ...(await child.run(signal)), settled };
  } finally {
    stop();
  }
}

/** Runs the suites in a process that writes the log meanwhile. Throws an Error if it ended before all was judged. */
export async function suitesPhase(run: Run<RunOptions>, { child, stated }: Suites): Promise<void> {
  // Preflight may have read megabytes. This process is idle now, and the worker needs memory.
  collectGarbage();
  const ended = await letJudge(run, child, 'suites', run.signal);
  const missing = stated.filter((id) => !ended.settled.has(id));
  if (missing.length === 0 || run.signal.aborted) return;
  const output = redactor(run.keys, run.words)(ended.output);
  throw new Error(endedEarly(missing, { code: ended.code, output }));
}

type Tests = Extract<OwnMessage, { kind: 'tests' }>['tests'];

/** Runs own suites in a separate process with its own time limit. Their errors are logged as theirs, and the run continues. */
export async function ownPhase(run: Run<RunOptions>): Promise<void> {
  const { request, signal, keys, journal } = run;
  const { own, selected, target } = request;
  if (!own) return;
  const ids = own.rows.map(({ id }) => id);
  const wanted = ids.filter((id) => !selected || selected.includes(id));
  const heard: OwnMessage[] = [];
  const seconds = mostOwnSeconds(target);
  const time = bounded(signal);
  // Runs all tests unless rows are deselected, to report a mistyped id.
  const order = orderOf(run, wanted.length < ids.length ? wanted : null, { files: own.files, ids });
  const child = startPlaywright(order, (message) => void heard.push(message as OwnMessage));
  time.within(seconds);
  let ended;
  try {
    ended = await letJudge(run, child, 'own', time.signal);
  } finally {
    time.release();
    // Playwright's output of a failed test quotes the target unredacted, with keys.
    rmSync(join(order.outputDir, OWN_FOLDER), { recursive: true, force: true });
  }
  if (signal.aborted) return;
  const tests = heard.flatMap((message) => (message.kind === 'tests' ? message.tests : []));
  const told = heard.flatMap((message) => (message.kind === 'problem' ? [message.problem] : []));
  const problems = [
    // The worker logs a test's own judgements and errors.
    ...told.filter(({ requirement }) => requirement === undefined || !ended.settled.has(requirement)),
    ...unknownIn(tests, ids),
    ...statedTwice(tests),
    ...(time.over() === null ? [] : [{ message: `own suites took longer than ${duration(seconds * 1000)}` }]),
  ];
  const isSilent = problems.length === 0 && !heard.some(({ kind }) => kind === 'tests');
  const lost = isSilent ? [{ message: saidBy(ended.output, ended.code, keys) }] : [];
  for (const problem of [...problems, ...lost]) journal.append({ type: 'own-problem', problem });
}

/** Tests without a row, whose findings would be lost. */
const unknownIn = (tests: Tests, ids: readonly string[]): readonly OwnProblem[] =>
  tests
    .filter(({ id }) => !ids.includes(id))
    .map(({ id, file, line }) => {
      const nearest = nearestName(id, ids);
      const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
      return { message: `the test "${id}" has no requirement in the own ledger${hint}`, file, line };
    });

/** Repeated tests of a requirement, because it would be unclear which one decides. */
const statedTwice = (tests: Tests): readonly OwnProblem[] =>
  tests
    .filter(({ id }, at) => tests.findIndex((one) => one.id === id) < at)
    .map(({ id, file, line }) => ({ message: `the requirement ${id} has a second test`, file, line, requirement: id }));

/** Last output of a process that sent no message. */
const saidBy = (output: string, code: number | null, keys: readonly string[]): string => {
  const [first = 'no output'] = redactor(keys)(output)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return `own suites ended with code ${code} before any test: ${first}`;
};

/** Collects garbage: before another process needs the memory, or for measuring the rest. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Objects freed by the first may reference others.
  collect();
  collect();
}
