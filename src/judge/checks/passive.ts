import type { RequirementId, OperationName } from '../../base/interface/types.js';
import { integerOf, isNumber, isObject, member, type Json } from '../../base/kernel/json.js';
import { isMisnamed } from '../../wire/exchange/decode.js';
import { answerHeader } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { about, violated, type Finding } from '../findings/finding.js';
import { describe } from '../findings/describe.js';
import type { Break } from './break.js';
import {
  bodyOf,
  gotWords,
  isDeclared,
  isOutgrown,
  mediaBreak,
  repeatedOf,
  shapeBreaks,
  statusBreak,
  type Judging,
} from './layers.js';
import { mustBeRefused, succeeded } from './status.js';
import type { Figures } from '../limits/bounds.js';
import { judgeRateHeaders, type RowJudgement } from './rate-headers.js';
import type { Contract } from '../../base/interface/contract.js';
import type { SurplusAfter } from '../../wire/exchange/sender.js';

export interface PassiveContext extends Judging {
  readonly rates: Figures;
}

export interface PassiveJudgement {
  readonly kept: readonly RequirementId[];
  readonly findings: readonly Finding[];
}

type Row = (exchange: Exchange, context: PassiveContext) => RowJudgement;

const ROWS: readonly (readonly [RequirementId, Row])[] = [
  ['declared-status', declaredStatus],
  ['json-media-type', mediaType],
  ofShape('pets-array', (exchange) => exchange.operation === 'listPets' && succeeded(exchange)),
  ofShape('pet-shape', (exchange) => succeeded(exchange) && !isEmptyList(exchange)),
  ofShape('error-shape', (exchange) => isError(exchange)),
  ['error-status-matches', errorStatusMatches],
  [
    'rate-headers-present',
    (exchange, { rates }) => judgeRateHeaders('rate-headers-present', exchange, rates),
  ],
  [
    'rate-headers-wellformed',
    (exchange, { rates }) => judgeRateHeaders('rate-headers-wellformed', exchange, rates),
  ],
];

/**
 * Rows that read a body. A wrong status code comes first and takes the charge: a body of another status
 * promises nothing.
 */
export const BODY_ROWS: readonly RequirementId[] = [
  'json-media-type',
  'pets-array',
  'pet-shape',
  'error-shape',
  'error-status-matches',
];

/** Ids of the rows that judge every exchange. */
export const PASSIVE_ROWS: readonly RequirementId[] = ROWS.map(([id]) => id);

/**
 * Judges an exchange by every passive row. Pure. An exchange without an operation is not judged. On an
 * unstable operation every violation only warns (part 9).
 *
 * @param elsewhere rows that are judged elsewhere
 */
export function judgePassively(
  exchange: Exchange,
  context: PassiveContext,
  elsewhere?: ReadonlySet<RequirementId>,
): PassiveJudgement {
  const { operation, answer, blockedAfter } = exchange;
  if (operation === null || answer.kind === 'none' || blockedAfter !== undefined || isOutgrown(exchange))
    return { kept: [], findings: [] };
  const kept: RequirementId[] = [];
  const findings: Finding[] = [];
  const hasWrongStatus = statusBreak(exchange) !== null;
  for (const [id, row] of ROWS) {
    if (elsewhere?.has(id) || (hasWrongStatus && BODY_ROWS.includes(id))) continue;
    const judgement = row(exchange, context);
    if (judgement === 'kept') kept.push(id);
    else if (judgement !== 'not judged') findings.push(...judgement);
  }
  return { kept, findings: findings.map(softenedFor([operation], context.contract)) };
}

/**
 * Judges a repeated request's response by the row that names its status code. That row judges one response,
 * but a server may fail in another at times. A 503 is not judged: the run waits and retries. Of client errors
 * only a listing's are judged: it has no id that may be gone, and no data to refuse.
 */
