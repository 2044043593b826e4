import type { ReasonCode } from '../../judge/findings/finding.js';
import type { LogHeader } from '../../log/record.js';
import type { RunLog } from '../../log/run-log.js';
import type { RequirementResult, Results } from '../results/results.js';
import { daysBetween } from '../../base/kernel/day.js';
import { count } from '../../base/kernel/format.js';
import { FILES } from '../../log/files.js';
import { FULL_WINDOWS } from '../../base/interface/plans.js';
import { hasFullWindows } from '../words/bounds.js';
import { inPart } from '../words/outcomes.js';
import { reasonText } from '../words/reasons.js';
import { coverageOf } from '../words/coverage.js';
import type { Attestation } from './attestation.js';
import type { Certificate } from './certificate-shape.js';
import { statementOf } from './certificate-statement.js';
import { lastDayOf } from './validity.js';

/**
 * Reasons that excuse an unjudged must. `removal-date`: the interface itself says when it applies. `opt-in`:
 * experiments that cost a key or a day, or need a second environment, left to the operator. `not-observed`:
 * its subject, such as a ban, need not occur. `store-too-large`, `listings-cut-short`, `untestable`,
 * `refused-legally`: no run against this target could ever judge it. The operator could remove every other
 * reason (a key, writes, exclusive use, load on production), or it is a gap in the kit: then something in
 * scope is untested.
 */
const LEGITIMATE: ReadonlySet<ReasonCode> = new Set([
  'removal-date',
  'opt-in',
  'not-observed',
  'store-too-large',
  'listings-cut-short',
  'untestable',
  'refused-legally',
]);

/** @param logSha256 of the log's file, in hexadecimal */
export function makeCertificate(
  results: Results,
  log: RunLog,
  logSha256: string,
): Certificate | { readonly kind: 'refusal'; readonly reasons: readonly string[] } {
  const { header } = log;
  const reasons = reasonsAgainst(results, header);
  if (reasons.length > 0) return { kind: 'refusal', reasons };
  const { plans, covers, notCovered } = coverageOf(results);
  const musts = results.requirements.filter((row) => row.level === 'must');
  return {
    schemaVersion: 3,
    kind: 'certificate',
    statement: statementOf(results, log),
    covers,
    notCovered,
    ...(results.label !== undefined && { label: results.label }),
    ...(results.subject && { subject: results.subject }),
    validUntil: lastDayOf(results.finishedAt, results.scope.asOf, header.interface.removalDate),
    run: header.run,
    startedAt: results.startedAt,
    finishedAt: results.finishedAt,
    kit: { name: results.kit.name, version: results.kit.version },
    interface: { version: results.interface.version },
    contract: header.contract,
    ledger: header.ledger,
    target: {
      name: results.target.name,
      baseUrl: results.target.baseUrl,
      windows: { minute: results.target.windows.minute, day: results.target.windows.day },
    },
    plans,
    asOf: results.scope.asOf,
    passed: musts.filter((row) => row.outcome === 'passed').map((row) => row.id),
    notApplicable: musts.flatMap(({ id, outcome, reason }) =>
      outcome === 'not-applicable' && reason ? [{ id, code: reason.code, reason: reason.text }] : [],
    ),
    partly: inPart(results.requirements).map(({ id, partly = [] }) => ({ id, notTried: partly })),
    warnings: results.requirements.filter((row) => row.outcome === 'warned').map((row) => row.id),
    log: { file: FILES.log, sha256: logSha256 },
    reproduce: header.command,
  };
}

function reasonsAgainst(results: Results, header: LogHeader): readonly string[] {
  const { target, scope, startedAt, complete, verdict } = results;
  const { minute, day } = target.windows;
  // The day of a run may differ by one from `asOf`, a date in the operator's time zone.
  const offset = Math.abs(daysBetween(scope.asOf, startedAt));
  return [
    complete ? '' : 'The run was cut short.',
    verdict === 'conformant' ? '' : `The verdict is ${verdict}.`,
    (scope.selection ?? header.scope.selected) ? 'Only a selection of the requirements was judged.' : '',
    header.acceptance?.baseline ? 'A baseline of accepted deviations was given.' : '',
    hasFullWindows(results)
      ? ''
      : `The windows were ${count(minute)} s and ${count(day)} s; a certificate needs those of the interface, ` +
        `${count(FULL_WINDOWS.minute)} s and ${count(FULL_WINDOWS.day)} s.`,
    coverageOf(results).plans.length > 0 ? '' : 'No plan was tested, because no load was sent.',
    offset <= 1 ? '' : `The run was judged as of ${scope.asOf}, which is not its own date.`,
    ...reasonsOfMusts(results),
  ].filter((reason) => reason !== '');
}

function reasonsOfMusts({ requirements }: Results): readonly string[] {
  const musts = requirements.filter((row) => row.level === 'must');
  const reasons = musts.flatMap((row) => reasonAgainst(row) ?? []);
  return musts.some((row) => row.outcome === 'passed')
    ? reasons
    : [...reasons, 'None of the required behaviours passed.'];
}

function reasonAgainst(row: RequirementResult): string | undefined {
  const { id, outcome, reason } = row;
  const why = reasonText(row);
  switch (outcome) {
    case 'passed':
      return undefined;
    case 'failed':
      return `${id} failed.`;
    case 'warned':
      return `${id} is violated by an operation that is not marked as stable.`;
    case 'error':
      return `${id} was not judged because of a kit fault.`;
    case 'inconclusive':
    case 'observed':
      return `${id} could not be determined: ${why}.`;
    case 'not-applicable':
      // A selection is one reason of the whole run, reported once.
      if (reason && (LEGITIMATE.has(reason.code) || reason.code === 'not-selected')) return undefined;
      return `${id} was not tested: ${why}.`;
  }
}

export const certificateJson = (certificate: Certificate | Attestation): string =>
  JSON.stringify(certificate, null, 2) + '\n';

/** Null where no certificate was requested. */
export function certificationOf(results: Results, header: LogHeader) {
  if (!header.acceptance?.certificate) return null;
  const reasons = reasonsAgainst(results, header);
  if (reasons.length > 0) return { kind: 'refusal' as const, reasons };
  return { kind: 'certified' as const, ...coverageOf(results) };
}
