import { header } from '../../wire/exchange/headers.js';
import { statusReceived, wholeText, type ClientExchange, type Traffic } from '../../wire/exchange/client-exchange.js';
import type { RequestTarget } from '../../wire/exchange/request-target.js';
import type { Intent } from '../../wire/exchange/types.js';
import type { NewPet, OperationName, RequirementId } from '../../base/interface/types.js';
import { loadContract } from '../../base/interface/contract.js';
import { INT64, integerOf, isInt64, isObject, member, readJson, type Json } from '../../base/kernel/json.js';
import { isJsonMediaType } from '../checks/layers.js';
import { requestsAreValid } from '../clients/requests.js';

/**
 * What a request may expect of the service, decided from the request. Traffic of others does not say what it wanted, so
 * everything that a sound service may answer is expected: 401 to a key that may have expired, 400 to a category that may be
 * unknown.
 */
export interface Expectation {
  readonly intent: Intent;
  /** Members of a valid creation. */
  readonly sent?: NewPet;
  /** Row about a creation that the service must refuse. */
  readonly refusedBy?: 'create-missing-field' | 'create-invalid-value';
}

/** Whether a request is what the interface declares. `unknown`: its body is not in the record. */
export type Soundness = 'sound' | 'open' | 'wrong' | 'unknown';

/** Returns whether a request is what the interface declares, as the client's own row judges it. */
export function soundnessOf(
  exchange: ClientExchange,
  facts: Pick<Traffic, 'source' | 'basePath' | 'graceMs'>,
): Soundness {
  const kinds = requestsAreValid({ ...facts, exchanges: [exchange], end: null }).map(({ kind }) => kind);
  if (kinds.includes('violated')) return 'wrong';
  if (!kinds.includes('kept')) return 'unknown';
  return kinds.includes('observed') || !acceptsJson(exchange) ? 'open' : 'sound';
}

/** A client may ask for another media type. Then the interface leaves the response open. */
const acceptsJson = ({ request: { headers } }: ClientExchange): boolean =>
  /json|\*\/\*|application\/\*|^\s*$/i.test(header(headers, 'accept') ?? '');

const UNAUTHORIZED = 401;
const BAD_REQUEST = 400;

const isOk = (status: number): boolean => status >= 200 && status < 300;

const open = (row: RequirementId): Expectation => ({ intent: { kind: 'open', row } });
const expects = (status: number, chargedTo: RequirementId): Intent => ({
  kind: 'expects',
  statuses: [status],
  chargedTo,
});
const declared = (operation: OperationName): Intent => ({
  kind: 'declared',
  statuses: [...loadContract().operations[operation].statuses],
});

const isFiltered = ({ request: { target } }: ClientExchange): boolean => /[?&]status=/.test(target);

/** Row of each operation about what the interface leaves open in its requests. */
const OPEN_ROWS: Readonly<Record<OperationName, RequirementId>> = {
  listPets: 'list-limit-out-of-range',
  createPet: 'create-unknown-member',
  getPet: 'get-malformed-id',
};

/**
 * Returns what a request with a key may expect.
 * @param isKnown true if a response showed this animal before
 * @param isServed false from the removal of the deprecated operation on
 */
export function expectedWithKey(
  exchange: ClientExchange,
  operation: OperationName,
  soundness: Soundness,
  { isKnown, isServed, source }: { readonly isKnown: boolean; readonly isServed: boolean } & Pick<Traffic, 'source'>,
): Expectation {
  const status = statusReceived(exchange) ?? 0;
  if (operation === 'getPet' && !isServed) return open('get-after-removal');
  if (soundness === 'wrong' && operation === 'createPet') return ofFaultyCreation(exchange, status, source);
  const creation = operation === 'createPet' ? newPetIn(exchange) : null;
  if (soundness !== 'sound') return { ...open(OPEN_ROWS[operation]), ...(creation && { sent: creation }) };
  // The key may have expired, and the category may be unknown.
  if (status === UNAUTHORIZED || (operation === 'createPet' && status === BAD_REQUEST))
    return { intent: declared(operation) };
  switch (operation) {
    case 'listPets':
      // As in the suites, no row names the status of a filtered listing.
      return { intent: isFiltered(exchange) ? declared('listPets') : expects(200, 'list-ok') };
    case 'createPet':
      return { intent: expects(201, 'create-ok'), ...(creation && { sent: creation }) };
    case 'getPet':
      // The animal may be gone meanwhile, so 404 is right.
      return { intent: isKnown && (isOk(status) || status >= 500) ? expects(200, 'get-ok') : declared('getPet') };
  }
}

/** Returns what a request without any credential may expect: 401. Another row judges whether other faults come first. */
export function expectedWithoutKey(operation: OperationName, status: number): Intent {
  if (status === UNAUTHORIZED) return expects(UNAUTHORIZED, 'auth-missing-key');
  return isOk(status) ? declared(operation) : { kind: 'open', row: 'auth-before-work' };
}

/** The client is blamed for a faulty creation. The service is blamed only for accepting it; how it refuses is judged for 400. */
function ofFaultyCreation(exchange: ClientExchange, status: number, source: Traffic['source']): Expectation {
  if (status === UNAUTHORIZED) return { intent: declared('createPet') };
  const row = refusalRow(exchange, source);
  if (row !== null && (isOk(status) || status === BAD_REQUEST))
    return { intent: expects(BAD_REQUEST, row), refusedBy: row };
  return open('create-media-type');
}

/** The largest int64 as JavaScript rounds it: a recorder that writes the body anew may replace a valid one by it. */
const ROUNDED_UP = INT64.max + 1n;

function refusalRow(exchange: ClientExchange, source: Traffic['source']): NonNullable<Expectation['refusedBy']> | null {
  const body = jsonIn(exchange);
  if (body === undefined || !isJsonMediaType(header(exchange.request.headers, 'content-type'))) return null;
  if (!isObject(body)) return 'create-invalid-value';
  const [name, categoryId] = [member(body, 'name'), member(body, 'categoryId')];
  if (source === 'har' && integerOf(categoryId) === ROUNDED_UP) return null;
  return name === undefined || categoryId === undefined ? 'create-missing-field' : 'create-invalid-value';
}

function jsonIn({ request: { body } }: ClientExchange): Json | undefined {
  const text = wholeText(body);
  const reading = text === null || text === '' ? null : readJson(text);
  return reading?.ok ? reading.value : undefined;
}

/** Returns the members of a creation that must come back; null if one is not readable. */
function newPetIn(exchange: ClientExchange): NewPet | null {
  const body = jsonIn(exchange);
  if (!isObject(body)) return null;
  const [name, categoryId, status] = [member(body, 'name'), member(body, 'categoryId'), member(body, 'status')];
  const known = loadContract().statuses.find((each) => each === status);
  if (typeof name !== 'string' || !isInt64(categoryId) || (status !== undefined && known === undefined)) return null;
  return { name, categoryId: String(integerOf(categoryId)), ...(known !== undefined && { status: known }) };
}

/** Returns the id that a fetch names, in digits; null if it is no int64. */
export function fetchedId({ petId }: RequestTarget): string | null {
  const reading = petId === null ? null : readJson(petId);
  return reading?.ok && isInt64(reading.value) ? String(integerOf(reading.value)) : null;
}