export function judgeRepeated(exchange: Exchange): readonly Finding[] {
  const { intent, answer, operation } = exchange;
  const isListing = operation === 'listPets' && !mustBeRefused(exchange);
  if (intent.kind !== 'expects' || answer.kind === 'none' || answer.status === 503) return [];
  if (answer.status < 500 && !isListing) return [];
  const broken = statusBreak(exchange);
  const findings = broken?.charged === intent.chargedTo ? judged(exchange, [broken]) : [];
  return typeof findings === 'string' ? [] : findings;
}

/**
 * Another row judges a status code that it names. A server error only warns where the interface leaves the
 * response open.
 */
function declaredStatus(exchange: Exchange): RowJudgement {
  const { intent, answer } = exchange;
  if (answer.kind === 'none') return 'not judged';
  if (intent.kind === 'open')
    return answer.status >= 500
      ? breaking('declared-status', exchange, {
          message: gotWords(exchange, String(answer.status), 'to a request that the interface leaves open'),
          expected: 'any status except a server error',
          actual: String(answer.status),
        }).map(softened)
      : 'not judged';
  if (intent.kind === 'expects') return 'not judged';
  const broken = statusBreak(exchange);
  if (broken && broken.charged !== 'declared-status') return 'not judged';
  return judged(exchange, [broken]);
}

function mediaType(exchange: Exchange, context: PassiveContext): RowJudgement {
  const isEmpty = exchange.answer.kind === 'none' || exchange.answer.text === '';
  if (isEmpty || !isDeclared(exchange, context)) return 'not judged';
  const broken = mediaBreak(exchange, context) ?? misnamedEncoding(exchange);
  const isMarked = exchange.answer.kind === 'response' && exchange.answer.marked === true;
  if (broken !== null) return judged(exchange, [broken]);
  const warnings = [...(isMarked ? markedBody(exchange) : []), ...repeatedMember(exchange)];
  return warnings.length > 0 ? warnings : 'kept';
}

/**
 * Warns of a further member that stands twice with two values: RFC 8259 section 4 says that names should be
 * unique. The last value is judged, as most parsers take it.
 */
function repeatedMember(exchange: Exchange): readonly Finding[] {
  const { further } = repeatedOf(exchange);
  const [name] = further;
  if (name === undefined) return [];
  return breaking('json-media-type', exchange, {
    message: `a body has the member ${name} twice in an object, with two values; parsers take either`,
    expected: 'each member once (RFC 8259, 4)',
    actual: `${further.slice(0, MOST_NAMED).join(', ')} twice`,
    what: ['repeated member'],
  }).map(softened);
}

const MOST_NAMED = 5;

/**
 * A Content-Encoding that is no coding breaks no layer: the body is read without it, but many clients cannot
 * (RFC 9110, 8.4).
 */
function misnamedEncoding(
  exchange: Exchange,
): Pick<Break, 'charged' | 'message' | 'expected' | 'actual'> | null {
  const encoding = answerHeader(exchange, 'content-encoding');
  if (encoding === null || !isMisnamed(encoding)) return null;
  return {
    charged: 'json-media-type',
    message: 'a response has a Content-Encoding that is no content coding',
    expected: 'no Content-Encoding, or one such as gzip',
    actual: `Content-Encoding: ${encoding}`,
  };
}

/**
 * Warns of a byte order mark before JSON: RFC 8259 section 8.1 forbids senders to add one, but lets parsers
 * ignore it. The interface does not repeat that rule.
 */
const markedBody = (exchange: Exchange): readonly Finding[] =>
  breaking('json-media-type', exchange, {
    message: 'a body begins with a byte order mark, which JSON.parse and other parsers refuse',
    expected: 'JSON without a byte order mark (RFC 8259, 8.1)',
    actual: 'U+FEFF before it',
  }).map(softened);

function ofShape(
  row: RequirementId,
  applies: (exchange: Exchange) => boolean,
): readonly [RequirementId, Row] {
  const shape: Row = (exchange, context) => {
    if (!applies(exchange) || !isDeclared(exchange, context) || mediaBreak(exchange, context))
      return 'not judged';
    const breaks = shapeBreaks(exchange, context);
    const own = breaks.filter(({ charged }) => charged === row);
    // A response that is no array says nothing about its animals.
    if (own.length === 0 && row === 'pet-shape' && breaks.length > 0) return 'not judged';
    return judged(exchange, own);
  };
  return [row, shape];
}

