import type { PetStatus } from '../contract/contract.js';
import type { RequirementId } from '../contract/types.js';
import { statusOf } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import type { Finding, Judgement } from '../findings/finding.js';
import type { Judging } from './layers.js';
import { idsAreUnique, noMoreThan, onlyWithStatus } from './listing.js';
import { readPets } from './pets.js';
import { areUnstable, softened } from './unstable.js';

/** What a listing was asked for within the interface: a limit from 1 to 100 or none, one of the three statuses or none. */
export interface ListingAsked {
  readonly limit: number;
  /** Whether the limit was left out. */
  readonly isDefault: boolean;
  readonly status?: PetStatus;
}

/** What a request asked of the listing; null for any other, and for one about which the interface is silent. */
export function listingAsked({ operation, request }: Exchange, { contract }: Judging): ListingAsked | null {
  if (operation !== 'listPets') return null;
  const query = new URL(request.path, 'http://target').searchParams;
  const { pageSize, statuses } = contract;
  const text = query.get('limit');
  const limit = text === null ? pageSize.default : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  const given = query.get('status');
  const status = statuses.find((known) => known === given);
  const isWithin =
    query.size === new Set(query.keys()).size &&
    [...query.keys()].every((name) => name === 'limit' || name === 'status') &&
    limit >= pageSize.min &&
    limit <= pageSize.max &&
    (given === null || status !== undefined);
  return isWithin ? { limit, isDefault: text === null, ...(status !== undefined && { status }) } : null;
}

/**
 * What any answer to a listing breaks by itself, whoever asked for it: its limit, its filter, the uniqueness of ids. Each is
 * charged to the row that speaks of such a request; that they hold is for those rows to say.
 */
export function judgeListing(exchange: Exchange, judging: Judging): readonly Finding[] {
  if (exchange.credential.kind !== 'valid' || statusOf(exchange) !== 200) return [];
  const asked = listingAsked(exchange, judging);
  if (!asked) return [];
  const { limit, isDefault, status } = asked;
  const page = { exchange, reading: readPets(exchange, judging) };
  const judged: readonly (readonly [RequirementId, Judgement])[] = [
    [rowOfLimit(asked), noMoreThan(limit, page)],
    ['pet-id-unique', idsAreUnique(page)],
    ...(status === undefined
      ? []
      : [
          [
            isDefault || limit >= judging.contract.pageSize.default ? 'list-status-filter' : TOGETHER,
            onlyWithStatus(status, page),
          ] as const,
        ]),
  ];
  const findings = judged.flatMap(([requirement, judgement]): Finding[] =>
    judgement.kind === 'violated' ? [{ ...judgement, requirement }] : [],
  );
  return areUnstable(['listPets'], judging.contract) ? findings.map(softened) : findings;
}

/** That a filter and a limit hold together. */
const TOGETHER: RequirementId = 'list-filter-with-limit';

const rowOfLimit = ({ isDefault, status }: ListingAsked): RequirementId =>
  isDefault ? 'list-limit-default' : status === undefined ? 'list-limit-max-items' : TOGETHER;
