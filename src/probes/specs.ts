import type { Contract } from '../contract/contract.js';
import type { OperationName, RequirementId } from '../contract/types.js';
import { plain, type KeyText } from '../exchange/key-forms.js';
import type { RequestSpec } from '../exchange/sender.js';
import type { Intent, Exchange } from '../exchange/types.js';
import { identityName, type Identity } from './credentials.js';

/** Query of a listing request; text is for values that the interface does not define. */
export interface ListingQuery {
  readonly limit?: number | string;
  readonly status?: string;
}

/** A status that a row names, and the row. */
export const expects = (chargedTo: RequirementId, ...statuses: readonly number[]): Intent => ({
  kind: 'expects',
  statuses,
  chargedTo,
});

/** A valid request whose status no row names. */
export const declared = (...statuses: readonly number[]): Intent => ({ kind: 'declared', statuses });

/** A request about which the interface is silent. */
export const open = (row: RequirementId): Intent => ({ kind: 'open', row });

/** A request with a name by which it can be asked for again. */
type ProbeSpec = RequestSpec & { readonly probe: ProbeName };

interface Parts {
  readonly probe: ProbeName;
  readonly operation: OperationName | null;
  readonly method: string;
  readonly path: string;
  readonly identity: Identity;
  readonly intent: Intent;
  readonly body?: string;
  readonly contentType?: string | null;
}

/** Any request; the named ones below are made of it. */
export function request({
  probe,
  operation,
  method,
  path,
  identity,
  intent,
  body,
  contentType = null,
}: Parts): ProbeSpec {
  return {
    probe: `${probe}${identityName(identity)}`,
    operation,
    intent,
    credential: identity.credential,
    method,
    path: withQuery(path, identity.query),
    headers: [...(contentType === null ? [] : [['Content-Type', plain(contentType)] as const]), ...identity.headers],
    body: body ?? null,
  };
}

/** Part 4, listPets: which row a listing's status is charged to. */
export function listingIntent(
  { limit, status }: ListingQuery,
  { pageSize, statuses }: Pick<Contract, 'pageSize' | 'statuses'>,
): Intent {
  if (status !== undefined && !(statuses as readonly string[]).includes(status)) return open('list-status-unknown');
  if (limit !== undefined && (typeof limit !== 'number' || limit < pageSize.min || limit > pageSize.max))
    return open('list-limit-out-of-range');
  if (limit === undefined && status === undefined) return expects('list-ok', 200);
  return status === undefined && (limit === pageSize.min || limit === pageSize.max)
    ? expects('list-limit-bounds', 200)
    : declared(200);
}

/** `GET /pets`. */
export function listing(query: ListingQuery, identity: Identity, intent: Intent): ProbeSpec {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
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

/** `GET /pets/{petId}`; the id as text, because it may be none. */
export const fetching = (id: string, identity: Identity, intent: Intent): ProbeSpec =>
  request({
    probe: `GET /pets/${id}`,
    operation: 'getPet',
    method: 'GET',
    path: `/pets/${encodeURIComponent(id)}`,
    identity,
    intent,
  });

/** `POST /pets` with a body as text; `label` says what is special about it. */
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
    ...(body !== undefined && { body }),
  });

function withQuery(path: string, query: Identity['query']): KeyText {
  if (!query) return plain(path);
  const [name, value] = query;
  return (key) => `${path}${path.includes('?') ? '&' : '?'}${name}=${value(key)}`;
}

/** What a probe is called, so that its answer can be asked for again; what stands behind says how it differs from others. */
export type ProbeName = `GET ${string}` | `POST /pets, ${string}` | `PATCH /pets${string}`;

/** Whether an exchange is the newest of those that its probe led to. */
export const isNewest = (exchange: Exchange, all: readonly Exchange[]): boolean =>
  all.findLast(({ probe }) => probe === exchange.probe) === exchange;
