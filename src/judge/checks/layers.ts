import { errorMembers, petMembers } from '../../base/interface/resources.js';
import type { Break } from './break.js';
import type { Contract } from '../../base/interface/contract.js';
import type { ResponseValidator } from '../../base/interface/response-validator.js';
import { answerHeader, statusOf } from '../../wire/exchange/headers.js';
import {
  isObject,
  member,
  readJson,
  type Json,
  type JsonReading,
  type Repeated,
} from '../../base/kernel/json.js';
import { cut, visible } from '../../base/kernel/visible.js';
import { onceEach } from '../../base/kernel/once-each.js';
import type { Answer, Exchange } from '../../wire/exchange/types.js';
import { isLoadProbe } from '../../wire/exchange/request-spec.js';
import { counted } from '../../base/kernel/format.js';
import { isSuccess } from '../../base/interface/success.js';
import { breaksOfShape } from './shape-faults.js';

export interface Judging {
  readonly contract: Contract;
  readonly validator: ResponseValidator;
}

const RATE_LIMITED = 429;
/** Status codes that refuse a key. For a valid key they are charged to `auth-valid-key`. */
export const KEY_REFUSED: readonly number[] = [401, 403];

/** True for rows about the form of a valid key. They are charged with its refusal. */
const isAboutTheKey = (intent: Exchange['intent']): boolean =>
  intent.kind === 'expects' && intent.chargedTo.startsWith('auth-');

/** Judges transport and status: a response must have an expected status code. */
export function statusBreak(exchange: Exchange): Break | null {
  const { answer, intent, credential, blockedAfter, losesTls } = exchange;
  if (answer.kind === 'none')
    return {
      layer: 'transport',
      charged: null,
      message: unreadWords(answer),
      expected: 'a response',
      actual: `${answer.code}: ${answer.message}`,
      returned:
        answer.code === 'bad-encoding' ? 'a body in an encoding that hides it' : 'no complete response',
    };
  const { status } = answer;
  const actual = losesTls ? `${status}, a redirect from https to http: the scheme was lost` : String(status);
  if (isOutgrown(exchange))
    return {
      layer: 'transport',
      charged: null,
      message: 'no response of the service, because the form of the key made the request too large,',
      expected: 'a response of the service',
      actual,
      returned: `${actual} for a too large request`,
    };
  if (blockedAfter !== undefined)
    return {
      layer: 'status',
      charged: 'auth-valid-key',
      message: blockedWords(exchange),
      expected: 'a response of the service',
      actual,
      returned: isAboutItsKey(exchange)
        ? `${actual} for the key`
        : `${actual} from something in front of the service`,
    };
  const wanted = intent.kind === 'open' ? null : intent.statuses;
  if (wanted?.includes(status)) return null;
  const expected = wanted?.join(' or ') ?? 'a response of the operation';
  const broken = { layer: 'status', expected, actual, returned: `${actual} instead of ${expected}` } as const;
  if (status === RATE_LIMITED) {
    const message = 'the target returned 429 although the run was below the limit';
    return { ...broken, layer: 'rate-limited', charged: null, message };
  }
  if (intent.kind === 'open' || wanted === null) return null;
  const isOfKey = credential.kind === 'valid' && KEY_REFUSED.includes(status) && wanted.some(isSuccess);
  if (isOfKey && !isAboutTheKey(intent))
    return { ...broken, charged: 'auth-valid-key', message: `a valid key was refused with ${actual}` };
  const charged = intent.kind === 'expects' ? intent.chargedTo : 'declared-status';
  return { ...broken, charged, message: gotWords(exchange, actual, `instead of ${expected}`) };
}

/**
 * Says which request got a status code. Under load its place names it: there `more` follows, which elsewhere
 * is the finding's expectation.
 */
export const gotWords = ({ probe }: Pick<Exchange, 'probe'>, actual: string, more: string): string =>
  isLoadProbe(probe) ? `the target returned ${actual} ${more}` : `“${probe}” got ${actual}`;

/** Status codes for a too large body, target or head (RFC 9110 section 15.5; RFC 6585 section 5). */
const TOO_LARGE: readonly number[] = [413, 414, 431];
/** Status codes with which nginx and Apache refuse a long header, and IIS a long query. */
const TOO_LARGE_ELSEWHERE: readonly number[] = [400, 404];

