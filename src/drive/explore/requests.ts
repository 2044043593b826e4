import { isKnown, ownAnimals, residents } from '../../judge/world/animals.js';
import type { World } from '../../judge/world/world.js';
import type { Contract, PetStatus } from '../../base/interface/contract.js';
import type { NewPet, OperationName, PlanName, RequirementId } from '../../base/interface/types.js';
import type { RequestSpec } from '../../wire/exchange/request-spec.js';
import type { Intent } from '../../wire/exchange/types.js';
import { bearer, type Identity } from '../probes/credentials.js';
import {
  creating,
  declared,
  expects,
  fetching,
  listing,
  listingIntent,
  open,
  request,
} from '../probes/specs.js';
import type { Act, NewAnimal, Whom } from './story.js';
import { freedomOf, PLAIN_NAME, digitsOf, PLAIN_CATEGORY, type Freedom } from './values/animals.js';
import { idFrom } from './values/ids.js';
import { queryText } from './values/queries.js';
import { residentOf } from './values/residents.js';
import { isOpenSpelling, jsonText, spelled, type Members } from './values/spellings.js';
import { INVALID_CREDENTIALS } from './values/invalid-credentials.js';
import { PLAIN, type Classed } from './values/value.js';
import type { WrongBody } from './values/wrong-bodies.js';

/** A request of a story, with the data to judge its response. */
export interface Ask {
  readonly act: Act;
  readonly spec: RequestSpec;
  readonly sent?: NewPet;
  /** Requested id, of a fetch, in digits; null if it is no int64. */
  readonly id?: string | null;
}

export interface Making {
  readonly plan: PlanName;
  readonly world: World;
  readonly contract: Contract;
  /** A category that exists in the store. */
  readonly usual: string;
  /** Animals that the story created so far. */
  readonly cast: readonly string[];
}

const SMALL = { limit: 1 };

/** Null if its animal does not exist. */
export function askOf(act: Act, making: Making): Ask | null {
  const { plan } = making;
  const key = bearer(plan);
  switch (act.do) {
    case 'create':
      return creation(act, act.animal, making, key);
    case 'wrong': {
      const body = wrongBody(act.wrong.value, act.status, making);
      const { row } = act.wrong.value;
      const isSilent = row === 'create-unknown-member';
      return {
        act,
        spec: creating(`with ${act.wrong.class}`, body, key, isSilent ? open(row) : expects(row, 400)),
      };
    }
    case 'list': {
      const { query } = act;
      const text = queryText(query);
      const intent = query.kind === 'open' ? open(query.row) : listingIntent(query, making.contract);
      return { act, spec: get('listPets', `/pets${text}`, key, intent) };
    }
    case 'get': {
      const id = idOf(act.whom, making);
      return id === null ? null : { act, id, spec: fetching(id, key, expects('get-ok', 200)) };
    }
    case 'get about': {
      const id = idOf(act.whom, making);
      if (id === null) return null;
      const asked = idFrom(act.id, id, largestId(making.world), act.variety);
      const isThere = asked.id !== null && isKnown(asked.id, making.world);
      const named = isThere ? expects('get-ok', 200) : expects('get-unknown', 404);
      const intent = asked.kind === 'other' ? named : open('get-malformed-id');
      return { act, id: asked.id, spec: get('getPet', `/pets/${asked.path}`, key, intent) };
    }
    case 'stranger': {
      const stranger = INVALID_CREDENTIALS.find(({ name }) => name === act.stranger);
      return stranger
        ? asStranger(act, act.operation, stranger.identity, expects(stranger.row, 401), making)
        : null;
    }
    case 'scheme':
      return { act, spec: listing(SMALL, bearer(plan, act.scheme), expects('auth-scheme-case', 200)) };
  }
}

/**
 * Builds a creation. It must succeed if no service may refuse its name, unless its category may have to
 * exist.
 */
function creation(act: Act, animal: NewAnimal, { usual, world }: Making, key: Identity): Ask {
  const { name, category, status, spelling } = animal;
  const categoryId = digitsOf(category, usual);
  const members: Members = [
    ['name', jsonText(name.value)],
    ['categoryId', categoryId],
    ...(status === null ? [] : [['status', jsonText(status)] as const]),
  ];
  const freedom = freedomIn(name, world);
  const intent: Intent =
    act === CONTROL
      ? declared(201, 400)
      : freedom === 'free'
        ? open('create-name-length')
        : isOpenSpelling(spelling)
          ? open('create-unknown-member')
          : freedom === 'may' || category.class !== PLAIN
            ? declared(201, 400)
            : expects(rowOfCreation(animal), 201);
  return {
    act,
    sent: { name: name.value, categoryId, ...(status !== null && { status }) },
    spec: creating(titleOf(animal), spelled(members, spelling), key, intent),
  };
}

