import { header } from '../../wire/exchange/headers.js';
import { nameOfRequest, wholeText, type ClientExchange, type Traffic } from '../../wire/exchange/client-exchange.js';
import { PATH, parameterPlace } from '../../wire/exchange/request-credential.js';
import { parseRequestTarget, type RequestTarget } from '../../wire/exchange/request-target.js';
import { inInt64, integerOf, isInt64, isObject, member, readJson, type Json } from '../../base/kernel/json.js';
import { isJsonMediaType } from '../checks/layers.js';
import { kept, observed, violated, type Judgement } from '../findings/finding.js';
import { loadContract } from '../../base/interface/contract.js';
import { visible } from '../../base/kernel/visible.js';

/** A part of a request outside the interface, or one that the interface leaves open. */
interface Remark {
  readonly kind: 'wrong' | 'open' | 'missing';
  /** What it is, to follow "sent". */
  readonly what: string;
  readonly expected: string;
}

/**
 * `client-valid-request`, part 4: requests to the declared operations are what the interface declares.
 *
 * Why it cannot be wrong in the client's disfavour: it reads the bytes of the request, whatever the server answered. Everything
 * that can be read as valid is valid (`05`, `7.0`, a parameter twice); what the interface does not declare is not judged; a body
 * that the record lacks proves nothing. A parameter or an id that holds the key breaks `client-bearer-key` only.
 */
export const requestsAreValid = (traffic: Traffic): readonly Judgement[] =>
  traffic.exchanges.flatMap((exchange) => {
    const target = parseRequestTarget(exchange.request, traffic.basePath);
    if (exchange.origin !== undefined || target.operation === null) return [];
    const remarks = remarksOn(exchange, target);
    const name = nameOfRequest(exchange, traffic.basePath);
    const faults = remarks.filter(({ kind }) => kind === 'wrong');
    return [
      ...faults.map(({ what, expected }) =>
        violated([exchange], `the client sent ${what} in “${name}”`, { expected, actual: what }),
      ),
      ...remarks.filter(({ kind }) => kind === 'open').map(({ what }) => observed([exchange], what, 'requests')),
      ...(faults.length === 0 && remarks.every(({ kind }) => kind !== 'missing') ? [kept([exchange])] : []),
    ];
  });

function remarksOn({ request, credential: { elsewhere } }: ClientExchange, target: RequestTarget): readonly Remark[] {
  const query = withoutKeys(target.query, elsewhere);
  const unread: readonly Remark[] =
    query.size < target.query.size ? [{ kind: 'missing', what: 'a parameter that holds the key', expected: '' }] : [];
  switch (target.operation) {
    case 'listPets':
      return [...unread, ...queryRemarks(query, ['limit', 'status']), ...bodyOfGet(request)];
    case 'getPet':
      return [
        ...unread,
        ...(elsewhere.includes(PATH) ? [] : petIdRemarks(target.petId ?? '')),
        ...queryRemarks(query, []),
        ...bodyOfGet(request),
      ];
    case 'createPet':
      return [...unread, ...queryRemarks(query, []), ...typeRemarks(request), ...bodyRemarks(request)];
    case null:
      return [];
  }
}

/** Returns the parameters of a query that do not hold the key. */
const withoutKeys = (query: URLSearchParams, elsewhere: readonly string[]): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => !elsewhere.includes(parameterPlace(name))));

function queryRemarks(query: URLSearchParams, declared: readonly string[]): readonly Remark[] {
  const { pageSize, statuses } = loadContract();
  const sound = { expected: '' };
  const others = [...new Set(query.keys())].filter((name) => !declared.includes(name));
  const limits = declared.includes('limit') ? query.getAll('limit') : [];
  const filters = declared.includes('status') ? query.getAll('status') : [];
  const doubled = [...(limits.length > 1 ? ['limit'] : []), ...(filters.length > 1 ? ['status'] : [])];
  return [
    ...limits.flatMap((text): Remark[] => {
      const value = readInteger(text);
      if (value === null || value < pageSize.min || value > pageSize.max)
        return [
          {
            kind: 'wrong',
            what: `limit=${visible(text)}`,
            expected: `an integer from ${pageSize.min} to ${pageSize.max}`,
          },
        ];
      return String(value) === text ? [] : [{ kind: 'open', what: `limit written as ${visible(text)}`, ...sound }];
    }),
    ...filters
      .filter((text) => !(statuses as readonly string[]).includes(text))
      .map((text): Remark => ({
        kind: 'wrong',
        what: `status=${visible(text)}`,
        expected: statuses.join(', '),
      })),
    ...doubled.map((name): Remark => ({ kind: 'open', what: `the parameter ${name} more than once`, ...sound })),
    ...others.map((name): Remark => ({
      kind: 'open',
      what: `the undeclared query parameter ${visible(name)}`,
      ...sound,
    })),
  ];
}

