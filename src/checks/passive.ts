import type { RequirementId, OperationName } from '../contract/types.js';
import { isNumber, integerOf, isObject, member } from '../contract/json.js';
import type { Exchange } from '../exchange/types.js';
import type { Finding } from '../findings/finding.js';
import {
  bodyOf,
  describe,
  isDeclared,
  mediaBreak,
  shapeBreaks,
  statusBreak,
  type Break,
  type Judging,
} from './layers.js';
import { judgeRateHeaders, type RateHeaderFacts } from './rate-headers.js';
import type { Contract } from '../contract/contract.js';
import type { SurplusAfter } from '../exchange/sender.js';

/** Input of the passive checks in addition to the exchange. */
export interface PassiveContext extends Judging {
  readonly rates: RateHeaderFacts;
}

/** Findings of one exchange for the rows that judge every exchange. */
export interface PassiveJudgement {
  readonly kept: readonly RequirementId[];
  readonly findings: readonly Finding[];
}

type Row = (exchange: Exchange, context: PassiveContext) => readonly Finding[] | 'kept' | 'not judged';

/** The passive rows, each judged by a function of one exchange. */
const ROWS: readonly (readonly [RequirementId, Row])[] = [
  ['declared-status', declaredStatus],
  [
    'json-media-type',
    (exchange, context) => {
      if (!isDeclared(exchange, context) || textOf(exchange) === '') return 'not judged';
      return judged(exchange, [mediaBreak(exchange, context)]);
    },
  ],
  [
    'pets-array',
    (exchange, context) =>
      shape('pets-array', exchange, context, exchange.operation === 'listPets' && isSuccessful(exchange)),
  ],
  [
    'pet-shape',
    (exchange, context) => shape('pet-shape', exchange, context, isSuccessful(exchange) && !isEmptyList(exchange)),
  ],
  ['error-shape', (exchange, context) => shape('error-shape', exchange, context, isError(exchange))],
  ['error-status-matches', errorStatusMatches],
  ['rate-headers-present', (exchange, { rates }) => judgeRateHeaders(exchange, rates).present],
  ['rate-headers-wellformed', (exchange, { rates }) => judgeRateHeaders(exchange, rates).wellformed],
];

/** The ids of the rows that are judged on every exchange. */
export const PASSIVE_ROWS: readonly RequirementId[] = ROWS.map(([id]) => id);

/**
 * Judges one exchange by every passive row. Pure; an exchange of an undeclared operation is judged by none, and of one
 * that is marked as unstable every violation only warns (part 9).
 * @param elsewhere rows that are judged in another place
 */
export function judgePassively(
  exchange: Exchange,
  context: PassiveContext,
  elsewhere?: ReadonlySet<RequirementId>,
): PassiveJudgement {
  const { operation, answer, blockedAfter } = exchange;
  if (operation === null || answer.kind === 'none' || blockedAfter !== undefined) return { kept: [], findings: [] };
  const isUnstable = areUnstable([operation], context.contract);
  const kept: RequirementId[] = [];
  const findings: Finding[] = [];
  for (const [id, row] of ROWS) {
    if (elsewhere?.has(id)) continue;
    const judgement = row(exchange, context);
    if (judgement === 'kept') kept.push(id);
    else if (judgement !== 'not judged') findings.push(...judgement);
  }
  return { kept, findings: isUnstable ? findings.map(softened) : findings };
}

/**
 * What an answer to a request that was sent more than once says about the row that names its status: the row itself
 * looks at one of the answers, and a server that fails now and then fails in another. A 503 is waited out instead.
 */
export function judgeRepeated(exchange: Exchange): readonly Finding[] {
  const { intent, answer } = exchange;
  if (intent.kind !== 'expects' || answer.kind === 'none' || answer.status < 500 || answer.status === 503) return [];
  const broken = statusBreak(exchange);
  const findings = broken?.charged === intent.chargedTo ? judged(exchange, [broken]) : [];
  return typeof findings === 'string' ? [] : findings;
}

