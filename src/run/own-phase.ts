import { rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nearestName } from '../contract/nearest-name.js';
import { redactor } from '../exchange/redact.js';
import { followLog } from '../log/follow.js';
import type { Journal } from '../log/journal.js';
import type { LogHeader } from '../log/record.js';
import type { OwnMessage } from '../own/problems-reporter.js';
import { OWN_FOLDER } from '../own/variables.js';
import type { OwnProblem } from '../log/own-problem.js';
import { FILES } from '../report/files.js';
import { duration } from '../format/format.js';
import { bounded, mostOwnSeconds } from './bound.js';
import type { ExecuteOptions } from './execute-options.js';
import { startPlaywright } from './playwright-child.js';
import { orderOf } from './suites-phase.js';

type Tests = Extract<OwnMessage, { kind: 'tests' }>['tests'];

/**
 * Runs own suites in a process and within a time of their own: whatever becomes of them is written down as theirs, and the
 * run goes on.
 */
export async function ownPhase(
  options: ExecuteOptions,
  header: LogHeader,
  journal: Journal,
  file: string,
  keys: readonly string[],
): Promise<void> {
  const { request, directory, signal, onRecord } = options;
  const { own, selected, target } = request;
  if (!own) return;
  const wanted = own.rows.map(({ id }) => id).filter((id) => !selected || selected.includes(id));
  const heard: OwnMessage[] = [];
  const settled = new Set<string>();
  const seconds = mostOwnSeconds(target);
  const outputDir = resolve(directory, FILES.playwright);
  const time = bounded(signal);
  const child = startPlaywright({
    order: orderOf(options, header, file),
    keys,
    // Whatever is not left out is looked at, so that a mistyped id is told.
    selected: wanted.length < own.rows.length ? wanted : null,
    outputDir,
    own: { files: own.files, rows: own.rows },
    onMessage: (message) => void heard.push(message as OwnMessage),
  });
  const stop = followLog(file, statSync(file).size, (record) => {
    if (record.type === 'settled') settled.add(record.requirement);
    if (record.type !== 'phase') onRecord(record);
  });
  journal.append({ type: 'phase', phase: 'own', at: Date.now() });
  time.within(seconds);
  let ended;
  try {
    ended = await child.run(time.signal);
  } finally {
    stop();
    time.release();
    // What Playwright writes of a failed test quotes the target as it came, keys included.
    rmSync(join(outputDir, OWN_FOLDER), { recursive: true, force: true });
  }
  if (signal.aborted) return;
  const tests = heard.flatMap((message) => (message.kind === 'tests' ? message.tests : []));
  const told = heard.flatMap((message) => (message.kind === 'problem' ? [message.problem] : []));
  const problems = [
    // What a test itself has judged or broken down at is written down by its worker.
    ...told.filter(({ requirement }) => requirement === undefined || !settled.has(requirement)),
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