/** Returns the integer of a parameter in any notation of JSON, leading zeros and a plus allowed; null for other texts. */
function readInteger(text: string): bigint | null {
  const plain = /^[+-]?0*(?=\d)/.test(text) ? text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1') : text;
  const reading = readJson(plain);
  return /^[\d-]/.test(plain) && reading.ok ? integerOf(reading.value) : null;
}

function petIdRemarks(text: string): readonly Remark[] {
  const value = readInteger(text);
  if (value === null || !inInt64(value))
    return [{ kind: 'wrong', what: `the id ${visible(text)}`, expected: 'a 64-bit integer' }];
  return String(value) === text ? [] : [{ kind: 'open', what: `an id written as ${visible(text)}`, expected: '' }];
}

const bodyOfGet = ({ body }: ClientExchange['request']): readonly Remark[] =>
  body.kind === 'whole' && body.text !== '' ? [{ kind: 'open', what: 'a body with a GET request', expected: '' }] : [];

function typeRemarks({ headers }: ClientExchange['request']): readonly Remark[] {
  const type = header(headers, 'content-type');
  if (isJsonMediaType(type)) return [];
  const what = type === null ? 'a creation without Content-Type' : `a creation with Content-Type: ${visible(type)}`;
  return [{ kind: 'wrong', what, expected: 'Content-Type: application/json' }];
}

function bodyRemarks({ body, headers }: ClientExchange['request']): readonly Remark[] {
  const text = wholeText(body);
  if (text === null) return [{ kind: 'missing', what: 'an unrecorded body', expected: '' }];
  if (text === '') return [{ kind: 'wrong', what: 'a creation without a body', expected: 'a NewPet' }];
  const reading = readJson(text.replace(/^\uFEFF/, ''));
  if (!reading.ok && isCoded(headers)) return [{ kind: 'missing', what: 'a body in a content coding', expected: '' }];
  if (!reading.ok) return [{ kind: 'wrong', what: 'a body that is not JSON', expected: 'a NewPet' }];
  if (!isObject(reading.value)) return [{ kind: 'wrong', what: 'a body that is no JSON object', expected: 'a NewPet' }];
  return memberRemarks(reading.value);
}

/** Returns whether a body is compressed (RFC 9110, 8.4), which the interface leaves open. */
const isCoded = (headers: ClientExchange['request']['headers']): boolean =>
  /^(?!identity$)\S/i.test((header(headers, 'content-encoding') ?? '').trim());

const wrong = (what: string, expected: string): Remark => ({ kind: 'wrong', what, expected });

const NEW_PET = ['name', 'categoryId', 'status'];

function memberRemarks(pet: Extract<Json, { readonly [name: string]: Json }>): readonly Remark[] {
  const [name, categoryId, status] = NEW_PET.map((each) => member(pet, each));
  const { statuses } = loadContract();
  return [
    ...(typeof name === 'string' ? [] : [wrong(described('name', name), 'a string')]),
    ...(isInt64(categoryId) ? [] : [wrong(described('categoryId', categoryId), 'a 64-bit integer')]),
    ...(status === undefined || (typeof status === 'string' && (statuses as readonly string[]).includes(status))
      ? []
      : [wrong(described('status', status), `${statuses.join(', ')}, or none`)]),
    ...Object.keys(pet)
      .filter((each) => !NEW_PET.includes(each))
      .map((each): Remark => ({ kind: 'open', what: `the undeclared member ${visible(each)}`, expected: '' })),
  ];
}

const described = (name: string, value: Json | undefined): string =>
  value === undefined
    ? `a creation without ${name}`
    : typeof value === 'string'
      ? `a creation with ${name} “${visible(value)}”`
      : `a creation with a ${name} of the wrong type or range`;
