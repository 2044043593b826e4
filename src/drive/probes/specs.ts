import type { Contract } from '../../base/interface/contract.js';
import {
  type ByParameter,
  type ListingParameter,
  queryOf,
  readListingQuery,
  type SentQuery,
} from '../../base/interface/listing-query.js';
import type { RequirementId } from '../../base/interface/types.js';
import { plain, type KeyText } from '../../wire/exchange/key-forms.js';
import type { RequestSpec } from '../../wire/exchange/request-spec.js';
import type { Intent, Exchange } from '../../wire/exchange/types.js';
import { identityName, type Identity } from './credentials.js';

export const expects = (chargedTo: RequirementId, ...statuses: readonly number[]): Intent => ({
  kind: 'expects',
  statuses,
  chargedTo,
});

export const declared = (...statuses: readonly number[]): Intent => ({ kind: 'declared', statuses });

export const open = (row: RequirementId): Intent => ({ kind: 'open', row });

type ProbeSpec = RequestSpec & { readonly probe: ProbeName };

interface Parts extends Pick<ProbeSpec, 'probe' | 'operation' | 'method' | 'intent'> {
  readonly path: string;
  readonly identity: Identity;
  readonly body?: string | undefined;
  readonly contentType?: string | null;
}

/** Names each member, because load builds a request per creation. */
export const request = ({
  probe,
  operation,
  method,
  path,
  identity,
  intent,
  body,
  contentType = null,
}: Parts): ProbeSpec => ({
  probe: `${probe}${identityName(identity)}`,
  operation,
  intent,
  credential: identity.credential,
  method,
  path: withQuery(path, identity.query),
  headers: [
    ...(contentType === null ? [] : [['Content-Type', plain(contentType)] as const]),
    ...identity.headers,
  ],
  body: body ?? null,
});

/** Rows about values of a parameter that the interface does not define. */
const OPEN_ROWS: ByParameter<RequirementId> = {
  limit: 'list-limit-out-of-range',
  status: 'list-status-unknown',
};

const isParameter = (name: string | null): name is ListingParameter => name !== null && name in OPEN_ROWS;

const parametersOf = (query: SentQuery): URLSearchParams =>
  new URLSearchParams(Object.entries(queryOf(query)).map(([name, value]) => [name, String(value)]));

/** Part 4, listPets: returns the row for a listing's status code. */
export function listingIntent(
  query: SentQuery,
  { pageSize, listing: declaredParameters }: Pick<Contract, 'pageSize' | 'listing'>,
): Intent {
  const reading = readListingQuery(parametersOf(query), declaredParameters);
  if (reading.kind !== 'within') {
    const name = reading.faults[0]?.parameter ?? null;
    return open(isParameter(name) ? OPEN_ROWS[name] : 'list-status-unknown');
  }
  const [only, ...others] = Object.keys(reading.query);
  if (only === undefined) return expects('list-ok', 200);
  const { limit } = reading.query;
  return others.length === 0 && (limit === pageSize.min || limit === pageSize.max)
    ? expects('list-limit-bounds', 200)
    : declared(200);
}

export function listing(query: SentQuery, identity: Identity, intent: Intent): ProbeSpec {
  const parameters = parametersOf(query);
  const text = parameters.size > 0 ? `?${parameters.toString()}` : '';
  return request({
    probe: `GET /pets${text}`,
    operation: 'listPets',
    method: 'GET',
    path: `/pets${text}`,
    identity,
    intent,
  });
}

/** The id is text because it may be invalid. */
export const fetching = (id: string, identity: Identity, intent: Intent): ProbeSpec =>
  request({
    probe: `GET /pets/${id}`,
    operation: 'getPet',
    method: 'GET',
    path: `/pets/${encodeURIComponent(id)}`,
    identity,
    intent,
  });

/** Builds `POST /pets` with a body as text; `label` names its special part. */
export const creating = (
  label: string,
  body: string | undefined,
  identity: Identity,
  intent: Intent,
  contentType: string | null = 'application/json',
): ProbeSpec =>
  request({
    probe: `POST /pets, ${label}`,
    operation: 'createPet',
    method: 'POST',
    path: '/pets',
    identity,
    intent,
    contentType,
    body,
  });

function withQuery(path: string, query: Identity['query']): KeyText {
  if (!query) return plain(path);
  const [name, value] = query;
  return (key) => `${path}${path.includes('?') ? '&' : '?'}${name}=${value(key)}`;
}

/** Name of a probe, for finding its response; the end distinguishes it from others. */
export type ProbeName = `GET ${string}` | `POST /pets, ${string}` | `PATCH /pets${string}`;

export const isNewest = (exchange: Exchange, all: readonly Exchange[]): boolean =>
  all.findLast(({ probe }) => probe === exchange.probe) === exchange;
