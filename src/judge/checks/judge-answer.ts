import { newPetMembers } from '../../base/interface/resources.js';
import { integerOf } from '../../base/kernel/json.js';
import type { NewPet, RequirementId } from '../../base/interface/types.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { about, kept, violated, type Finding, type Judgement } from '../findings/finding.js';
import { echoes, int64, newId, sameAnimal } from './animals.js';
import { bodyOf, statusBreak } from './layers.js';
import { listingAsked } from './listing-asked.js';
import { judgeListing } from './judge-listing.js';
import { idsAreUnique, petsOf } from './listing.js';
import { differenceFrom, listedAsCreated, readsOtherwise } from './matching.js';
import { judgePassively, softenedFor, type PassiveContext, type PassiveJudgement } from './passive.js';
import { hasStatus, petView, readPet, readPets, type PetView } from './pets.js';
import { idKeepsDigits, onlyDigitsLost } from './rounded-ids.js';
import { firstReading, ownAnimal, resident } from '../world/animals.js';
import { PATIENCE_MS } from '../world/known-animals.js';
import type { World } from '../world/world.js';
import { isTaken } from '../world/world-after.js';
import {
  answers,
  asIfRemoved,
  isRequestedAnimal,
  mustBeRefused,
  notRefusedForItsKey,
  stillThere,
} from './status.js';

/** What a request asked for, beyond its text. */
export interface Asked {
  /** Requested id in digits; null if it is no int64. */
  readonly id?: string | null | undefined;
  /** Body of a creation whose members must come back. */
  readonly sent?: NewPet | undefined;
}

interface AnswerJudgement extends PassiveJudgement {
  /** Rows that are kept by comparison with the request and the store. */
  readonly held: readonly RequirementId[];
  /** Id of an animal that an earlier listing shows differently. A fetch decides which listing is right. */
  readonly disputed: string | null;
}

/**
 * Judges a response by itself: by the passive rows, and as a listing within the interface. Pure.
 *
 * @param before earlier exchanges, which may show a listing's animals as well
 */
export function judgeAlone(
  exchange: Exchange,
  context: PassiveContext,
  elsewhere?: ReadonlySet<RequirementId>,
  before?: readonly Exchange[],
): PassiveJudgement {
  const { kept, findings } = judgePassively(exchange, context, elsewhere);
  return {
    kept,
    findings:
      exchange.intent.kind === 'open' ? findings : [...findings, ...judgeListing(exchange, context, before)],
  };
}

/**
 * Judges a response by itself, by its status code, and by what is known of the store before it. A violation
 * is charged to the first layer that breaks. Pure.
 */
export function judgeAnswer(
  exchange: Exchange,
  asked: Asked,
  world: World,
  context: PassiveContext,
  elsewhere?: ReadonlySet<RequirementId>,
): AnswerJudgement {
  const before = world.shown.map((shown) => shown.exchange);
  const alone = judgeAlone(exchange, context, elsewhere, before);
  const { operation, credential } = exchange;
  const { judged, disputed } =
    credential.kind === 'valid' ? meaningOf(exchange, asked, world, context) : NOTHING;
  const own = [...judgeStatus(exchange, asked, world), ...judged].flatMap(
    ([row, judgement]): readonly Finding[] => (judgement.kind === 'violated' ? [about(row, judgement)] : []),
  );
  const soften = softenedFor(operation === null ? [] : [operation], context.contract);
  return {
    kept: alone.kept,
    held: judged.flatMap(([row, judgement]) => (judgement.kind === 'kept' ? [row] : [])),
    findings: [...alone.findings, ...own.map(soften)],
    disputed,
  };
}

type Judged = readonly (readonly [RequirementId, Judgement])[];

/**
 * Judges the status code by its own row; the passive rows leave it to that. A refusal counts only after a
 * success of the operation with the run's key (rule 1 of the ledger).
 */
function judgeStatus(exchange: Exchange, { id }: Asked, { served }: World): Judged {
  const { intent, operation } = exchange;
  const broken = statusBreak(exchange);
  if (!broken || broken.charged === null) return [];
  if (broken.charged === 'auth-valid-key') return [['auth-valid-key', notRefusedForItsKey(exchange)]];
  if (intent.kind !== 'expects') return [];
  if (mustBeRefused(exchange) && operation !== null && !served.has(operation)) return [];
  // Listings may miss animals, so this id may exist.
  if (intent.chargedTo === 'get-unknown' && id === petView(bodyOf(exchange) ?? null).id) return [];
  // `fetched` judges a fetch that says the operation is gone.
  if (intent.chargedTo === 'get-ok' && asIfRemoved(exchange)) return [];
  return [[intent.chargedTo, answers(intent.chargedTo, exchange)]];
}

interface Meaning {
  readonly judged: Judged;
  readonly disputed: string | null;
}

const NOTHING: Meaning = { judged: [], disputed: null };

function meaningOf(exchange: Exchange, asked: Asked, world: World, context: PassiveContext): Meaning {
  switch (exchange.operation) {
    case 'listPets':
      return listed(exchange, world, context);
    case 'createPet':
      return { ...NOTHING, judged: created(exchange, asked, world, context) };
    case 'getPet':
      return { ...NOTHING, judged: fetched(exchange, asked, world, context) };
    case null:
      return NOTHING;
  }
}

