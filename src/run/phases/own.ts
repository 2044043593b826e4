import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { count, counted, duration } from '../../base/kernel/format.js';
import { nearestName } from '../../base/kernel/nearest-name.js';
import type { OwnRequest } from '../../drive/own/own-suites.js';
import type { OwnMessage } from '../../drive/own/problems-reporter.js';
import { mostRequests } from '../../drive/probes/courier.js';
import { OWN_FOLDER } from '../../drive/suite/variables.js';
import { isSelected } from '../../log/header.js';
import type { OwnProblem } from '../../log/record.js';
import { redactor } from '../../wire/exchange/redact.js';
import { planOf } from '../../wire/targets/target.js';
import { withTimeLimit, mostOwnSeconds } from '../time-limits.js';
import type { Run } from '../open-run.js';
import { startPlaywright } from '../playwright-child.js';
import { letJudge, orderOf } from '../playwright-suites.js';
import type { RunOptions, RunRequest } from '../request.js';
import { needsOwn } from '../select.js';
import { labelled, NO_COST, type Phase } from './phase.js';

/** Runs the user's own suites in a Playwright process with its own time limit. */
export const ownPhase: Phase = {
  name: 'own',
  wanted: needsOwn,
  // Their requests are unknown before they run.
  cost: ({ request }) => ({ ...NO_COST, limitSeconds: mostOwnSeconds(request.target) }),
  lines: ({ request }) => (request.own && needsOwn(request) ? ownLines(request.own, request) : []),
  begin: (run) => ({
    perform: async () => {
      if (run.request.own) await runOwn(run, run.request.own);
      return null;
    },
  }),
};

const ownLines = (
  { rows, files, decide }: OwnRequest,
  { target, selected }: RunRequest,
): readonly string[] => {
  const chosen = rows.filter(({ id }) => isSelected({ selected }, id)).length;
  const most = mostRequests(planOf(target, target.suiteKey).perMinute);
  return [
    labelled(
      'own suites',
      `after everything else, ${counted(chosen, 'requirement')} in ${counted(files.length, 'file')}: ` +
        `at most ${count(most)} more requests with the ${target.suiteKey} key`,
    ),
    labelled('', `they ${decide ? 'decide the verdict too' : 'do not affect the verdict'}`),
  ];
};

type Tests = Extract<OwnMessage, { kind: 'tests' }>['tests'];

/** Errors of own suites are logged as theirs, and the run continues. */
async function runOwn(run: Run<RunOptions>, own: OwnRequest): Promise<void> {
  const { request, signal, keys, journal } = run;
  const { target } = request;
  const ids = own.rows.map(({ id }) => id);
  const wanted = ids.filter((id) => isSelected(request, id));
  const heard: OwnMessage[] = [];
  const seconds = mostOwnSeconds(target);
  const time = withTimeLimit(signal);
  // Runs all tests unless rows are deselected, to report a mistyped id.
  const order = orderOf(run, wanted.length < ids.length ? wanted : null, { own: { files: own.files, ids } });
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
  const reported = heard.flatMap((message) => (message.kind === 'problem' ? [message.problem] : []));
  const problems = [
    // The worker logs a test's own judgements and errors.
    ...reported.filter(({ requirement }) => requirement === undefined || !ended.settled.has(requirement)),
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
    .map(({ id, file, line }) => ({
      message: `the requirement ${id} has a second test`,
      file,
      line,
      requirement: id,
    }));

const saidBy = (output: string, code: number | null, keys: readonly string[]): string => {
  const [first = 'no output'] = redactor(keys)(output)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return `own suites ended with code ${code} before any test: ${first}`;
};