/**
 * Is true if a request may have been refused only for its size, which the form of its key caused. A long key
 * is the target's own, but its encoding is the kit's: such a refusal shows nothing.
 */
export function isOutgrown(exchange: Exchange): boolean {
  const { answer, grownTo } = exchange;
  if (grownTo === undefined) return false;
  if (answer.kind === 'none') return answer.code !== 'tls';
  return (
    TOO_LARGE.includes(answer.status) ||
    (TOO_LARGE_ELSEWHERE.includes(answer.status) && !hasErrorMembers(exchange))
  );
}

const unreadWords = ({ code, message }: Extract<Answer, { kind: 'none' }>): string => {
  if (code === 'tls') return `no trusted TLS connection (${message})`;
  if (code === 'too-large') return `no whole response, because ${message},`;
  return code === 'bad-encoding' ? `a body cannot be read: ${message}` : 'no complete response';
};

/** A gateway that blocks a run seldom returns an Error: 401 or 403 with one is about the key. */
const isAboutItsKey = (exchange: Exchange): boolean =>
  KEY_REFUSED.includes(statusOf(exchange) ?? 0) && hasErrorMembers(exchange);

/** Says from when on a run was refused, and by what. */
export function blockedWords(exchange: Exchange): string {
  const after = `after ${counted(exchange.blockedAfter ?? 0, 'request')}`;
  return isAboutItsKey(exchange)
    ? `the target rejected the key ${after}, although it had accepted it before`
    : `something in front of the service blocked the run ${after}`;
}

/**
 * Is true for a status code that its operation declares: only such a response promises media type and shape.
 * A request that the interface leaves open may be refused before it reaches the operation. Then the response
 * promises nothing.
 */
export const isDeclared = (exchange: Exchange, { contract }: Judging): boolean => {
  const { operation, answer, intent } = exchange;
  return (
    operation !== null &&
    answer.kind === 'response' &&
    contract.operations[operation].statuses.includes(answer.status) &&
    !(intent.kind === 'open' && (answer.status >= 400 || showsNoAnimal(exchange)))
  );
};

/** A path whose id is no int64 asks for no animal, so a success without an id promises none. */
const showsNoAnimal = (exchange: Exchange): boolean => {
  if (!asksForNoAnimal(exchange)) return false;
  const body = bodyOf(exchange);
  return !isObject(body) || member(body, 'id') === undefined;
};

/** Is true for a fetch whose id is no int64. */
export const asksForNoAnimal = ({ intent }: Pick<Exchange, 'intent'>): boolean =>
  intent.kind === 'open' && intent.row === 'get-malformed-id';

/** Part 1: bodies are `application/json`, parameters allowed (RFC 8259 section 11, RFC 9110 section 8.3.1). */
export const isJsonMediaType = (contentType: string | null): boolean =>
  contentType !== null && /^\s*application\/json\s*(;|$)/i.test(contentType);

/** Judges media type and JSON: a body must be labelled and written as JSON. The shape judges an empty body. */
export function mediaBreak(exchange: Exchange, judging: Judging): Break | null {
  const { answer } = exchange;
  if (answer.kind === 'none' || isCut(answer) || !isDeclared(exchange, judging)) return null;
  const reading = howRead(exchange);
  if (reading === 'empty') return null;
  const contentType = answerHeader(exchange, 'content-type');
  if (!isJsonMediaType(contentType)) {
    const actual = contentType === null ? 'no Content-Type' : `Content-Type: ${contentType}`;
    return bodyIs('media type', 'not labelled application/json', 'Content-Type: application/json', actual);
  }
  // RFC 9110 section 8.4: the body must be in the coding, which clients undo to read it.
  if (answer.miscoded) {
    const coding = answerHeader(exchange, 'content-encoding') ?? '';
    return bodyIs('content coding', 'not in its Content-Encoding', `a body in ${coding}`, 'other bytes');
  }
  // RFC 8259 section 8.1: JSON between systems is UTF-8.
  if (answer.notUtf8)
    return {
      ...bodyIs('encoding', 'not UTF-8', 'JSON in UTF-8', 'bytes that are not UTF-8'),
      returned: 'bytes that are not UTF-8',
    };
  if (reading === 'read') return null;
  const [twice] = repeatedOf(exchange).own;
  return twice === undefined
    ? bodyIs('no JSON', 'not valid JSON', 'JSON', reading.problem)
    : bodyIs(
        'repeated member',
        `ambiguous: ${twice} stands twice in an object, with two values`,
        'each member once (RFC 8259, 4)',
        `${twice} twice`,
      );
}

