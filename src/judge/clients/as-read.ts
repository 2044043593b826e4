import { newPetMembers } from '../../base/interface/resources.js';
import { header } from '../../wire/exchange/headers.js';
import { wholeText, type ClientExchange, type TrafficFacts } from '../../wire/exchange/client-exchange.js';
import { isMask, isUnset } from '../../wire/exchange/mask.js';
import { PATH, parameterPlace } from '../../wire/exchange/request-credential.js';
import { parseRequestTarget, type RequestTarget } from '../../wire/exchange/request-target.js';
import {
  inInt64,
  integerOf,
  isInt64,
  isObject,
  isRoundedEdge,
  member,
  readJson,
  type Json,
  type JsonObject,
  parsedJson,
} from '../../base/kernel/json.js';
import { isJsonMediaType } from '../checks/layers.js';
import type { NewPet, RequirementId } from '../../base/interface/types.js';
import { loadContract, type PetStatus } from '../../base/interface/contract.js';
import { queryFaults, readInteger } from '../../base/interface/listing-query.js';
import { visible } from '../../base/kernel/visible.js';

/**
 * Returns whether a record made elsewhere lacks the headers of a request: each has at least Host (RFC 9112,
 * 3.2). Then nothing shows whether it had a key, or a type.
 */
export const lacksHeaders = (
  { request: { headers } }: Pick<ClientExchange, 'request'>,
  { source }: Pick<TrafficFacts, 'source'>,
): boolean => source === 'har' && headers.length === 0;

/**
 * Returns whether a record made elsewhere lacks headers of a creation, so that its Content-Type may be among
 * them. Each with a body has the length or the coding of it (RFC 9112, 6.3).
 */
const lacksFraming = (exchange: ClientExchange, facts: Pick<TrafficFacts, 'source'>): boolean =>
  lacksHeaders(exchange, facts) ||
  (facts.source === 'har' &&
    ['content-type', 'content-length', 'transfer-encoding'].every(
      (name) => header(exchange.request.headers, name) === null,
    ));

/** A part of a request outside the interface, or one that the interface leaves open. */
export interface Remark {
  readonly kind: 'wrong' | 'open' | 'missing';
  /** What it is, to follow "sent". */
  readonly what: string;
  readonly expected?: string;
  /** What stands in the place of a header or parameter. */
  readonly value?: string | undefined;
  readonly refusedBy?: Refusing;
}

/** Rows about creations that the service must refuse. */
export type Refusing = Extract<RequirementId, 'create-missing-field' | 'create-invalid-value'>;

/**
 * A request to the service as the interface reads it (part 4): the client's rows and the service's judge by
 * it.
 */
export interface AsRead {
  readonly target: RequestTarget;
  /** What is not as declared; empty for a sound request, and for one to no operation. */
  readonly remarks: readonly Remark[];
  /** Id that a fetch names; null if it is no integer. */
  readonly id: bigint | null;
  /** Category in the body of a creation; null without a readable one. */
  readonly categoryId: bigint | null;
  /** Members of a creation that must come back; null if one is invalid or not readable. */
  readonly newPet: NewPet | null;
}

/** Pure; never throws. */
export function readRequest(
  exchange: ClientExchange,
  { basePath, source }: Pick<TrafficFacts, 'basePath' | 'source'>,
): AsRead {
  const target = parseRequestTarget(exchange.request, basePath);
  const body = target.operation === 'createPet' ? readBody(exchange.request) : NO_BODY;
  // A recorder may have replaced any value, and writes only bodies anew.
  const isKnown = ({ value, refusedBy }: Remark): boolean =>
    source !== 'har' ||
    value === undefined ||
    isUnset(value) ||
    !(isMask(value) || (refusedBy !== undefined && isRoundedEdge(value)));
  const pet = isObject(body.json) ? body.json : null;
  const ofType = lacksFraming(exchange, { source })
    ? [unread('unrecorded headers')]
    : typeRemarks(exchange.request);
  return {
    target,
    remarks: remarksOn(exchange, target, [...ofType, ...body.remarks]).map((each) =>
      isKnown(each) ? each : unread(each.what),
    ),
    id: target.petId === null ? null : readInteger(target.petId),
    categoryId: pet && integerOf(member(pet, 'categoryId')),
    newPet: pet && newPetOf(pet),
  };
}

/** Whether a request is what the interface declares. `unknown`: the record lacks a part of it. */
export type Soundness = 'sound' | 'open' | 'wrong' | 'unknown';

export function soundnessOf(remarks: readonly Remark[]): Soundness {
  const has = (kind: Remark['kind']): boolean => remarks.some((each) => each.kind === kind);
  if (has('wrong')) return 'wrong';
  if (has('missing')) return 'unknown';
  return has('open') ? 'open' : 'sound';
}

const unread = (what: string): Remark => ({ kind: 'missing', what });
const open = (what: string): Remark => ({ kind: 'open', what });
const wrong = (what: string, expected: string, value?: string): Remark => ({
  kind: 'wrong',
  what,
  expected,
  value,
});

function remarksOn(
  { request, credential: { elsewhere } }: ClientExchange,
  target: RequestTarget,
  ofCreation: readonly Remark[],
): readonly Remark[] {
  const query = withoutKeys(target.query, elsewhere);
  const withKey = query.size < target.query.size ? [unread('a parameter that holds the key')] : [];
  switch (target.operation) {
    case 'listPets':
      return [...withKey, ...queryFaults(query, loadContract().listing), ...bodyOfGet(request)];
    case 'getPet':
      return [
        ...withKey,
        ...(elsewhere.includes(PATH) ? [] : petIdRemarks(target)),
        ...queryFaults(query, {}),
        ...bodyOfGet(request),
      ];
    case 'createPet':
      return [...withKey, ...queryFaults(query, {}), ...ofCreation];
    case null:
      return [];
  }
}

