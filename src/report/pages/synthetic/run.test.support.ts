import type { Finding } from '../../../judge/findings/finding.js';
import { loadLedger } from '../../../base/interface/ledger.js';
import type { Requirement, RequirementId } from '../../../base/interface/types.js';
import type { Exchange } from '../../../wire/exchange/types.js';
import type { LogRecord, PreflightFacts } from '../../../log/record.js';
import { gather } from '../../../log/gathered.test.support.js';
import { type RunLog } from '../../../log/run-log.js';
import { resultsOf } from '../../../outcome/results/results.js';
import {
  EXAMPLE_HEADER,
  EXAMPLE_PREFLIGHT,
  headerWith,
  START,
  type HeaderChanges,
} from '../../example-header.test.support.js';
import { notApplicable } from '../../example-run.test.support.js';
import { curlOf } from '../../../wire/exchange/curl.js';
import type { Proof } from '../../proof.js';
import { runDocument } from '../../run-document.js';
import type { Comparison, PageInput } from '../input.js';
import { rateHeadersWith } from '../../../base/interface/rate-headers.js';

/** The real ledger, so that the page is tested with real contents. */
export const ROWS: readonly Requirement[] = loadLedger().requirements;

export const BASE_URL = 'https://staging.example.com/v1';

/** Parts of a synthetic run. Rows without a finding are passed, observed or untestable. */
export interface Made extends HeaderChanges {
  readonly preflight?: Partial<PreflightFacts>;
  readonly findings?: readonly Finding[];
  readonly exchanges?: readonly Exchange[];
  readonly load?: readonly LogRecord[];
  /** Rows judged before the interruption; all by default. */
  readonly judged?: number;
  readonly footer?: Extract<LogRecord, { type: 'footer' }> | null;
  readonly comparison?: Comparison;
  readonly proof?: Proof | null;
}

/** Returns the page's input for a synthetic run. */
export function inputOf(made: Made): PageInput {
  const log = logOf(made);
  const known = made.proof === undefined ? proof() : made.proof;
  const comparison = made.comparison ?? null;
  return {
    document: runDocument(resultsOf(log, ROWS), { log, requirements: ROWS, proof: known, comparison }),
    log,
    proof: known,
    comparison,
    curlOf: (exchange) => curlOf(exchange, { baseUrl: BASE_URL }),
  };
}

function logOf(made: Made): RunLog {
  const header = headerWith(made, {
    run: '5d1f03aa',
    command: 'petstore-conformance run --target staging --include ban',
    scope: { ...EXAMPLE_HEADER.scope, includes: ['ban'] },
  });
  const spokenOf = new Set((made.findings ?? []).map(({ requirement }) => requirement));
  const exchanges = made.exchanges ?? Array.from({ length: 54 }, (_, index) => exchangeOf(index + 1));
  const judged = ROWS.filter(({ judgedBy }) => judgedBy.kind !== 'nobody').slice(0, made.judged);
  const plain = judged.filter(({ id }) => !spokenOf.has(id)).map((row, index) => plainFinding(row, index));
  return gather([
    header,
    { type: 'preflight', facts: { ...EXAMPLE_PREFLIGHT, ...made.preflight } },
    ...exchanges.map((exchange): LogRecord => ({ type: 'exchange', exchange, kept: [] })),
    ...[...plain, ...(made.findings ?? [])].map((finding): LogRecord => ({ type: 'finding', finding })),
    ...judged.map(({ id }): LogRecord => ({ type: 'settled', requirement: id })),
    ...Array.from({ length: header.scope.writes ? 7 : 0 }, (_, index): LogRecord => ({
      type: 'created',
      id: String(9_007_199_254_740_993n + BigInt(index)),
      name: `conformance-5d1f03aa-${index + 1}`,
    })),
    ...(made.load ?? []),
    ...(made.footer === null ? [] : [made.footer ?? FOOTER]),
  ]);
}

const FOOTER: Extract<LogRecord, { type: 'footer' }> = {
  type: 'footer',
  complete: true,
  reason: null,
  finishedAt: new Date(START + 76_400).toISOString(),
};

const SEEN = new Map<RequirementId, readonly (readonly [string, string])[]>([
  [
    'list-limit-out-of-range',
    [
      ['limit=0', '400 with an Error, code "bad_request"'],
      ['limit=101', '200, clamped to 100 animals'],
      ['limit=-1', '400 with an Error, code "bad_request"'],
      ['limit=abc', '400 with an Error, code "bad_request"'],
    ],
  ],
  ['rate-algorithm', [['', 'fixed window, opened by the first request']]],
  ['ban-observed', [['', 'banned after 23 requests continued after 429, answered with 403, for 30.2 s']]],
  ['error-code-values', [['', 'bad_request, not_found, unauthorized, too_many_requests']]],
]);

