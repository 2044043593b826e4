import { echoes, int64, newId, sameAnimal, type Single } from '../checks/animals.js';
import { answers, asIfRemoved, isRequestedAnimal, notRefusedForItsKey } from '../checks/status.js';
import { violated, type Finding, type Judgement } from '../findings/finding.js';
import { onlyDigitsLost } from '../checks/rounded-ids.js';
import { bodyOf, statusBreak } from '../checks/layers.js';
import { filled, idsAreUnique, petsOf, judgeListing, listingAsked, type Page } from '../checks/listing.js';
import { differenceFrom, listedAsCreated, readsOtherwise } from '../checks/matching.js';
import { judgePassively, areUnstable, softened, type PassiveContext } from '../checks/passive.js';
import { hasStatus, petView, readPet, readPets, type PetView } from '../checks/pets.js';
import type { RequirementId } from '../contract/types.js';
import { statusOf } from '../exchange/headers.js';
import { integerOf, isNumber } from '../contract/json.js';
import type { Exchange } from '../exchange/types.js';
import { PATIENCE_MS } from '../probes/context.js';
import type { Ask } from './requests.js';
import { mustEcho } from './values/animals.js';
import { countMatching, type Own, type World } from './world.js';

export type Violation = Extract<Finding, { readonly kind: 'violated' }>;

/** A read that lacks an animal, which may only be late. It is repeated and judged after a wait. */
export interface Overdue {
  readonly ask: Ask;
  readonly id: string;
  /** Time of the animal's creation, Unix ms. */
  readonly since: number;
}

export interface Verdict {
  readonly kept: readonly RequirementId[];
  readonly violations: readonly Violation[];
  readonly overdue: readonly Overdue[];
  /** Ids of animals that two listings show differently. A fetch decides which listing is right. */
  readonly toFetch: readonly string[];
}

/**
 * Judges a response by the passive checks and by the world before it. A violation is charged to the first layer that breaks, as
 * in the suites.
 */
export function judgeAnswer(ask: Ask, exchange: Exchange, world: World, context: PassiveContext): Verdict {
  const { kept, findings } = judgePassively(exchange, context);
  const own = meaning(ask, exchange, world, context);
  const isOpenListing = ask.act.do === 'list' && ask.act.query.kind === 'open';
  const all = [
    ...findings,
    ...(isOpenListing ? [] : judgeListing(exchange, context)),
    ...ofStatus(ask, exchange, world),
    ...own.findings,
  ];
  const isUnstable = exchange.operation !== null && areUnstable([exchange.operation], context.contract);
  return {
    kept,
    violations: all.flatMap((finding) =>
      finding.kind === 'violated' ? [isUnstable ? (softened(finding) as Violation) : finding] : [],
    ),
    overdue: own.overdue,
    toFetch: own.toFetch,
  };
}

const charge = (requirement: RequirementId, judgement: Judgement): readonly Finding[] => [
  { ...judgement, requirement },
];

/** Judges the status code. A refusal counts only after a success of the operation with the run's key (rule 1). */
function ofStatus({ asked }: Ask, exchange: Exchange, { served }: World): readonly Finding[] {
  const { intent, operation } = exchange;
  const broken = statusBreak(exchange);
  if (!broken || broken.charged === null) return [];
  if (broken.charged === 'auth-valid-key') return charge('auth-valid-key', notRefusedForItsKey(exchange));
  if (intent.kind !== 'expects') return [];
  const wantsRefusal = !intent.statuses.some((status) => status < 300);
  if (wantsRefusal && operation !== null && !served.has(operation)) return [];
  // The census may miss animals, so this id may exist.
  if (intent.chargedTo === 'get-unknown' && asked?.id === petView(bodyOf(exchange) ?? null).id) return [];
  // `missing` and the overdue reads report a fetch that says the operation is gone.
  if (intent.chargedTo === 'get-ok' && asIfRemoved(exchange)) return [];
  return charge(intent.chargedTo, answers(intent.chargedTo, exchange));
}

interface Meaning {
  readonly findings: readonly Finding[];
  readonly overdue: readonly Overdue[];
  readonly toFetch: readonly string[];
}

const NOTHING: Meaning = { findings: [], overdue: [], toFetch: [] };

const only = (findings: readonly Finding[]): Meaning => ({ ...NOTHING, findings });