function created(exchange: Exchange, { sent }: Asked, world: World, context: PassiveContext): Judged {
  const single = { exchange, reading: readPet(exchange, context) };
  if (!single.reading.ok) return [];
  const pet = single.reading.value;
  const judged: Judged = [
    [
      'pet-id-unique',
      newId(single, (id) => (isTaken(id, world, exchange) ? { place: 'another animal' } : undefined)),
    ],
    ['pet-int64', int64(exchange, [pet])],
  ];
  if (!sent) return judged;
  const isLost = hasLostDigits(pet, sent.categoryId);
  const members = [
    ...(mustEcho(sent.name) ? (['name'] as const) : []),
    ...(isLost ? [] : (['categoryId'] as const)),
    'status' as const,
  ];
  return [
    ...judged,
    ['created-pet-echo', echoes(sent, single, members)],
    ...(isLost ? [['pet-int64', echoes(sent, single, ['categoryId'])] as const] : []),
  ];
}

/** True if a name must come back unchanged. Half surrogates have no text, and the ledger excepts outer blanks. */
const mustEcho = (name: string): boolean => !/\p{Surrogate}/u.test(name) && name === name.trim();

/** True if a category came back with the digits that a double keeps. */
function hasLostDigits({ categoryId }: PetView, sent: string): boolean {
  const category = integerOf(categoryId);
  return category !== null && onlyDigitsLost(category, BigInt(sent));
}

function listed(exchange: Exchange, world: World, context: PassiveContext): Meaning {
  const page = { exchange, reading: readPets(exchange, context) };
  if (!page.reading.ok) return NOTHING;
  const asked = listingAsked(exchange, context);
  if (!asked || exchange.intent.kind === 'open')
    return { ...NOTHING, judged: [['pet-id-unique', idsAreUnique(page)]] };
  const pets = petsOf(page);
  const ofOwn = pets.flatMap((pet): Judged => {
    const own = pet.id === null ? null : ownAnimal(pet.id, world);
    if (!own) return [];
    const statusCounts = asked.status === undefined || hasStatus(pet, asked.status);
    return [
      [
        'list-matches-created',
        listedAsCreated(own, own.sent, [{ exchange, pet, statusCounts }], newPetMembers),
      ],
    ];
  });
  const differing = pets.flatMap((pet) => {
    const known = pet.id === null ? null : resident(pet.id, world);
    const before = known && firstReading(known);
    const difference = before && differenceFrom(before.pet, [{ exchange, pet, statusCounts: false }]);
    return difference ? [{ id: pet.id, isFetched: before === known.fetched, before, difference }] : [];
  });
  const [first] = differing;
  return {
    judged: [
      ['pet-int64', int64(exchange, pets)],
      ...ofOwn,
      ...(first?.isFetched
        ? [
            [
              'list-matches-get',
              readsOtherwise(first.before.exchange, first.before.pet, first.difference),
            ] as const,
          ]
        : []),
    ],
    disputed: first && !first.isFetched ? first.id : null,
  };
}

function fetched(exchange: Exchange, { id = null }: Asked, world: World, context: PassiveContext): Judged {
  if (id === null) return [];
  const single = { exchange, reading: readPet(exchange, context) };
  const own = ownAnimal(id, world);
  if (asIfRemoved(exchange)) return own || mayBeLate(id, exchange, world) ? [] : missing(exchange, world);
  if (!single.reading.ok) return [];
  const pet = single.reading.value;
  const inRange = int64(exchange, [pet]);
  const range = ['pet-int64', inRange.kind === 'kept' ? idKeepsDigits(id, single) : inRange] as const;
  if (own) {
    const same = sameAnimal(single, own, own.sent);
    const isLost = same.kind === 'violated' && hasLostDigits(pet, own.sent.categoryId ?? '0');
    return [range, [isLost ? 'pet-int64' : 'get-matches-created', same]];
  }
  const requested = isRequestedAnimal(id, single);
  const row = exchange.intent.kind === 'expects' ? exchange.intent.chargedTo : 'get-ok';
  const before = resident(id, world)?.listed.first;
  if (requested.kind !== 'kept' || !before) return [range, [row, requested]];
  // Others may change a status meanwhile, but never a name or a category.
  const difference = differenceFrom(pet, [{ ...before, statusCounts: false }]);
  return [
    range,
    [row, requested],
    ['list-matches-get', difference ? readsOtherwise(exchange, pet, difference) : kept([exchange])],
  ];
}

/**
 * True for an animal that others added a moment ago: the fetch may come from a cache or a replica that is
 * late.
 */
const mayBeLate = (id: string, { sentAt }: Exchange, { animals }: World): boolean =>
  sentAt < (animals.get(id)?.since ?? -Infinity) + PATIENCE_MS;

/**
 * Charges an existing animal that a fetch does not find: only this one if others were served, or else the
 * operation.
 */
function missing(exchange: Exchange, { served }: World): Judged {
  if (exchange.intent.kind !== 'expects' || exchange.intent.chargedTo !== 'get-ok') return [];
  if (!served.has('getPet')) return [['get-until-removal', stillThere(exchange)]];
  return [['get-ok', listedButNotFound(exchange)]];
}

/** Part 4: charges a fetch that does not find an animal of an earlier response, where it serves others. */
export const listedButNotFound = (exchange: Exchange): Judgement =>
  violated([exchange], `“${exchange.probe}” does not find an animal that earlier responses show`, {
    expected: '200',
    actual: String(statusOf(exchange)),
  });