function plainFinding(row: Requirement, index: number): Finding {
  const exchanges = [`x${(index % 50) + 1}`, `x${((index * 7) % 50) + 1}`];
  if (row.id === 'get-after-removal')
    return notApplicable(row.id, 'removal-date', 'not before 5 December 2030');
  if (row.id === 'rate-day-quota')
    return notApplicable(row.id, 'opt-in', 'the day’s quota was not asked for');
  if (row.id === 'environments-agree')
    return notApplicable(row.id, 'not-observed', 'there is no second environment to compare with');
  if (row.level === 'must' || row.level === 'should')
    return {
      kind: 'kept',
      requirement: row.id,
      exchanges,
      ...(index % 3 === 0 && { message: `${12 + index} animals in ${2 + (index % 9)} answers` }),
    };
  const [subject, value] = SEEN.get(row.id)?.[0] ?? [
    '',
    'as the plain request, the part in question ignored',
  ];
  return { kind: 'observed', requirement: row.id, value, exchanges, ...(subject !== '' && { subject }) };
}

/** Returns observations with several subjects, as in an open row. */
export const severalObservations = (): Finding[] =>
  [...SEEN].flatMap(([requirement, seen]) =>
    seen.map(([subject, value], index) => ({
      kind: 'observed' as const,
      requirement,
      value,
      exchanges: [`x${index + 30}`],
      ...(subject !== '' && { subject }),
    })),
  );

/** Returns a plain exchange; `body` replaces the response's text. */
export function exchangeOf(number: number, body?: string, status = 200): Exchange {
  const creates = number % 5 === 0;
  return {
    id: `x${number}`,
    probe: creates ? `created status=sold #${number}` : `listing limit=${(number % 20) + 1}`,
    operation: creates ? 'createPet' : 'listPets',
    intent: { kind: 'declared', statuses: [200] },
    credential: { kind: 'valid', plan: 'business' },
    request: {
      method: creates ? 'POST' : 'GET',
      path: creates ? '/v1/pets' : `/v1/pets?limit=${(number % 20) + 1}`,
      headers: [
        ['Host', 'staging.example.com'],
        ['Authorization', 'Bearer $PETSTORE_KEY'],
        ['Accept', 'application/json'],
        ['User-Agent', 'petstore-conformance/1.0.0 (run 5d1f03aa)'],
        ...(creates ? ([['Content-Type', 'application/json']] as const) : []),
      ],
      body: creates ? '{"name":"conformance-5d1f03aa-1","categoryId":3,"status":"sold"}' : null,
    },
    sentAt: START + number * 41.7,
    latencyMs: 6 + ((number * 37) % 190) / 10,
    attempts: number === 12 ? 2 : 1,
    answer: {
      kind: 'response',
      status: creates && status === 200 ? 201 : status,
      headers: [
        ['Content-Type', 'application/json; charset=utf-8'],
        ...rateHeadersWith({ limit: 1000, remaining: 1000 - number, reset: 1795168860 }),
        ['Date', 'Fri, 20 Nov 2026 10:00:01 GMT'],
      ],
      text: body ?? animals((number % 20) + 1),
    },
  };
}

/** Returns the body of a listing with this many animals. */
export const animals = (amount: number): string =>
  `[${Array.from({ length: amount }, (_, index) => `{"id":${1001 + index},"name":"Animal ${index + 1}","categoryId":${(index % 4) + 1},"status":"available"}`).join(',')}]`;

/** Returns a proof of realistic size: every judged row has a few flaws. */
export function proof(): Proof {
  const judged = ROWS.filter(({ judgedBy, level }) => judgedBy.kind !== 'nobody' && level !== 'open');
  return {
    kit: '1.0.0',
    at: '2026-11-01T08:00:00.000Z',
    flaws: judged.flatMap((row, index) =>
      Array.from({ length: 1 + (index % 4) }, (_, number) => ({
        name: `${row.id}-broken-${number + 1}`,
        title:
          ['forgets it', 'forgets it on errors', 'forgets it above 2^31', 'forgets it every fifth time'][
            number
          ] ?? '',
        turns: [row.id],
        caught: true,
      })),
    ),
    variants: Array.from({ length: 44 }, (_, index) => ({
      name: `variant-${index + 1}`,
      title: 'answers in random order, with members of its own',
      expect: index === 40 ? ('inconclusive' as const) : ('conformant' as const),
      held: true,
    })),
  };
}
