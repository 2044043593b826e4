import type { RequirementId } from '../base/interface/types.js';
import { faultReason, type Finding, type ReasonCode } from '../judge/findings/finding.js';
import { loadLedger } from '../base/interface/ledger.js';
import type { Exchange } from '../wire/exchange/types.js';
import type { LogHeader, LogRecord, ProfileSummary } from '../log/record.js';
import { EXAMPLE_HEADER, START } from './example-header.test.support.js';
import { gather } from '../log/gathered.test.support.js';
import type { RunLog } from '../log/run-log.js';
import { resultsOf, type Results } from '../outcome/results/results.js';
import { runDocument, type RunDocument } from './run-document.js';

/** Changes to a run that meets every requirement that can be judged. */
export interface ExampleChanges {
  readonly header?: Partial<LogHeader>;
  /** Findings that replace the requirement's own kept finding. */
  readonly findings?: readonly Finding[];
  readonly exchanges?: readonly Exchange[];
  readonly profiles?: readonly ProfileSummary[];
  /** false: the log ends without its footer. */
  readonly footer?: boolean;
  /** Kit fault that ended the run. */
  readonly fault?: string;
  /** true: the exchanges passed a proxy, and the kit sent none. */
  readonly isTraffic?: boolean;
}

const HEADER: LogHeader = {
  ...EXAMPLE_HEADER,
  ledger: loadLedger().hash,
  scope: { ...EXAMPLE_HEADER.scope, plans: ['free', 'business'] },
};

/** Reasons in every run without extras. */
const NOT_APPLICABLE: readonly (readonly [id: string, code: ReasonCode])[] = [
  ['get-after-removal', 'removal-date'],
  ['rate-day-quota', 'opt-in'],
  ['ban-observed', 'opt-in'],
  ['ban-temporary', 'not-observed'],
  ['ban-only-that-key', 'not-observed'],
  ['environments-agree', 'opt-in'],
];

const TRAFFIC: LogRecord = {
  type: 'traffic',
  nth: 1,
  facts: { source: 'proxy', basePath: '/v1', graceMs: 250 },
};

/** Returns the records of a run's log. */
export function exampleRecords(changes: ExampleChanges = {}): readonly LogRecord[] {
  const {
    findings = [],
    exchanges = [exampleExchange()],
    profiles = [],
    footer = true,
    fault: broken,
    isTraffic = false,
  } = changes;
  const aside = new Map(NOT_APPLICABLE);
  const changed = new Set(findings.map((finding) => finding.requirement));
  const own = loadLedger()
    .requirements.filter((row) => row.judgedBy.kind !== 'nobody' && !changed.has(row.id))
    .map(({ id, level }): Finding => {
      const code = aside.get(id);
      if (code) return notApplicable(id, code);
      return level === 'must' || level === 'should'
        ? { kind: 'kept', requirement: id, exchanges: ['x1'] }
        : { kind: 'observed', requirement: id, value: 'as usual', exchanges: ['x1'] };
    });
  return [
    { ...HEADER, ...changes.header },
    ...(isTraffic ? [TRAFFIC] : []),
    ...exchanges.map((exchange): LogRecord => ({ type: 'exchange', exchange, kept: [] })),
    ...[...own, ...findings].map((finding): LogRecord => ({ type: 'finding', finding })),
    ...loadLedger().requirements.map(({ id }): LogRecord => ({ type: 'settled', requirement: id })),
    ...profiles.map((summary): LogRecord => ({ type: 'profile', summary })),
    ...(footer
      ? [
          {
            type: 'footer',
            complete: broken === undefined,
            reason: broken === undefined ? null : faultReason(broken),
            finishedAt: new Date(START + 3_100).toISOString(),
            ...(broken !== undefined && { fault: broken }),
          } as const,
        ]
      : []),
  ];
}

export const exampleLog = (changes: ExampleChanges = {}): RunLog => gather(exampleRecords(changes));

export const exampleResults = (changes: ExampleChanges = {}): Results =>
  resultsOf(exampleLog(changes), loadLedger().requirements);

export const exampleDocument = (changes: ExampleChanges = {}): RunDocument =>
  runDocument(exampleResults(changes));

/** Returns results as an earlier kit wrote them, whose findings have no kind. */
export const withoutKinds = (results: Results): Results => ({
  ...results,
  requirements: results.requirements.map((row) => ({
    ...row,
    findings: row.findings.map((finding) => {
      const { kind, ...older } = finding;
      return kind === undefined ? finding : older;
    }),
  })),
});

/** Returns a successful listing, with texts that a test expects to be escaped. */
export const exampleExchange = ({
  id = 'x1',
  text = '[]',
  header = 'x',
  path = '/v1/pets',
} = {}): Exchange => ({
  id,
  probe: 'listing',
  operation: 'listPets',
  intent: { kind: 'expects', statuses: [200], chargedTo: 'list-ok' },
  credential: { kind: 'valid', plan: 'business' },
  request: { method: 'GET', path, headers: [['Authorization', 'Bearer $PETSTORE_KEY']], body: null },
  sentAt: START + 10,
  latencyMs: 12.5,
  attempts: 1,
  answer: {
    kind: 'response',
    status: 200,
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Odd', header],
    ],
    text,
  },
});

/** Returns a violation with texts from the target. */
export const violated = (
  requirement: RequirementId,
  text = 'the target answers 500',
  { expected, actual } = { expected: text, actual: text },
): Finding => ({
  kind: 'violated',
  requirement,
  message: text,
  expected,
  actual,
  exchanges: ['x1'],
});

export const inconclusive = (
  requirement: RequirementId,
  text = 'the store holds too few animals',
): Finding => ({
  kind: 'inconclusive',
  requirement,
  reason: { code: 'too-little-data', text },
  exchanges: [],
});

export const notApplicable = (
  requirement: RequirementId,
  code: ReasonCode = 'no-key',
  text = `set aside (${code})`,
): Finding => ({
  kind: 'not-applicable',
  requirement,
  reason: { code, text },
});

export const observed = (requirement: RequirementId, value: string, subject?: string): Finding => ({
  kind: 'observed',
  requirement,
  ...(subject !== undefined && { subject }),
  value,
  exchanges: ['x1'],
});

export const fault = (requirement: RequirementId, message = 'a check threw'): Finding => ({
  kind: 'fault',
  requirement,
  message,
});

/** Returns a load profile with its latency. */
export const exampleProfile = (p50: number, count = 60): ProfileSummary => ({
  profile: 'burst',
  plan: 'free',
  startedAt: START,
  finishedAt: START + 1_000,
  sent: count,
  served: count - 1,
  refused: 1,
  allowance: 60,
  latency: { count, min: 1, p50, p90: p50 * 2, p99: p50 * 3, max: p50 * 4 },
  sentence: '60 of 60 served, the 61st refused',
  marks: [],
});

/** Hostile texts, in addition to those that fast-check generates. */
export const HOSTILE = [
  '<script>alert(1)</script>',
  ']]><script>alert(1)</script><![CDATA[',
  '"><img src=x onerror=alert(1)>',
  '&amp;&lt;&#60;&#0;&#xFFFF;',
  '\u0000\u0008\u001b[31m\u007f\u0085\r\n',
  '\ud800 \udfff \ufffe\uffff',
  '\u202egnp.exe',
  '| a | b |\n|---|---|\n# heading\n- item\n```\n<details>',
  '[click](javascript:alert(1)) ![x](http://example.com/x.png) https://example.com @everyone',
  '[[ATTACHMENT|/etc/passwd]]',
  '::error title=owned::%0A::set-output name=x::y',
  '-->',
  '</style><script>',
] as const;