const bodyIs = (what: string, fault: string, expected: string, actual: string): Break => ({
  layer: 'media',
  charged: 'json-media-type',
  message: `a body is ${fault}`,
  returned: `a body that is ${fault}`,
  expected,
  actual,
  what: [what],
});

const howRead = onceEach((exchange: Exchange): 'empty' | 'read' | { readonly problem: string } => {
  const reading = readBody(exchange);
  return reading === null ? 'empty' : reading.ok ? 'read' : { problem: reading.problem };
});

/** Judges the shape: a body must have the shape of the resource that its operation and status code promise. */
export function shapeBreaks(exchange: Exchange, judging: Judging): readonly Break[] {
  const { answer, operation } = exchange;
  if (answer.kind === 'none' || operation === null || isCut(answer) || !isDeclared(exchange, judging))
    return [];
  return breaksOfShape(bodyOf(exchange), { operation, status: answer.status }, judging.validator);
}

/** Size of a text of which only one parsed form is kept: JSON in memory takes up to 40 times its text. */
const LARGE_TEXT = 65_536;

/** A response cut in the log was judged before. */
const isCut = (answer: Answer): boolean => answer.kind === 'response' && answer.cutFrom !== undefined;

/** A body read as JSON, with the names of its members that stand twice with two values, quoted. */
interface BodyReading {
  /** null for an empty body. */
  readonly json: JsonReading | null;
  /** Members of Pet or Error. */
  readonly own: readonly string[];
  /** All other members: the interface says nothing about them. */
  readonly further: readonly string[];
}

const readWhole = onceEach(
  ({ answer }: Exchange): BodyReading => {
    const text = answer.kind === 'none' || isCut(answer) ? '' : answer.text;
    if (answer.kind === 'none' || text === '') return { json: null, own: [], further: [] };
    const repeated: Repeated[] = [];
    const json = readJson(text, (one) => void repeated.push(one));
    const names: readonly string[] = isSuccess(answer.status) ? petMembers : errorMembers;
    const depth = json.ok && Array.isArray(json.value) ? 2 : 1;
    const isOwn = (one: Repeated): boolean => one.depth === depth && names.includes(one.name);
    return {
      json,
      own: quotedOf(repeated.filter(isOwn)),
      further: quotedOf(repeated.filter((one) => !isOwn(one))),
    };
  },
  ({ answer }) => answer.kind === 'response' && answer.text.length > LARGE_TEXT,
);

const quotedOf = (some: readonly Repeated[]): readonly string[] => [
  ...new Set(some.map(({ name }) => `"${cut(visible(name), MOST_OF_NAME).text}"`)),
];

/** Characters of a member's name that a finding quotes. */
const MOST_OF_NAME = 40;

export const repeatedOf = (exchange: Exchange): Omit<BodyReading, 'json'> => readWhole(exchange);

/**
 * Body read as JSON; null for an empty one. One in which a member of Pet or Error has two values says
 * nothing.
 */
function readBody(exchange: Exchange): JsonReading | null {
  const { json, own } = readWhole(exchange);
  return own.length > 0 && json?.ok ? { ok: false, problem: `${own.join(', ')} twice` } : json;
}

/** Returns the body as lossless JSON; undefined if it is missing or unreadable. */
export function bodyOf(exchange: Exchange): Json | undefined {
  const reading = readBody(exchange);
  return reading?.ok ? reading.value : undefined;
}

const firstBreaks = onceEach((judging: Judging) =>
  onceEach(
    (exchange: Exchange): Break | null =>
      statusBreak(exchange) ?? mediaBreak(exchange, judging) ?? shapeBreaks(exchange, judging)[0] ?? null,
  ),
);

/** Returns the first broken layer below the meaning; null for a readable response. */
export const firstBreak = (exchange: Exchange, judging: Judging): Break | null =>
  firstBreaks(judging)(exchange);

/**
 * Is true if a body has members of an Error (part 2), with any values. Then the service wrote it, not a
 * proxy.
 */
export function hasErrorMembers(exchange: Exchange): boolean {
  const body = bodyOf(exchange);
  return isObject(body) && errorMembers.some((name) => member(body, name) !== undefined);
}
