import { statSync, rmSync } from 'node:fs';
import { resolve, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadLedger } from '../contract/ledger.js';
import type { RequirementId } from '../contract/types.js';
import { redactor } from '../exchange/redact.js';
import { followLog } from '../log/follow.js';
import { FILES } from '../log/files.js';
import type { WorkerOrder } from '../suite/worker-fixture.js';
import { planOf } from '../targets/target.js';
import { nearestName } from '../contract/nearest-name.js';
import type { OwnMessage } from '../own/problems-reporter.js';
import { OWN_FOLDER } from '../suite/variables.js';
import type { OwnProblem } from '../log/own-problem.js';
import { duration } from '../format/format.js';
import type { RunOptions } from './request.js';
import type { Run } from './run-to-end.js';
import { startPlaywright, type Ended, type PlaywrightChild } from './playwright-child.js';
import { testedRows } from './select.js';
import { bounded, mostOwnSeconds } from './bound.js';

/** Suites that are about to be run. */
export interface Suites {
  readonly child: PlaywrightChild;
  /** The requirements that they state. */
  readonly stated: readonly RequirementId[];
}

/** Returns the order for a worker. */
const orderOf = ({ request, removal, header, file }: Run<RunOptions>): WorkerOrder => {
  const { run, target, writes } = request;
  return {
    log: file,
    run,
    baseUrl: target.baseUrl,
    plan: target.suiteKey,
    writes,
    exclusive: target.exclusive,
    figures: { plan: planOf(target, target.suiteKey), windows: target.windows },
    limits: target.http,
    removal,
    asOf: header.scope.asOf,
  };
};

/** Starts what runs the suites, which takes longer than preflight; null where none is needed. */
export function prepareSuites(run: Run<RunOptions>): Suites | null {
  const { request, directory, keys } = run;
  const stated = testedRows(loadLedger().requirements, request);
  if (stated.length === 0) return null;
  const outputDir = resolve(directory, FILES.playwright);
  return {
    child: startPlaywright({ order: orderOf(run), keys, selected: request.selected && stated, outputDir }),
    stated,
  };
}

/** Lets a Playwright process judge, and write the log meanwhile, until it ends; gives what it settled. */
async function letJudge(
  { journal, file, onRecord }: Run<RunOptions>,
  child: PlaywrightChild,
  phase: 'suites' | 'own',
  signal: AbortSignal,
): Promise<Ended & { readonly settled: ReadonlySet<string> }> {
  const settled = new Set<string>();
  const stop = followLog(file, statSync(file).size, (record) => {
    if (record.type === 'settled') settled.add(record.requirement);
    // The phase is our own line, below: it was shown when it was written.
    if (record.type !== 'phase') onRecord(record);
  });
  try {
    // The worker waits for this line, and from there on it is the one that writes.
    journal.append({ type: 'phase', phase, at: Date.now() });
    return { ...(await child.run(signal)), settled };
  } finally {
    stop();
  }
}

/**
 * Runs the suites in their own process, which writes the log meanwhile. Throws an Error where that ended before it had
 * judged all that it states.
 */
export async function suitesPhase(run: Run<RunOptions>, { child, stated }: Suites): Promise<void> {
  // Preflight may have read megabytes; this process is idle from here on, and the worker is about to read more.
  collectGarbage();
  const ended = await letJudge(run, child, 'suites', run.signal);
  const missing = stated.filter((id) => !ended.settled.has(id));
  if (missing.length === 0 || run.signal.aborted) return;
  const clean = redactor(run.keys)(ended.output.trim());
  throw new Error(`Playwright ended with code ${ended.code} before ${missing.join(', ')} was judged:\n${clean}`);
}

type Tests = Extract<OwnMessage, { kind: 'tests' }>['tests'];

/**
 * Runs own suites in a process and within a time of their own: whatever becomes of them is written down as theirs, and the
 * run goes on.
 */
export async function ownPhase(run: Run<RunOptions>): Promise<void> {
  const { request, directory, signal, keys, journal } = run;
  const { own, selected, target } = request;
  if (!own) return;
  const wanted = own.rows.map(({ id }) => id).filter((id) => !selected || selected.includes(id));
  const heard: OwnMessage[] = [];
  const seconds = mostOwnSeconds(target);
  const outputDir = resolve(directory, FILES.playwright);
  const time = bounded(signal);
  const child = startPlaywright({
    order: orderOf(run),
    keys,
    // Whatever is not left out is looked at, so that a mistyped id is told.
    selected: wanted.length < own.rows.length ? wanted : null,
    outputDir,
    own: { files: own.files, rows: own.rows },
    onMessage: (message) => void heard.push(message as OwnMessage),
  });
  time.within(seconds);
  let ended;
  try {
    ended = await letJudge(run, child, 'own', time.signal);
  } finally {
    time.release();
    // What Playwright writes of a failed test quotes the target as it came, keys included.
    rmSync(join(outputDir, OWN_FOLDER), { recursive: true, force: true });
  }
  if (signal.aborted) return;
  const tests = heard.flatMap((message) => (message.kind === 'tests' ? message.tests : []));
  const told = heard.flatMap((message) => (message.kind === 'problem' ? [message.problem] : []));
  const problems = [
    // What a test itself has judged or broken down at is written down by its worker.
    ...told.filter(({ requirement }) => requirement === undefined || !ended.settled.has(requirement)),
    ...unknownIn(
      tests,
      own.rows.map(({ id }) => id),
    ),
    ...statedTwice(tests),
    ...(time.over() === null ? [] : [{ message: `the own suites took longer than ${duration(seconds * 1000)}` }]),
  ];
  const isSilent = problems.length === 0 && !heard.some(({ kind }) => kind === 'tests');
  const lost = isSilent ? [{ message: saidBy(ended.output, ended.code, keys) }] : [];
  for (const problem of [...problems, ...lost]) journal.append({ type: 'own-problem', problem });
}

/** Tests that no row speaks of: what they find would stand nowhere. */
const unknownIn = (tests: Tests, ids: readonly string[]): readonly OwnProblem[] =>
  tests
    .filter(({ id }) => !ids.includes(id))
    .map(({ id, file, line }) => {
      const nearest = nearestName(id, ids);
      const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
      return { message: `the test “${id}” is no requirement of the own ledger${hint}`, file, line };
    });

/** The second test of a requirement: of two nobody could say which one decides. */
const statedTwice = (tests: Tests): readonly OwnProblem[] =>
  tests
    .filter(({ id }, at) => tests.findIndex((one) => one.id === id) < at)
    .map(({ id, file, line }) => ({ message: `the requirement ${id} has a second test`, file, line, requirement: id }));

/** Of a process that told nothing: its last words. */
const saidBy = (output: string, code: number | null, keys: readonly string[]): string => {
  const [first = 'nothing was said'] = redactor(keys)(output)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return `the own suites ended with code ${code} before any test: ${first}`;
};

/** Collects what nobody holds any more: before another process takes as much, or so that what is left can be measured. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What the first time shows to be unused may hold more.
  collect();
  collect();
}
