import { keysIn } from '../../wire/targets/keys.js';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// Without browsers: preparing their fixtures for each test took a sixth of a run's processor time.
import { _baseTest as base } from '@playwright/test';
import type { Finding } from '../../judge/findings/finding.js';
import { loadLedger } from '../../base/interface/ledger.js';
import type { Requirement } from '../../base/interface/types.js';
import { nothingKnown } from '../../wire/exchange/kept-connection.js';
import { redactor } from '../../wire/exchange/redact.js';
import { takeOver } from '../../log/follow.js';
import { fileJournal } from '../../log/journal.js';
import type { LogRecord } from '../../log/record.js';
import { curlOf, curlSource, type CurlSource } from '../../wire/exchange/curl.js';
import { exchangeText } from '../../wire/exchange/exchange-text.js';
import { fold, reasonOf } from '../../judge/verdict.js';
import { openFixture, newRunId, orderFor, type Fixture } from './fixture.js';
import { orderOfRun, TARGET_VARIABLE, type WorkerOrder } from './variables.js';
import { loadContract } from '../../base/interface/contract.js';
import { readTargetFile } from '../../wire/targets/load-target.js';
import { resolveTarget } from './resolve-target.js';
import { removalPhaseAt } from '../../base/interface/removal-phase.js';

/** Files for the state of a start, for the worker that follows one with a failed test. */
const MEMORY = '.petstore-memory.ndjson';
const RUN = '.petstore-run';

/**
 * Opens the fixture for the target in PETSTORE_TARGET. A failed test ends its worker, but keeps the suites' responses: the next
 * worker continues with its log.
 * @param directory folder of this start
 * @param isFirst is true for the first worker of the start
 * @throws ConfigError
 */
async function openHandFixture(env: NodeJS.ProcessEnv, directory: string, isFirst: boolean) {
  const target = await resolveTarget(readTargetFile(env[TARGET_VARIABLE] ?? 'staging', env));
  mkdirSync(directory, { recursive: true });
  const [file, runFile] = [join(directory, MEMORY), join(directory, RUN)];
  if (isFirst) for (const old of [file, runFile]) rmSync(old, { force: true });
  const records: LogRecord[] = existsSync(file) ? recordsIn(file) : [];
  const run = existsSync(runFile) ? readFileSync(runFile, 'utf8') : newRunId();
  writeFileSync(runFile, run);
  const known = records.flatMap((record) => (record.type === 'exchange' ? [record.exchange] : []));
  const redact = redactor(keysIn(target));
  const journal = fileJournal(file, redact, (record) => void records.push(record));
  const removal = removalPhaseAt(loadContract().removalDate, Date.now());
  const asOf = new Date().toISOString().slice(0, 10);
  const order = orderFor(target, { run, writes: target.writes, asOf }, removal);
  const suiteKey = target.keys[target.suiteKey]?.reveal() ?? '';
  const { fixture, sender } = openFixture(order, { journal, keys: [suiteKey], redact, known });
  const hand = { source: curlSource({ target, scope: target }), records: () => records };
  return { fixture, hand, close: async () => (await sender.close(), journal.close()) };
}

/** Reads the whole lines of a log; a killed worker may leave half a line. */
const recordsIn = (file: string): LogRecord[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogRecord);

/** Additional state of suites started without `run`; null under `run`, whose log has it. */
export interface HandReport {
  readonly source: CurlSource;
  /** Returns all redacted records of the workers of this start, oldest first. */
  readonly records: () => readonly LogRecord[];
}

interface Fixtures {
  readonly opened: { readonly fixture: Fixture; readonly hand: HandReport | null };
  readonly fixture: Fixture;
  readonly hand: HandReport | null;
}

/** Opens the fixture of a Playwright worker of `run`, which continues the run's log and its state. Throws RunFileError. */
async function openWorkerFixture(order: WorkerOrder) {
  const { keys, words } = order;
  const redact = redactor(keys, words);
  // The worker starts during preflight, to save time; until its end only preflight writes.
  const { journal, known, preflight } = await takeOver(order.log, 'suites', redact, order.secret);
  const afterwards = nothingKnown(preflight?.connections);
  const { fixture, sender } = openFixture(order, { journal, keys, redact, known, afterwards });
  return { fixture, hand: null, close: async () => (await sender.close(), journal.close()) };
}

