import type { ReasonCode } from '../../checks/finding.js';
import type { PlanName } from '../../contract/types.js';
import type { LogHeader } from '../../log/record.js';
import type { RequirementResult, Results } from '../../verdict/results.js';
import { capital, listed } from '../wording/format.js';
import { FULL_WINDOWS, hasFullWindows } from '../wording/bounds.js';
import { reasonText } from '../wording/reasons.js';
import { verdictClause } from '../wording/verdict-sentence.js';

/** certificate.json: what was tested, with what, and how to check it. */
export interface Certificate {
  readonly schemaVersion: 1;
  readonly kind: 'certificate';
  /** A sentence that can be quoted. */
  readonly statement: string;
  readonly run: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly kit: { readonly name: string; readonly version: string };
  readonly interface: { readonly version: string };
  /** SHA-256 of the contract's and the ledger's files. */
  readonly contract: string;
  readonly ledger: string;
  readonly target: {
    readonly name: string;
    readonly baseUrl: string;
    readonly windows: { readonly minute: number; readonly day: number };
  };
  /** Plans whose limits were tested; it says nothing about others. */
  readonly plans: readonly PlanName[];
  readonly asOf: string;
  /** The musts that passed, by id. */
  readonly passed: readonly string[];
  /** The musts that do not apply, each with the reason. */
  readonly notApplicable: readonly { readonly id: string; readonly code: string; readonly reason: string }[];
  /** Shoulds that were violated: they do not stand in the way, but are said. */
  readonly warnings: readonly string[];
  readonly log: { readonly file: string; readonly sha256: string };
  /** The command line that repeats the run, without any key. */
  readonly reproduce: string;
}

/** Why there is no certificate: one sentence a reason. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly reasons: readonly string[];
}

/** The day of a run may differ by one from `asOf`, which is a date in the operator's time zone. */
const ONE_DAY_MS = 86_400_000;

/**
 * The reasons for which a must may stand aside without being untested. `removal-date`: the interface itself says when
 * it applies. `opt-in`: experiments that cost a key or a day, or need a second environment, left to the operator.
 * `not-observed`: it speaks of something, such as a ban, that need not occur. `store-too-large`, `untestable`,
 * `refused-legally`: no run against this target could ever judge it. Every other reason is one that the operator could
 * remove (a key, writes, exclusive use, load on production), or a gap in the kit, and then something in scope was left
 * untested.
 */
const LEGITIMATE: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'removal-date',
  'opt-in',
  'not-observed',
  'store-too-large',
  'untestable',
  'refused-legally',
]);

/**
 * A certificate, or every reason why there is none. Pure.
 * @param logSha256 of the log's file, in hexadecimal
 * @param baseline whether deviations were accepted: that never makes a certificate
 */
export function makeCertificate(
  results: Results,
  header: LogHeader,
  logSha256: string,
  { baseline }: { readonly baseline: boolean },
): Certificate | Refusal {
  const reasons = [...reasonsOfRun(results, header, baseline), ...reasonsOfMusts(results)];
  if (reasons.length > 0) return { kind: 'refusal', reasons };
  const musts = results.requirements.filter((row) => row.level === 'must');
  return {
    schemaVersion: 1,
    kind: 'certificate',
    statement: statementOf(results),
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
    plans: results.scope.plans,
    asOf: results.scope.asOf,
    passed: musts.filter((row) => row.outcome === 'passed').map((row) => row.id),
    notApplicable: musts.flatMap(({ id, outcome, reason }) =>
      outcome === 'not-applicable' && reason ? [{ id, code: reason.code, reason: reason.text }] : [],
    ),
    warnings: results.requirements.filter((row) => row.outcome === 'warned').map((row) => row.id),
    log: { file: 'log.ndjson', sha256: logSha256 },
    reproduce: header.command,
  };
}

function statementOf(results: Results): string {
  const day = results.startedAt.slice(0, 10);
  const plans = listed(results.scope.plans.map(capital));
  return `${verdictClause(results)}. Tested at ${results.target.baseUrl} on ${day}, with the plans ${plans}.`;
}

function reasonsOfRun(results: Results, header: LogHeader, baseline: boolean) {
  const { target, scope, startedAt, complete, verdict } = results;
  const { minute, day } = target.windows;
  const offset = Math.abs(Date.parse(scope.asOf) - Date.parse(startedAt.slice(0, 10)));
  return [
    complete ? '' : 'The run was cut short.',
    verdict === 'conformant' ? '' : `The verdict is ${verdict}.`,
    (scope.selection ?? header.scope.selected) ? 'Only a selection of the requirements was judged.' : '',
    baseline ? 'A baseline of accepted deviations was given.' : '',
    hasFullWindows(results)
      ? ''
      : `The windows were ${minute} s and ${day} s; a certificate needs those of the interface, ${FULL_WINDOWS.minute} s and ${FULL_WINDOWS.day} s.`,
    scope.plans.length > 0 ? '' : 'No plan was tested, because no key was given.',
    offset <= ONE_DAY_MS ? '' : `The run was judged as of ${scope.asOf}, which is not the day on which it was made.`,
  ].filter((reason) => reason !== '');
}

function reasonsOfMusts({ requirements }: Results): readonly string[] {
  const musts = requirements.filter((row) => row.level === 'must');
  const reasons = musts.flatMap((row) => reasonAgainst(row) ?? []);
  return musts.some((row) => row.outcome === 'passed') ? reasons : [...reasons, 'No must passed.'];
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
      return `${id} met a fault of the kit.`;
    case 'inconclusive':
    case 'observed':
      return `${id} is not established: ${why}.`;
    case 'not-applicable':
      return reason && LEGITIMATE.has(reason.code) ? undefined : `${id} was not tested: ${why}.`;
  }
}

/** certificate.json as text. */
export const certificateJson = (certificate: Certificate): string => JSON.stringify(certificate, null, 2) + '\n';