const withoutKeys = (query: URLSearchParams, elsewhere: readonly string[]): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => !elsewhere.includes(parameterPlace(name))));

/** Decimal digits as written in a path; zeros in front change nothing. */
const DECIMAL = /^-?\d+$/;

/**
 * A path names an int64 in decimal digits, as sent: servers read `1E3`, `+7`, `7.0`, `0x10` or an escaped
 * digit in different ways, or not at all.
 */
function petIdRemarks({ path, petId }: RequestTarget): readonly Remark[] {
  const [sent, text] = [path.slice(path.lastIndexOf('/') + 1), petId ?? ''];
  const value = DECIMAL.test(sent) ? BigInt(sent) : null;
  if (value === null || !inInt64(value))
    return [
      wrong(
        `the id ${visible(text === '' || DECIMAL.test(text) ? sent : text)}`,
        'a 64-bit integer in decimal digits',
        text,
      ),
    ];
  return String(value) === sent ? [] : [open(`an id written as ${visible(sent)}`)];
}

const bodyOfGet = ({ body }: ClientExchange['request']): readonly Remark[] =>
  body.kind === 'whole' && body.text !== '' ? [open('a body with a GET request')] : [];

function typeRemarks({ headers }: ClientExchange['request']): readonly Remark[] {
  const type = header(headers, 'content-type');
  if (isJsonMediaType(type)) return [];
  const what =
    type === null ? 'a creation without Content-Type' : `a creation with Content-Type: ${visible(type)}`;
  return [wrong(what, 'Content-Type: application/json', type ?? undefined)];
}

/** A creation's body as JSON, undefined if it cannot be read, with what is not as declared. */
interface BodyRead {
  readonly json?: Json;
  readonly remarks: readonly Remark[];
}

const NO_BODY: BodyRead = { remarks: [] };

const only = (remark: Remark): BodyRead => ({ remarks: [remark] });

function readBody({ body, headers }: ClientExchange['request']): BodyRead {
  const text = wholeText(body);
  if (text === null) return only(unread('an unrecorded body'));
  if (text === '') return only(wrong('a creation without a body', 'a NewPet'));
  if (body.kind === 'whole' && body.notUtf8 === true)
    return only(wrong('a body that is not UTF-8', 'JSON in UTF-8'));
  const reading = readJson(text.replace(/^\uFEFF/, ''));
  if (!reading.ok && isCoded(headers)) return only(unread('a body in a content coding'));
  // A member stands twice (RFC 8259, 4), or it is nested thousands deep.
  if (!reading.ok && parsedJson(text) !== undefined)
    return only(unread('a body that parsers read in different ways'));
  if (!reading.ok) return only(wrong('a body that is not JSON', 'a NewPet'));
  const json = reading.value;
  if (isObject(json)) return { json, remarks: memberRemarks(json) };
  return { json, remarks: [invalid('a body that is no JSON object', 'a NewPet')] };
}

/** Returns whether a body is compressed (RFC 9110, 8.4), which the interface leaves open. */
const isCoded = (headers: ClientExchange['request']['headers']): boolean =>
  /^(?!identity$)\S/i.test((header(headers, 'content-encoding') ?? '').trim());

const invalid = (what: string, expected: string, value?: string): Remark => ({
  ...wrong(what, expected, value),
  refusedBy: 'create-invalid-value',
});

function memberRemarks(pet: JsonObject): readonly Remark[] {
  const [name, categoryId, status] = newPetMembers.map((each) => member(pet, each));
  const { statuses } = loadContract();
  return [
    ...(typeof name === 'string' ? [] : [wrongMember('name', name, 'a string')]),
    ...(isInt64(categoryId) ? [] : [wrongMember('categoryId', categoryId, 'a 64-bit integer')]),
    ...(status === undefined || statusIn(pet) !== undefined
      ? []
      : [wrongMember('status', status, `${statuses.join(', ')}, or none`)]),
    ...Object.keys(pet)
      .filter((each) => !newPetMembers.some((known) => known === each))
      .map((each) => open(`the undeclared member ${visible(each)}`)),
  ];
}

const statusIn = (pet: JsonObject): PetStatus | undefined =>
  loadContract().statuses.find((each) => each === member(pet, 'status'));

function wrongMember(name: string, value: Json | undefined, expected: string): Remark {
  if (value === undefined)
    return { ...wrong(`a creation without ${name}`, expected), refusedBy: 'create-missing-field' };
  const isText = typeof value === 'string';
  const text = isText ? value : integerOf(value)?.toString();
  const what = isText ? `${name} “${visible(value)}”` : `a ${name} of the wrong type or range`;
  return invalid(`a creation with ${what}`, expected, text);
}

function newPetOf(pet: JsonObject): NewPet | null {
  const [name, categoryId] = [member(pet, 'name'), member(pet, 'categoryId')];
  const status = statusIn(pet);
  const isRead = status !== undefined || member(pet, 'status') === undefined;
  if (typeof name !== 'string' || !isInt64(categoryId) || !isRead) return null;
  return { name, categoryId: String(integerOf(categoryId)), ...(status !== undefined && { status }) };
}
