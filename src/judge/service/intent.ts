import { statusOf, header } from '../../wire/exchange/headers.js';
import { type ClientExchange } from '../../wire/exchange/client-exchange.js';
import type { Intent } from '../../wire/exchange/types.js';
import type { NewPet, OperationName, RequirementId } from '../../base/interface/types.js';
import { loadContract } from '../../base/interface/contract.js';
import { isSuccess } from '../../base/interface/success.js';
import { soundnessOf, type AsRead, type Refusing, type Remark, type Soundness } from '../clients/as-read.js';

/**
 * What a request may expect of the service, decided from the request. Traffic of others does not say what it
 * wanted, so everything that a sound service may answer is expected: 401 to a key that may have expired, 400
 * to a category that may be unknown.
 */
export interface Expectation {
  readonly intent: Intent;
  /** Members of a valid creation. */
  readonly sent?: NewPet;
  readonly refusedBy?: Refusing;
}

/** A client may ask for another media type, which the interface leaves open. */
export function soundnessFor(exchange: ClientExchange, remarks: readonly Remark[]): Soundness {
  const soundness = soundnessOf(remarks);
  return soundness === 'sound' && !acceptsJson(exchange) ? 'open' : soundness;
}

const acceptsJson = ({ request: { headers } }: ClientExchange): boolean =>
  /json|\*\/\*|application\/\*|^\s*$/i.test(header(headers, 'accept') ?? '');

const UNAUTHORIZED = 401;
const BAD_REQUEST = 400;

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

/** Is true for a listing whose status code no row names, as in the suites: with more than a limit. */
const isNarrowed = ({ query }: AsRead['target']): boolean =>
  [...query.keys()].some((name) => name !== 'limit');

/** Row of each operation about what the interface leaves open in its requests. */
const OPEN_ROWS: Readonly<Record<OperationName, RequirementId>> = {
  listPets: 'list-limit-out-of-range',
  createPet: 'create-unknown-member',
  getPet: 'get-malformed-id',
};

/**
 * @param isKnown true if a response showed this animal before
 * @param isServed false from the removal of the deprecated operation on
 */
export function expectedWithKey(
  exchange: ClientExchange,
  operation: OperationName,
  { target, remarks, newPet }: Pick<AsRead, 'target' | 'remarks' | 'newPet'>,
  { isKnown, isServed }: { readonly isKnown: boolean; readonly isServed: boolean },
): Expectation {
  const soundness = soundnessFor(exchange, remarks);
  const status = statusOf(exchange) ?? 0;
  if (operation === 'getPet' && !isServed) return open('get-after-removal');
  if (soundness === 'wrong' && operation === 'createPet') return ofFaultyCreation(status, remarks);
  if (soundness !== 'sound') return { ...open(OPEN_ROWS[operation]), ...(newPet && { sent: newPet }) };
  // The key may have expired, and the category may be unknown.
  if (status === UNAUTHORIZED || (operation === 'createPet' && status === BAD_REQUEST))
    return { intent: declared(operation) };
  switch (operation) {
    case 'listPets':
      return { intent: isNarrowed(target) ? declared('listPets') : expects(200, 'list-ok') };
    case 'createPet':
      return { intent: expects(201, 'create-ok'), ...(newPet && { sent: newPet }) };
    case 'getPet':
      // The animal may be gone meanwhile, so 404 is right.
      return {
        intent: isKnown && (isSuccess(status) || status >= 500) ? expects(200, 'get-ok') : declared('getPet'),
      };
  }
}

/**
 * Returns what a request without any credential may expect: 401. Another row judges whether other faults come
 * first.
 */
export function expectedWithoutKey(operation: OperationName, status: number): Intent {
  if (status === UNAUTHORIZED) return expects(UNAUTHORIZED, 'auth-missing-key');
  return isSuccess(status) ? declared(operation) : { kind: 'open', row: 'auth-before-work' };
}

/**
 * Returns what a request may expect whose key may stand in another place than the bearer token's: any
 * declared status.
 */
export const expectedWithUnsureKey = (operation: OperationName): Expectation => ({
  intent: declared(operation),
});

/**
 * The client is blamed for a faulty creation. The service is blamed only for accepting it; how it refuses is
 * judged for 400.
 */
function ofFaultyCreation(status: number, remarks: readonly Remark[]): Expectation {
  if (status === UNAUTHORIZED) return { intent: declared('createPet') };
  const rows = remarks.flatMap(({ kind, refusedBy = null }) => (kind === 'open' ? [] : [refusedBy]));
  const row = rows.includes('create-missing-field') ? 'create-missing-field' : 'create-invalid-value';
  if (!rows.includes(null) && (isSuccess(status) || status === BAD_REQUEST))
    return { intent: expects(BAD_REQUEST, row), refusedBy: row };
  return open('create-media-type');
}