function meaning(ask: Ask, exchange: Exchange, world: World, context: PassiveContext): Meaning {
  switch (ask.act.do) {
    case 'create':
    case 'wrong':
      return statusOf(exchange) === 201 ? only(ofCreation(ask, exchange, world, context)) : NOTHING;
    case 'list':
      return ofListing(ask, { exchange, reading: readPets(exchange, context) }, world, context);
    case 'get':
    case 'get about':
      return ofFetch(ask, { exchange, reading: readPet(exchange, context) }, world);
    case 'stranger':
    case 'scheme':
      return NOTHING;
  }
}

function ofCreation(ask: Ask, exchange: Exchange, world: World, context: PassiveContext): readonly Finding[] {
  const created = { exchange, reading: readPet(exchange, context) };
  if (!created.reading.ok) return [];
  const pet = created.reading.value;
  const seen = new Map([...world.own.keys(), ...world.residents.keys()].map((id) => [id, 'another animal'] as const));
  const { act, sent } = ask;
  const findings = [...charge('pet-id-unique', newId(created, seen)), ...charge('pet-int64', int64(exchange, [pet]))];
  if (act.do !== 'create' || sent?.name === undefined || sent.categoryId === undefined) return findings;
  const whole = {
    name: sent.name,
    categoryId: sent.categoryId,
    ...(sent.status !== undefined && { status: sent.status }),
  };
  return [
    ...findings,
    ...(mustEcho(act.animal.name) ? charge('created-pet-echo', echoes(whole, created, ['name'])) : []),
    ...charge('created-pet-echo', echoes(whole, created, ['status'])),
    ...charge(
      hasLostDigits(pet, whole.categoryId) ? 'pet-int64' : 'created-pet-echo',
      echoes(whole, created, ['categoryId']),
    ),
  ];
}

/** Is true if a category came back with the digits that a double keeps. */
function hasLostDigits({ categoryId }: PetView, sent: string): boolean {
  const category = isNumber(categoryId) ? integerOf(categoryId) : null;
  return category !== null && onlyDigitsLost(category, BigInt(sent));
}

function ofListing(ask: Ask, page: Page, world: World, context: PassiveContext): Meaning {
  const { exchange } = page;
  if (!page.reading.ok) return NOTHING;
  const asked = listingAsked(exchange, context);
  if (!asked || exchange.intent.kind === 'open') return only(charge('pet-id-unique', idsAreUnique(page)));
  const { limit, status } = asked;
  const pets = petsOf(page);
  const shown = new Set(pets.map(({ id }) => id));
  const findings = pets.flatMap((pet): readonly Finding[] => {
    const own = pet.id === null || world.ambiguous.has(pet.id) ? undefined : world.own.get(pet.id);
    if (!own) return [];
    const listedPet = { exchange, pet, tellsStatus: status === undefined || hasStatus(pet, status) };
    return charge(
      'list-matches-created',
      listedAsCreated(own.created, own.sent, [listedPet], ['name', 'categoryId', 'status']),
    );
  });
  const differing = pets.flatMap((pet) => {
    const known = pet.id === null ? undefined : world.residents.get(pet.id);
    const before = known?.fetched ?? known?.listed;
    if (!before || pet.id === null) return [];
    const difference = differenceFrom(before.pet, [{ exchange, pet, tellsStatus: false }]);
    return difference ? [{ id: pet.id, known, before, difference }] : [];
  });
  const [first] = differing;
  return {
    findings: [
      ...findings,
      ...(first?.known?.fetched
        ? charge('list-matches-get', readsOtherwise(first.before.exchange, first.before.pet, first.difference))
        : []),
      ...notFilled(limit, status, page, world),
    ],
    overdue:
      pets.length >= limit
        ? []
        : [...world.own.values()].flatMap((own) =>
            isDue(own, exchange, status, world) && !shown.has(own.id) ? [{ ask, id: own.id, since: own.since }] : [],
          ),
    toFetch: first && !first.known?.fetched ? [first.id] : [],
  };
}

/** True if an animal created by the run must be in a listing sent after its creation. */
const isDue = (own: Own, { sentAt }: Exchange, status: PageStatus, { ambiguous }: World): boolean =>
  own.since < sentAt && !ambiguous.has(own.id) && (status === undefined || hasStatus(own.pet, status));

