import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { redactor } from '../../wire/exchange/redact.js';
import { commandLine } from '../cli/command-line.js';
import type { Arguments } from '../cli/command-options.js';
import { badOption } from '../../base/kernel/errors.js';
import { FILES } from '../../log/files.js';
import { readLog } from '../../log/read.js';
import {
  createTerminalReporter,
  createWaitReporter,
  type TerminalOptions,
} from '../../report/terminal/reporter.js';
import { SILENT, type RunReporter } from '../../report/run-reporter.js';
import { judgeTarget } from '../../run/judge-target.js';
import { ownRequest } from '../../drive/own/own-suites.js';
import { planRun } from '../../run/plan-run.js';
import { logIn } from '../../run/report-dir.js';
import { terminalOptions } from '../cli/acceptance.js';
import { writeReports } from '../../run/write-reports.js';
import { parseTarget, readTargetFile } from '../../wire/targets/load-target.js';
import { nameOf } from '../../wire/targets/target-options.js';
import { knownKeys } from '../../wire/targets/secret.js';
import type { Target } from '../../wire/targets/target.js';
import type { Results } from '../../outcome/results/results.js';
import { runDocument } from '../../report/run-document.js';
import { failingCards } from '../../report/terminal/part-lines.js';
import { verdictText } from '../../outcome/words/bounds.js';
import { safeText } from '../../outcome/words/safe-text.js';
import type { Run, RunOptions, TargetSettings, CertifyOptions } from './run-options.js';
import { serveApp, type App } from './serve-app.js';

/**
 * Judges a target like the command: see `run` in `src/index.ts`.
 *
 * @param silent reporter of a run without `output`
 */
export async function runTarget(
  given: string | TargetSettings,
  options: RunOptions = {},
  silent: RunReporter = SILENT,
): Promise<Run> {
  const target = targetOf(given);
  const args = argumentsOf(given, target, options);
  const plan = planRun({
    ...args,
    explore: undefined,
    own: ownRequest(args),
    target,
    acceptance: { certificate: args.certify, baseline: false },
    command: commandLine('run', args),
    now: Date.now(),
  });
  const text = options.output;
  const signal = options.signal instanceof AbortSignal ? options.signal : new AbortController().signal;
  const out = new Writable({
    decodeStrings: false,
    write: (chunk: string, _, done) => (text?.write(chunk), done()),
  });
  const reporter = text === undefined ? silent : createTerminalReporter(plainOn(out));
  const { results, code, directory } = await judgeTarget(
    plan,
    { ...args, before: null, properties: undefined },
    // A program's run adds nothing to the summary of a CI job.
    { reporter, io: { err: out, env: {} }, signal },
  );
  return { results, exitCode: code, directory };
}

const plainOn = (stream: TerminalOptions['stream']): TerminalOptions =>
  terminalOptions({ stream, reporter: 'list', verbose: false, env: { NO_COLOR: '1' } });

/** Writes the reports of a log again: see `report` in `src/index.ts`. */
export async function reportOn(path: string): Promise<Results> {
  const file = logIn(path);
  return writeReports(dirname(file), await readLog(file)).results;
}

function targetOf(given: string | TargetSettings): Target {
  if (typeof given === 'string') return readTargetFile(given, process.env);
  // The reader of the target reports an invalid address.
  const name = given.name ?? (URL.canParse(given.baseUrl) ? nameOf(given.baseUrl) : 'target');
  return parseTarget(JSON.stringify({ ...given, name }), 'the given target', process.env);
}

const argumentsOf = (
  given: string | TargetSettings,
  target: Target,
  options: RunOptions,
): Arguments<'run'> => ({
  ...(typeof given === 'string'
    ? { target: given, key: [] }
    : { baseUrl: target.baseUrl, key: Object.keys(target.keys).map((plan) => `${plan}=`) }),
  only: options.only,
  requirement: options.requirements ?? [],
  profile: options.profiles ?? [],
  plan: options.plans,
  quick: options.quick ?? false,
  include: options.include,
  suite: options.suites,
  ledger: options.ledger,
  ownDecide: options.ownDecide ?? false,
  readOnly: options.readOnly ?? false,
  lastFailed: false,
  dryRun: false,
  reportDir: options.reportDir,
  label: options.label,
  subject: options.subject ?? [],
  asOf: options.asOf,
  certify: options.certify ?? false,
  allowLoadOnProduction: options.allowLoadOnProduction ?? false,
  reporter: 'list',
  verbose: false,
});

/** Judges a server of this process: see `certify` in `src/index.ts`. */
export async function certifyApp(app: App, given: CertifyOptions): Promise<Run> {
  // A program in JavaScript may leave out what the types demand.
  const { keys, path = '/v1', ...options }: Partial<CertifyOptions> = given ?? {};
  if (keys === undefined)
    throw badOption(
      'certify() needs a key of the app.',
      "Give the keys of its plans: certify(app, { keys: { free: '...' } }).",
    );
  const served = typeof app === 'string' ? null : await serveApp(app, printer());
  const baseUrl = typeof app === 'string' ? app : `${served?.origin}${path}`;
  const folder =
    options.reportDir === undefined ? mkdtempSync(join(tmpdir(), 'petstore-conformance-')) : null;
  const { windows, suiteKey, ...run } = options;
  try {
    const came = await runTarget(
      { name: 'app', baseUrl, keys, ...(windows && { windows }), ...(suiteKey && { suiteKey }) },
      { only: 'suites', ...run, reportDir: options.reportDir ?? join(folder ?? '', 'report') },
      createWaitReporter(plainOn(process.stderr)),
    );
    if (came.exitCode !== 0) throw notConformant(came);
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    return came;
  } finally {
    await served?.close();
  }
}

/** Prints what an app throws, each text once, without keys. */
function printer(): (text: string) => void {
  const printed = new Set<string>();
  return (text) => {
    const lines = redactor([...knownKeys()])(text).split('\n');
    const [first = ''] = lines;
    if (printed.has(first)) return;
    printed.add(first);
    for (const line of lines) process.stderr.write(`${safeText(line, true)}\n`);
  };
}

/** Text for a test: the verdict, a card for each unmet requirement, and the location of the rest. */
function notConformant(run: Run): Error {
  const { results, directory } = run;
  const cards = failingCards(runDocument(results)).join('\n');
  const message = [verdictText(results), cards, `report: ${join(directory, FILES.page)}`].filter(
    (part) => part !== '',
  );
  const error = new Error(message.join('\n\n'));
  error.name = 'NotConformant';
  return Object.assign(error, { run });
}
