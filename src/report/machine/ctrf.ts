import type { CTRFReport, Test } from 'ctrf';
import type { Results } from '../../outcome/results/results.js';
import type { RunDocument } from '../run-document.js';
import { createHash } from 'node:crypto';
import { visible } from '../../base/kernel/visible.js';
import type { CurlOf } from './block-text.js';
import { caseGroups, type CaseStatus, type ReportCase } from './cases.js';

/** Version of the CTRF specification; a test compares it with the `ctrf` package. */
const SPEC_VERSION = '0.0.0';

/**
 * CTRF's names of the four statuses. CTRF has no error, and its readers ignore `other`. Inconclusive and
 * fault are therefore `failed`; `rawStatus` distinguishes them.
 */
const statusOf = (status: CaseStatus): Test['status'] => (status === 'error' ? 'failed' : status);

export function ctrfReport(document: RunDocument, curlOf: CurlOf | null = null): CTRFReport {
  const { results } = document;
  const groups = caseGroups(document, curlOf);
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
        // The target's build, as far as it is known.
        ...(results.label !== undefined && { appVersion: results.label }),
        ...buildOf(results),
      },
      extra: {
        verdict: results.verdict,
        complete: results.complete,
        counts: results.counts,
        interface: results.interface.version,
        ...(results.label !== undefined && { label: results.label }),
      },
    },
  };
}

/** Makes invisible characters visible: readers of ctrf.json print texts as they are. */
export const ctrfJson = (document: RunDocument, curlOf: CurlOf | null = null): string =>
  `${visible(JSON.stringify(ctrfReport(document, curlOf), null, 2))}\n`;

/** Members of `environment` about the CI system's build; the label goes before the name of its pipeline. */
function buildOf({ label, ci }: Results): Partial<NonNullable<CTRFReport['results']['environment']>> {
  const number = Number(ci?.number);
  const named = {
    buildId: ci?.build,
    buildName: label ?? ci?.name,
    buildUrl: ci?.url,
    repositoryName: ci?.repository,
    repositoryUrl: ci?.repositoryUrl,
    commit: ci?.commit,
    branchName: ci?.branch,
  };
  return {
    ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
    ...(Number.isSafeInteger(number) && number > 0 && { buildNumber: number }),
  };
}

/** Namespace of test ids: a UUID that stands for this kit, and must never change. */
const NAMESPACE = Buffer.from('5d6f2a4c9b3e4e7d8a1c0f2b7e94d631', 'hex');

/**
 * Returns a test's id: a UUID of version 5 (RFC 9562, section 5.5) of only the requirement's id. So it stays
 * the same when the title of a part changes.
 */
function testId(id: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(id).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function testOf(
  { id, level, outcome, status, headline, partly, details, ms }: ReportCase,
  suite: string,
): Test {
  const bad = status === 'failed' || status === 'error';
  return {
    id: testId(id),
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
