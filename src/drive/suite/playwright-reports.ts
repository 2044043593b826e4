// Without browsers, as in the worker's fixture.
import { _baseTest as test } from '@playwright/test';
import { loadLedger } from '../../base/interface/ledger.js';
import type { Requirement } from '../../base/interface/types.js';
import { isViolated, isWarning, type Finding, type Violation } from '../../judge/findings/finding.js';
import { chargedToPlainest } from '../../judge/checks/plainer-rows.js';
import { fold, reasonOf } from '../../judge/verdict.js';
import type { LogRecord } from '../../log/record.js';
import { curlOf } from '../../wire/exchange/curl.js';
import { exchangeText } from '../../wire/exchange/exchange-text.js';
import type { HandReport } from './worker-fixture.js';

/**
 * Reports a requirement's outcome to Playwright. Under `run` the log has everything, and a failed test would
 * cost a new worker, so the outcome is only an annotation. Otherwise a failure throws from the line of the
 * judgement, with the exchanges attached.
 *
 * @param place an Error made where the failure must point
 */
export async function reportToPlaywright(
  row: Requirement,
  own: readonly Finding[],
  hand: HandReport | null,
  place: Error,
): Promise<void> {
  const findings = hand ? charged([...own, ...fromOthers(row, own, hand)], hand) : own;
  const outcome = fold(row.level, findings);
  const text = findings.map(describe).filter(Boolean).join('\n');
  const reason = reasonOf(row.level, outcome, findings)?.text;
  test.info().annotations.push({ type: outcome, description: reason ?? text });
  if (!hand) return;
  if (outcome === 'failed' || outcome === 'error') await fail(row.statement, findings, hand, place);
  if (outcome === 'inconclusive' || outcome === 'not-applicable') test.info().skip(true, reason ?? outcome);
}

/** Charges a mistake that an earlier test found to that test's row, as a log does. */
function charged(findings: readonly Finding[], { records }: HandReport): readonly Finding[] {
  const all = records();
  const settled = new Set(all.flatMap((record) => (record.type === 'settled' ? [record.requirement] : [])));
  return chargedToPlainest([...findings, ...violationsOf(all)], {
    exchanges: all.flatMap((record) => (record.type === 'exchange' ? [record.exchange] : [])),
    isJudged: (row) => settled.has(row),
  }).slice(0, findings.length);
}

/** Findings of other rows about this one, from before its test. */
const fromOthers = (
  row: Requirement,
  own: readonly Finding[],
  { records }: HandReport,
): readonly Finding[] => {
  const said = new Set(own.map((finding) => JSON.stringify(finding)));
  return violationsOf(records()).filter(
    (finding) => finding.requirement === row.id && !said.has(JSON.stringify(finding)),
  );
};

/** Reports a row that judges every response, by the responses so far. */
export async function reportEveryAnswer(row: Requirement, hand: HandReport, place: Error): Promise<void> {
  const records = hand.records();
  const ofRow = violationsOf(records).filter(({ requirement }) => requirement === row.id);
  const broken = charged(ofRow, hand).filter(isViolated);
  const judged = records.some((record) => record.type === 'exchange' && record.kept.includes(row.id));
  if (broken.length > 0 && row.level === 'must') await fail(row.statement, broken, hand, place);
  test.info().annotations.push({ type: broken.length > 0 ? 'warned' : 'passed', description: row.statement });
  if (!judged && broken.length === 0)
    test.info().skip(true, 'no response so far is of a kind that this row judges');
}

/** Reports rows with a response that violates them after their test. */
export async function reportLater(hand: HandReport, place: Error): Promise<void> {
  const records = hand.records();
  const over = new Map(
    records.flatMap((record, at) => (record.type === 'settled' ? [[record.requirement, at]] : [])),
  );
  const later = records.flatMap((record, at) =>
    record.type === 'finding' &&
    record.finding.kind === 'violated' &&
    at > (over.get(record.finding.requirement) ?? at)
      ? [record.finding]
      : [],
  );
  const musts = new Set(loadLedger().requirements.flatMap(({ id, level }) => (level === 'must' ? [id] : [])));
  const broken = charged(later, hand).filter(
    (finding) => isViolated(finding) && musts.has(finding.requirement) && !isWarning(finding),
  );
  const ids = [...new Set(broken.map(({ requirement }) => requirement))];
  if (broken.length > 0) await fail(`violated after their own tests: ${ids.join(', ')}`, broken, hand, place);
}

const violationsOf = (records: readonly LogRecord[]): readonly Violation[] =>
  records.flatMap((record) =>
    record.type === 'finding' && record.finding.kind === 'violated' ? [record.finding] : [],
  );

/** Most findings in a test's message, for reading on a terminal; the rest are counted. */
const MOST_DESCRIPTIONS = 6;
/** Most attached exchanges: three show as much as thirty. */
const MOST_ATTACHED = 3;

/** Throws from `place`, with the first exchanges and their curl lines attached, all redacted. */
async function fail(
  statement: string,
  findings: readonly Finding[],
  hand: HandReport,
  place: Error,
): Promise<never> {
  const bad = findings.filter(({ kind }) => kind === 'violated' || kind === 'fault');
  const ids = new Set(bad.flatMap((finding) => (finding.kind === 'violated' ? finding.exchanges : [])));
  const exchanges = hand
    .records()
    .flatMap((record) =>
      record.type === 'exchange' && ids.has(record.exchange.id) ? [record.exchange] : [],
    );
  for (const exchange of exchanges.slice(0, MOST_ATTACHED)) {
    await test
      .info()
      .attach(`exchange ${exchange.id}`, { body: exchangeText(exchange), contentType: 'text/plain' });
    await test
      .info()
      .attach(`curl ${exchange.id}`, { body: curlOf(exchange, hand.source), contentType: 'text/plain' });
  }
  const descriptions = [...new Set(bad.map(describe))];
  const left = descriptions.length - MOST_DESCRIPTIONS;
  const message = [
    statement,
    ...descriptions.slice(0, MOST_DESCRIPTIONS),
    ...(left > 0 ? [`and ${left} more`] : []),
  ].join('\n');
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