function errorStatusMatches(exchange: Exchange, context: PassiveContext): RowJudgement {
  const { answer } = exchange;
  if (answer.kind === 'none' || !isError(exchange) || !isDeclared(exchange, context)) return 'not judged';
  const body = bodyOf(exchange);
  if (mediaBreak(exchange, context) || shapeBreaks(exchange, context).length > 0 || !isObject(body))
    return 'not judged';
  const status = member(body, 'status');
  if (integerOf(status) === BigInt(answer.status)) return 'kept';
  return breaking('error-status-matches', exchange, {
    message: 'the status in the Error body is not the status of the response',
    expected: String(answer.status),
    actual: describe(status),
    what: isNumber(status) ? ['another status', ...figureOf(status)] : ['no status'],
  });
}

/** A status in an Error is a constant of the server; any other number may be made up for each response. */
const figureOf = (status: Json): readonly string[] => {
  const figure = integerOf(status);
  return figure !== null && figure >= 0 && figure < 600 ? [String(figure)] : [];
};

function judged(
  exchange: Exchange,
  breaks: readonly (Pick<Break, 'charged' | 'message' | 'expected' | 'actual'> | null)[],
): RowJudgement {
  const findings = breaks.flatMap((broken) =>
    broken?.charged ? breaking(broken.charged, exchange, broken) : [],
  );
  return findings.length > 0 ? findings : 'kept';
}

const breaking = (
  requirement: RequirementId,
  exchange: Exchange,
  { message, expected, actual, what }: Pick<Break, 'message' | 'expected' | 'actual' | 'what'>,
): readonly Finding[] => [
  about(
    requirement,
    violated([exchange], message, { expected, actual, ...(what && { measured: { what } }) }),
  ),
];

const isError = ({ answer }: Exchange): boolean => answer.kind === 'response' && answer.status >= 400;

const isEmptyList = (exchange: Exchange): boolean => {
  const body = exchange.operation === 'listPets' ? bodyOf(exchange) : undefined;
  return Array.isArray(body) && body.length === 0;
};

/** Part 9: is true if all of these operations are marked experimental or beta, so they may still change. */
export const areUnstable = (
  operations: readonly OperationName[],
  { markers }: Pick<Contract, 'markers'>,
): boolean => operations.length > 0 && operations.every((operation) => markers[operation] !== undefined);

export const softened = (finding: Finding): Finding =>
  finding.kind === 'violated' ? { ...finding, warns: true } : finding;

export const softenedFor = (
  operations: readonly OperationName[],
  contract: Pick<Contract, 'markers'>,
): ((finding: Finding) => Finding) => (areUnstable(operations, contract) ? softened : (finding) => finding);

/** Text that identifies such a finding, with the rule about the end of a body. */
const EXPECTED = 'no bytes after the end of a response until the next request (RFC 9112, 6.3)';

/**
 * Charges a server that sends bytes after its response: a client that reuses the connection takes them for
 * the next response. The rule is RFC 9112 section 6.3, which the interface does not repeat, so it warns.
 */
export const surplusFinding = ({ id, probe }: SurplusAfter): Finding => ({
  kind: 'violated',
  warns: true,
  requirement: 'json-media-type',
  message: [
    `the server sent bytes after the end of the response to “${probe}”.`,
    'A client that reuses the connection takes them for the next response.',
    'From then on each request used a new connection, so no other row was judged by these bytes',
  ].join(' '),
  expected: EXPECTED,
  actual: 'more bytes',
  measured: { what: ['bytes after the end'] },
  exchanges: [id],
});

export const isSurplus = (finding: Finding): boolean =>
  finding.kind === 'violated' && finding.expected === EXPECTED;