type PageStatus = NonNullable<ReturnType<typeof listingAsked>>['status'];

/**
 * Finds a page with fewer animals than its limit although more residents match. With a filter it takes two missing animals,
 * because another client may have changed one.
 */
function notFilled(limit: number, status: PageStatus, page: Page, world: World): readonly Finding[] {
  const matching = countMatching(world, status);
  const residents = petsOf(page).filter(({ id }) => id !== null && world.residents.has(id)).length;
  const spare = status === undefined ? 0 : 1;
  const { length } = petsOf(page);
  return length < limit && residents + spare < Math.min(matching, limit) && length + spare < Math.min(matching, limit)
    ? charge('list-page-full', filled(limit, matching, page))
    : [];
}

function ofFetch({ act, asked, ...ask }: Ask, fetched: Single, world: World): Meaning {
  const { exchange, reading } = fetched;
  if (asked === undefined || asked.id === null) return NOTHING;
  const own = world.own.get(asked.id);
  if (own && !world.ambiguous.has(asked.id)) {
    if (asIfRemoved(exchange) && exchange.intent.kind === 'open') return NOTHING;
    if (asIfRemoved(exchange))
      return { ...NOTHING, overdue: [{ ask: { act, asked, ...ask }, id: own.id, since: own.since }] };
    if (!reading.ok) return NOTHING;
    const judgement = sameAnimal(fetched, own.created, own.sent);
    const row =
      judgement.kind === 'violated' && hasLostDigits(reading.value, own.sent.categoryId ?? '0')
        ? 'pet-int64'
        : 'get-matches-created';
    return only(charge(row, judgement));
  }
  if (asIfRemoved(exchange))
    return only(
      exchange.intent.kind === 'expects' && exchange.intent.chargedTo === 'get-ok' ? missing(exchange, world) : [],
    );
  if (!reading.ok) return NOTHING;
  const isOther = isRequestedAnimal(asked.id, fetched);
  if (isOther.kind === 'violated')
    return only(charge(exchange.intent.kind === 'expects' ? exchange.intent.chargedTo : 'get-ok', isOther));
  const known = world.residents.get(asked.id)?.listed;
  if (!known) return NOTHING;
  const difference = differenceFrom(reading.value, [{ ...known, tellsStatus: false }]);
  return only(difference ? charge('list-matches-get', readsOtherwise(exchange, reading.value, difference)) : []);
}

/** Charges a listed animal that a fetch does not find: the operation may be gone, or this animal only. */
function missing(exchange: Exchange, { served }: World): readonly Finding[] {
  const row = served.has('getPet') ? 'get-ok' : 'get-until-removal';
  return charge(
    row,
    violated([exchange], `“${exchange.probe}” does not find an animal that listings show`, {
      expected: '200',
      actual: String(statusOf(exchange)),
    }),
  );
}

/**
 * Judges the repetition of an overdue read.
 * @param isWhole is true if a page shows all that matches
 */
export function judgeOverdue(
  { ask, id, since }: Overdue,
  exchange: Exchange,
  world: World,
  context: PassiveContext,
  isWhole: (page: Page) => boolean,
): readonly Violation[] {
  const own = world.own.get(id);
  if (!own || exchange.sentAt < since + PATIENCE_MS) return [];
  if (ask.act.do !== 'list') {
    if (!asIfRemoved(exchange)) return [];
    return violations(
      charge(
        'get-matches-created',
        violated([exchange, own.created.exchange], `“${exchange.probe}” does not find the created animal`, {
          expected: '200',
          actual: String(statusOf(exchange)),
        }),
      ),
    );
  }
  const page: Page = { exchange, reading: readPets(exchange, context) };
  if (!page.reading.ok || petsOf(page).some((pet) => pet.id === id || pet.id === null) || !isWhole(page)) return [];
  return violations(
    charge(
      'list-shows-created',
      violated(
        [exchange, own.created.exchange],
        `animal ${id}, which was created before, is not in “${exchange.probe}”`,
        { expected: `animal ${id} in the list`, actual: `${petsOf(page).length} animals without it` },
      ),
    ),
  );
}

const violations = (findings: readonly Finding[]): readonly Violation[] =>
  findings.flatMap((finding) => (finding.kind === 'violated' ? [finding] : []));