/** Playwright's `test` with a worker's fixture: the run's memory lives as long as the worker. */
export const test = base.extend<object, Fixtures>({
  opened: [
    // Playwright reads the fixtures that this one needs from its first parameter; it needs none.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use, { project, workerIndex }) => {
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

/**
 * Reports a requirement's outcome to Playwright. Under `run` the log has everything, and a failed test would cost a new worker,
 * so the outcome is only an annotation. Otherwise a failure throws from the line of the judgement, with the exchanges attached.
 * @param place an Error made where the failure must point
 */
export async function reportToPlaywright(
  row: Requirement,
  own: readonly Finding[],
  hand: HandReport | null,
  place: Error,
): Promise<void> {
  const findings = hand ? [...own, ...fromOthers(row, own, hand)] : own;
  const outcome = fold(row.level, findings);
  const text = findings.map(describe).filter(Boolean).join('\n');
  const reason = reasonOf(row.level, outcome, findings)?.text;
  test.info().annotations.push({ type: outcome, description: reason ?? text });
  if (!hand) return;
  if (outcome === 'failed' || outcome === 'error') await fail(row.statement, findings, hand, place);
  if (outcome === 'inconclusive' || outcome === 'not-applicable') test.info().skip(true, reason ?? outcome);
}

/** Findings of other rows about this one, from before its test. */
const fromOthers = (row: Requirement, own: readonly Finding[], { records }: HandReport): readonly Finding[] => {
  const said = new Set(own.map((finding) => JSON.stringify(finding)));
  return violationsOf(records()).filter(
    (finding) => finding.requirement === row.id && !said.has(JSON.stringify(finding)),
  );
};

/** Reports a row that judges every response, by the responses so far. */
export async function reportEveryAnswer(row: Requirement, hand: HandReport, place: Error): Promise<void> {
  const records = hand.records();
  const broken = violationsOf(records).filter(({ requirement }) => requirement === row.id);
  const judged = records.some((record) => record.type === 'exchange' && record.kept.includes(row.id));
  if (broken.length > 0 && row.level === 'must') await fail(row.statement, broken, hand, place);
  test.info().annotations.push({ type: broken.length > 0 ? 'warned' : 'passed', description: row.statement });
  if (!judged && broken.length === 0) test.info().skip(true, 'no response so far is of a kind that this row judges');
}

/** Reports rows with a response that violates them after their test. */
export async function reportLater(hand: HandReport, place: Error): Promise<void> {
  const records = hand.records();
  const over = new Map(records.flatMap((record, at) => (record.type === 'settled' ? [[record.requirement, at]] : [])));
  const later = records.flatMap((record, at) =>
    record.type === 'finding' && record.finding.kind === 'violated' && at > (over.get(record.finding.requirement) ?? at)
      ? [record.finding]
      : [],
  );
  const musts = new Set(loadLedger().requirements.flatMap(({ id, level }) => (level === 'must' ? [id] : [])));
  const broken = later.filter(({ requirement, warns }) => musts.has(requirement) && !warns);
  const ids = [...new Set(broken.map(({ requirement }) => requirement))];
  if (broken.length > 0) await fail(`violated after their own tests: ${ids.join(', ')}`, broken, hand, place);
}

type Violation = Extract<Finding, { kind: 'violated' }>;

const violationsOf = (records: readonly LogRecord[]): readonly Violation[] =>
  records.flatMap((record) =>
    record.type === 'finding' && record.finding.kind === 'violated' ? [record.finding] : [],
  );

/** Most findings in a test's message, for reading on a terminal; the rest are counted. */
const MOST_TOLD = 6;
/** Most attached exchanges: three show as much as thirty. */
const MOST_ATTACHED = 3;

/** Throws from `place`, with the first exchanges and their curl lines attached, all redacted. */
async function fail(statement: string, findings: readonly Finding[], hand: HandReport, place: Error): Promise<never> {
  const bad = findings.filter(({ kind }) => kind === 'violated' || kind === 'fault');
  const ids = new Set(bad.flatMap((finding) => (finding.kind === 'violated' ? finding.exchanges : [])));
  const exchanges = hand
    .records()
    .flatMap((record) => (record.type === 'exchange' && ids.has(record.exchange.id) ? [record.exchange] : []));
  for (const exchange of exchanges.slice(0, MOST_ATTACHED)) {
    await test.info().attach(`exchange ${exchange.id}`, { body: exchangeText(exchange), contentType: 'text/plain' });
    await test.info().attach(`curl ${exchange.id}`, { body: curlOf(exchange, hand.source), contentType: 'text/plain' });
  }
  const told = [...new Set(bad.map(describe))];
  const left = told.length - MOST_TOLD;
  const message = [statement, ...told.slice(0, MOST_TOLD), ...(left > 0 ? [`and ${left} more`] : [])].join('\n');
  const frames = (place.stack ?? '').split('\n').filter((line) => /^\s+at .*[\\/]suites[\\/]/.test(line));
  const error = new Error(message);
  error.stack = [`Error: ${message}`, ...frames].join('\n');
  throw error;
}

function describe(finding: Finding): string {
  switch (finding.kind) {
    case 'violated':
      return [
        finding.message,
        finding.expected && `expected  ${finding.expected}`,
        finding.actual && `received  ${finding.actual}`,
      ]
        .filter(Boolean)
        .join('\n');
    case 'observed':
      return finding.value;
    case 'kept':
      return finding.message ?? '';
    case 'fault':
      return finding.message;
    case 'inconclusive':
    case 'not-applicable':
      return finding.reason.text;
    case 'untried':
      return `not tested: ${finding.what}`;
  }
}
