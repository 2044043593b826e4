import { echoes, int64, newId } from '../checks/animals.js';
import { asIfRemoved, isRequestedAnimal, stillThere } from '../checks/status.js';
import type { Finding, Judgement } from '../findings/finding.js';
import { statusBreak } from '../checks/layers.js';
import { petsOf, judgeListing } from '../checks/listing.js';
import { differenceFrom, readsOtherwise } from '../checks/matching.js';
import {
  judgePassively,
  areUnstable,
  softened,
  type PassiveContext,
  type PassiveJudgement,
} from '../checks/passive.js';
import { readPet, readPets, type PetView } from '../checks/pets.js';
import type { RequirementId } from '../contract/types.js';
import { statusOf } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import { HEADER_ROWS } from './rate-check.js';
import type { Prepared } from './requests.js';

/** Requirements on headers, which differ between responses; judged on each. */
const BY_HEADERS: ReadonlySet<RequirementId> = new Set(HEADER_ROWS.map(([, row]) => row));

/**
 * Judges status code and body of one response as in a conformance run. Pure.
 * @param seen known pet ids, each with its source: a creation must get none of them
 */
export function judgeAnswer(
  exchange: Exchange,
  request: Pick<Prepared, 'operation' | 'expected' | 'pet'>,
  context: PassiveContext,
  seen: ReadonlyMap<string, string>,
): PassiveJudgement {
  const { kept, findings } = judgePassively(exchange, context, BY_HEADERS);
  const own: Finding[] = [...statusOfRow(exchange), ...judgeListing(exchange, context)];
  const also: RequirementId[] = [];
  const say = (requirement: RequirementId, judgement: Judgement): void => {
    if (judgement.kind === 'violated') own.push({ ...judgement, requirement });
    else if (judgement.kind === 'kept') also.push(requirement);
  };
  for (const [requirement, judgement] of meaningOf(exchange, request, context, seen)) say(requirement, judgement);
  const unstable = areUnstable([request.operation], context.contract);
  return { kept: [...kept, ...also], findings: [...findings, ...(unstable ? own.map(softened) : own)] };
}

/**
 * Findings on the status code by its own requirement; the passive check leaves it to that. A getPet that responds as if
 * removed, and a refused valid key, have their own requirements. A server error counts as an error.
 */
function statusOfRow(exchange: Exchange): readonly Finding[] {
  if (exchange.operation === 'getPet' && asIfRemoved(exchange)) {
    const there = stillThere(exchange);
    return there.kind === 'violated' ? [{ ...there, requirement: 'get-until-removal' }] : [];
  }
  const broken = statusBreak(exchange);
  const isFault = (statusOf(exchange) ?? 0) >= 500;
  if (!broken?.charged || broken.charged === 'declared-status' || isFault) return [];
  const { charged: requirement, message, expected, actual } = broken;
  return [{ kind: 'violated', requirement, message, expected, actual, exchanges: [exchange.id] }];
}

type Judged = readonly (readonly [RequirementId, Judgement])[];

function meaningOf(
  exchange: Exchange,
  { operation, expected, pet }: Pick<Prepared, 'operation' | 'expected' | 'pet'>,
  context: PassiveContext,
  seen: ReadonlyMap<string, string>,
): Judged {
  const status = statusOf(exchange);
  if (operation === 'listPets') {
    if (status !== 200) return [];
    const page = { exchange, reading: readPets(exchange, context) };
    return page.reading.ok ? [['pet-int64', int64(exchange, petsOf(page))]] : [];
  }
  const reading = readPet(exchange, context);
  if (!reading.ok) return [];
  const single = { exchange, reading };
  const range: Judged = [['pet-int64', int64(exchange, [reading.value])]];
  if (operation === 'createPet')
    return pet === null
      ? range
      : [...range, ['created-pet-echo', echoes(pet, single)], ['pet-id-unique', newId(single, seen)]];
  if (expected === null) return range;
  const asked = isRequestedAnimal(expected.id, single);
  return [
    ...range,
    ['get-ok', asked],
    ...(asked.kind === 'kept' ? sameAsListed(exchange, reading.value, expected) : []),
  ];
}

/** Others may change a status meanwhile, but never a name or a category. */
function sameAsListed(fetch: Exchange, fetched: PetView, { pet, page }: NonNullable<Prepared['expected']>): Judged {
  const listedPet = { exchange: page.exchange, pet, tellsStatus: false };
  const difference = differenceFrom(fetched, [listedPet]);
  return [
    [
      'list-matches-get',
      difference ? readsOtherwise(fetch, fetched, difference) : { kind: 'kept', exchanges: [fetch.id] },
    ],
  ];
}