/** Where a row names the status, that row judges it; where the interface is silent a fault of the server's own only warns. */
function declaredStatus(exchange: Exchange): ReturnType<Row> {
  const { intent, answer } = exchange;
  if (answer.kind === 'none') return 'not judged';
  if (intent.kind === 'open')
    return answer.status >= 500
      ? [
          {
            kind: 'violated',
            warns: true,
            requirement: 'declared-status',
            message: `the target answered ${answer.status} where the interface leaves the answer free`,
            expected: 'any status but a server error',
            actual: String(answer.status),
            exchanges: [exchange.id],
          },
        ]
      : 'not judged';
  if (intent.kind === 'expects') return 'not judged';
  const broken = statusBreak(exchange);
  if (broken && broken.charged !== 'declared-status') return 'not judged';
  return judged(exchange, [broken]);
}

function shape(row: RequirementId, exchange: Exchange, context: PassiveContext, applies: boolean): ReturnType<Row> {
  if (!applies || !isDeclared(exchange, context) || mediaBreak(exchange, context)) return 'not judged';
  const breaks = shapeBreaks(exchange, context);
  const own = breaks.filter(({ charged }) => charged === row);
  // An answer that is no array at all says nothing about the animals that it should hold.
  if (own.length === 0 && row === 'pet-shape' && breaks.length > 0) return 'not judged';
  return judged(exchange, own);
}

function errorStatusMatches(exchange: Exchange, context: PassiveContext): ReturnType<Row> {
  const { answer } = exchange;
  if (answer.kind === 'none' || !isError(exchange) || !isDeclared(exchange, context)) return 'not judged';
  const body = bodyOf(exchange);
  if (mediaBreak(exchange, context) || shapeBreaks(exchange, context).length > 0 || !isObject(body))
    return 'not judged';
  const status = member(body, 'status');
  if (isNumber(status) && integerOf(status) === BigInt(answer.status)) return 'kept';
  return [
    {
      kind: 'violated',
      requirement: 'error-status-matches',
      message: 'the status in the Error body is not the answer’s own',
      expected: String(answer.status),
      actual: describe(status),
      exchanges: [exchange.id],
    },
  ];
}

function judged(exchange: Exchange, breaks: readonly (Break | null)[]): ReturnType<Row> {
  const findings = breaks.flatMap((broken): Finding[] =>
    broken?.charged
      ? [
          {
            kind: 'violated',
            requirement: broken.charged,
            message: broken.message,
            expected: broken.expected,
            actual: broken.actual,
            exchanges: [exchange.id],
          },
        ]
      : [],
  );
  return findings.length > 0 ? findings : 'kept';
}

const textOf = ({ answer }: Exchange): string => (answer.kind === 'response' ? answer.text : '');

const isSuccessful = ({ answer }: Exchange): boolean =>
  answer.kind === 'response' && answer.status >= 200 && answer.status < 300;

const isError = ({ answer }: Exchange): boolean => answer.kind === 'response' && answer.status >= 400;

/** An empty list holds no animal, and what is not there is not judged. */
const isEmptyList = (exchange: Exchange): boolean => {
  const body = exchange.operation === 'listPets' ? bodyOf(exchange) : undefined;
  return Array.isArray(body) && body.length === 0;
};

/** Part 9: whether all of some operations are marked experimental or beta, so that what they speak of may still change. */
export const areUnstable = (operations: readonly OperationName[], { markers }: Pick<Contract, 'markers'>): boolean =>
  operations.length > 0 && operations.every((operation) => markers[operation] !== undefined);

/** A finding about what may still change: a failure only warns. */
export const softened = (finding: Finding): Finding =>
  finding.kind === 'violated' ? { ...finding, warns: true } : finding;

/** Where it says how long an answer is. */
const EXPECTED = 'nothing after an answer’s end until the next request (RFC 9112, 6.3)';

/**
 * What is said of a server that sends more than its answers: whoever uses a connection twice takes it for the answer to the
 * next request. A body is as long as its message says (RFC 9112, 6.3), which the interface does not repeat: it warns.
 */
export const surplusFinding = ({ id, probe }: SurplusAfter): Finding => ({
  kind: 'violated',
  warns: true,
  requirement: 'json-media-type',
  message: `bytes that belong to no answer came after the one to “${probe}”: a client that uses a connection again takes them for its next answer. From then on every request went over a connection of its own, so that no other row was judged by them`,
  expected: EXPECTED,
  actual: 'more bytes',
  exchanges: [id],
});

/** Whether a finding says so. */
export const isSurplus = (finding: Finding): boolean => finding.kind === 'violated' && finding.expected === EXPECTED;