/**
 * Returns the freedom of a name: a service may have a maximum, so one longer than all accepted may be
 * refused.
 */
function freedomIn(name: Classed<string>, world: World): Freedom {
  const freedom = freedomOf(name);
  if (freedom !== 'must' || name.class === PLAIN) return freedom;
  const accepted = ownAnimals(world).map(([, { sent }]) => sent.name?.length ?? 0);
  return accepted.some((length) => length >= name.value.length) ? 'must' : 'may';
}

/** A creation odd in its status only has the row of that status. */
const rowOfCreation = ({ name, status, spelling }: NewAnimal): RequirementId =>
  name.class !== PLAIN || spelling !== 'plain'
    ? 'create-ok'
    : status === null
      ? 'create-status-optional'
      : 'create-each-status';

const titleOf = ({ name, category, spelling }: NewAnimal): string =>
  [
    name.class === PLAIN ? 'a plain name' : `a name: ${name.class}`,
    ...(category.class === PLAIN ? [] : [category.class]),
    ...(spelling === 'plain' ? [] : [spelling]),
  ].join(', ');

/** Returns the creation with the usual category, to show whether the category caused the refusal. */
export const withUsualCategory = (act: Act & { do: 'create' }): Act => ({
  do: 'create',
  animal: { ...act.animal, category: PLAIN_CATEGORY },
});

/** A plain creation. A refusal counts only after its success. */
export const CONTROL: Act = {
  do: 'create',
  animal: { name: PLAIN_NAME, category: PLAIN_CATEGORY, status: 'available', spelling: 'plain' },
};

function wrongBody(
  { change, around, further }: WrongBody,
  status: PetStatus | null,
  { usual, world }: Making,
): string {
  const sound: Record<string, string> = {
    name: jsonText(PLAIN_NAME.value),
    categoryId: usual,
    ...(status !== null && { status: jsonText(status) }),
  };
  const members = Object.entries({ ...sound, ...change }).flatMap(([name, json]) =>
    typeof json === 'string' ? [`"${name}":${json}`] : [],
  );
  const fill = (text: string): string =>
    text.replaceAll('@id', () => residents(world)[0]?.id ?? '1').replaceAll('@category', () => usual);
  const object = fill(`{${[...members, ...(further === undefined ? [] : [further])].join(',')}}`);
  return around === undefined ? object : around.replaceAll('@', () => object);
}

/** Builds a usual request of an operation without a valid key. */
function asStranger(
  act: Act,
  operation: OperationName,
  identity: Identity,
  intent: Intent,
  making: Making,
): Ask | null {
  switch (operation) {
    case 'listPets':
      return { act, spec: listing(SMALL, identity, intent) };
    case 'getPet': {
      const id = idOf({ of: 'store', nth: 0 }, making);
      return id === null ? null : { act, spec: fetching(id, identity, intent) };
    }
    case 'createPet':
      return {
        act,
        spec: creating(
          'without a valid key',
          wrongBody({ row: 'create-unknown-member', change: {} }, null, making),
          identity,
          intent,
        ),
      };
  }
}

const largestId = ({ animals }: World): bigint =>
  [...animals.values()]
    .flatMap(({ id, since }) => (since === null ? [] : [BigInt(id)]))
    .reduce((most, id) => (id > most ? id : most));

function idOf(whom: Whom, { cast, world }: Making): string | null {
  if (whom.of === 'class') return residentOf(whom.class, world, whom.nth);
  if (whom.of === 'id') return isKnown(whom.id, world) ? whom.id : null;
  const { of, nth } = whom;
  const ids = of === 'story' ? cast : storeIds(world);
  return ids[nth % Math.max(1, ids.length)] ?? null;
}

/** Returns the ids of animals from before the run; those of the run's animals if there are none. */
function storeIds(world: World): readonly string[] {
  const others = residents(world).map(({ id }) => id);
  return others.length > 0 ? others : ownAnimals(world).map(([id]) => id);
}

const get = (operation: OperationName, path: string, identity: Identity, intent: Intent): RequestSpec =>
  request({ probe: `GET ${path}`, operation, method: 'GET', path, identity, intent });
