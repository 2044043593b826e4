import type { CTRFReport, Test } from 'ctrf';
import type { RunDocument } from '../run-document.js';
import { caseGroups, type CaseStatus, type ReportCase } from './cases.js';

/** Version of the CTRF specification; a test compares it with the `ctrf` package. */
const SPEC_VERSION = '0.0.0';

/**
 * CTRF's names of the four statuses. CTRF has no error, and its readers ignore `other`. Inconclusive and fault are therefore
 * `failed`; `rawStatus` distinguishes them.
 */
const statusOf = (status: CaseStatus): Test['status'] => (status === 'error' ? 'failed' : status);

/** ctrf.json: one test per requirement. Its duration is the time for the requests that the row made first. */
export function ctrfReport(document: RunDocument): CTRFReport {
  const { results } = document;
  const groups = caseGroups(document);
  const tests = groups.flatMap(({ title, cases }) => cases.map((one) => testOf(one, title)));
  const count = (status: Test['status']): number => tests.filter((test) => test.status === status).length;
  return {
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    timestamp: results.finishedAt,
    generatedBy: `${results.kit.name} ${results.kit.version}`,
    results: {
      tool: { name: results.kit.name, version: results.kit.version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: 0,
        suites: groups.length,
        start: Date.parse(results.startedAt),
        stop: Date.parse(results.finishedAt),
        duration: results.durationMs,
      },
      tests,
      environment: {
        testEnvironment: results.target.name,
        appName: results.target.baseUrl,
        appVersion: results.interface.version,
        ...(results.label !== undefined && { buildName: results.label }),
      },
      extra: {
        verdict: results.verdict,
        complete: results.complete,
        counts: results.counts,
        ...(results.label !== undefined && { label: results.label }),
      },
    },
  };
}

/** ctrf.json as text. */
export const ctrfJson = (document: RunDocument): string => JSON.stringify(ctrfReport(document), null, 2) + '\n';

function testOf({ id, level, outcome, status, headline, partly, details, ms }: ReportCase, suite: string): Test {
  const bad = status === 'failed' || status === 'error';
  return {
    name: id,
    status: statusOf(status),
    duration: ms,
    rawStatus: outcome,
    suite: [suite],
    ...(level && { tags: [level] }),
    ...(headline !== '' && { message: headline }),
    ...(bad && { trace: details }),
    ...(partly.length > 0 && { extra: { partly } }),
    ...(!bad && (outcome !== 'passed' || partly.length > 0) && { stdout: details.split('\n') }),
  };
}
