import type { PetStatus } from '../../base/interface/contract.js';
import { petStatuses } from '../../base/interface/names.js';
import type { NewPet, RequirementId } from '../../base/interface/types.js';
import {
  integerOf,
  isInt64,
  isNumber,
  isObject,
  member,
  type Json,
  type JsonObject,
} from '../../base/kernel/json.js';
import type { ReasonCode } from '../findings/shape.js';
import { onceEach } from '../../base/kernel/once-each.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Obstacle } from './break.js';
import { bodyOf, firstBreak, mediaBreak, shapeBreaks, statusBreak, type Judging } from './layers.js';
import { sha256 } from '../../base/kernel/config-file.js';
import { LosslessNumber } from 'lossless-json';
import { count } from '../../base/kernel/format.js';
import { blocked, unestablished, type Judgement } from '../findings/finding.js';

export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly broken: Obstacle };

export interface Read<T> {
  readonly exchange: Exchange;
  readonly reading: Reading<T>;
}

export const onRead = <T>({ exchange, reading }: Read<T>, judge: (value: T) => Judgement): Judgement =>
  reading.ok ? judge(reading.value) : prerequisite(reading.broken, exchange);

/** An animal as the target wrote it, with missing or malformed members unchanged. */
export type PetView = Readonly<ReturnType<typeof petView>>;

export function petView(value: Json) {
  const pet = isObject(value) ? value : NO_MEMBERS;
  const id = member(pet, 'id');
  const integer = integerOf(id);
  return {
    /** In decimal digits; null if it is no integer. */
    id: integer === null ? null : integer.toString(),
    rawId: slim(id),
    name: slim(member(pet, 'name')),
    categoryId: slim(member(pet, 'categoryId')),
    status: slim(member(pet, 'status')),
  };
}

/** Most parts of a remembered structure, more than ten pages of animals have. */
const MOST_PARTS = 4_000;
/**
 * Most characters of a remembered text, longer than any sent name. A longer one is kept as its beginning and
 * digest.
 */
const LONGEST = 8_192;
const BEGINNING = 200;

/**
 * Shortens a member for memory, because a run remembers every animal. Huge texts and structures become small
 * ones. These are equally right or wrong, and equal if the originals are.
 */
function slim(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return value.length > LONGEST ? digested(value) : value;
  if (isNumber(value)) return value.value.length > LONGEST ? shortened(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  let parts = 0;
  const isLarge = (part: Json): boolean =>
    (parts += 1) > MOST_PARTS ||
    (typeof part === 'string' && part.length > LONGEST) ||
    (isNumber(part)
      ? part.value.length > LONGEST
      : typeof part === 'object' && part !== null && Object.values(part as object).some(isLarge));
  return isLarge(value) ? (Array.isArray(value) ? [] : NO_MEMBERS) : value;
}

/** Copies the beginning, because a slice keeps the whole text in memory. */
const beginningOf = (text: string): string => Buffer.from(text.slice(0, BEGINNING)).toString();

const digested = (text: string): string =>
  `${beginningOf(text)}… (${count(text.length)} characters, SHA-256 ${sha256(text)})`;

/** Returns an integer as it is; for another number, a short fraction. */
const shortened = (number: LosslessNumber): LosslessNumber =>
  new LosslessNumber(integerOf(number)?.toString() ?? `${beginningOf(number.value)}5`);

const NO_MEMBERS: JsonObject = {};

/**
 * Most animals to read: twenty times a full page (part 8, "Page size"). Longer listings are counted, to save
 * memory.
 */
const MOST_LISTED = 2_000;

/**
 * Animals of a listing, or their number if too many; null if it is no listing. Cached, because several rows
 * read it.
 */
const viewsOf = onceEach((exchange: Exchange): readonly PetView[] | number | null => {
  const body = bodyOf(exchange);
  if (!Array.isArray(body)) return null;
  return body.length > MOST_LISTED ? body.length : (body as readonly Json[]).map(petView);
});

/**
 * Reads the animals of a listing without judging their shape: a row that only counts them does not depend on
 * it.
 */
export function readPets(exchange: Exchange, judging: Judging): Reading<readonly PetView[]> {
  const broken = statusBreak(exchange) ?? undeclared(exchange, 200) ?? mediaBreak(exchange, judging);
  if (broken) return { ok: false, broken };
  const views = viewsOf(exchange);
  if (views === null) return { ok: false, broken: shapeBreaks(exchange, judging)[0] ?? NO_BODY };
  return typeof views === 'number'
    ? { ok: false, broken: tooMany(views, exchange) }
    : { ok: true, value: views };
}

export const rowOfLimit = (isDefault: boolean, isFiltered: boolean): RequirementId =>
  isDefault ? 'list-limit-default' : isFiltered ? 'list-filter-with-limit' : 'list-limit-max-items';

/** Charges a listing above every limit to the row of its limit; to none if the interface leaves it open. */
function tooMany(animals: number, { request, intent }: Exchange): Obstacle {
  const query = new URL(request.path, 'http://target').searchParams;
  return {
    layer: 'shape',
    charged: intent.kind === 'open' ? null : rowOfLimit(!query.has('limit'), query.has('status')),
    message: `a listing of ${count(animals)} animals is too long to read`,
    returned: `${count(animals)} animals, too many to read`,
    animals,
  };
}

/** Reads the animals of any body, leniently: those of a listing, or the single one. */
export function animalsOf(exchange: Exchange): readonly PetView[] {
  const views = viewsOf(exchange);
  const body = views === null ? bodyOf(exchange) : undefined;
  const all = Array.isArray(views)
    ? (views as readonly PetView[])
    : body === undefined
      ? []
      : [petView(body)];
  return all.filter(({ rawId }) => rawId !== undefined);
}

/**
 * Returns the animals in a success to the run's key, leniently read: without a valid key they may be
 * anything.
 */
export const animalsIn = onceEach((exchange: Exchange): readonly PetView[] => {
  const status = statusOf(exchange);
  if ((status !== 200 && status !== 201) || exchange.credential.kind !== 'valid') return [];
  return animalsOf(exchange);
});

/**
 * Reads the animal of a creation or a fetch. With a readable id its other members may be wrong: `pet-shape`
 * judges them, and `isReadable` shows which are right. Cached, because many rows read it.
 */
export const readPet = (exchange: Exchange, judging: Judging): Reading<PetView> =>
  readersOf(judging)(exchange);

const readersOf = onceEach((judging: Judging) =>
  onceEach((exchange: Exchange) => readOne(exchange, judging)),
);

function readOne(exchange: Exchange, judging: Judging): Reading<PetView> {
  const otherStatus = undeclared(exchange, exchange.operation === 'createPet' ? 201 : 200);
  const broken = firstBreak(exchange, judging) ?? otherStatus;
  const body = bodyOf(exchange);
  // One wrong member does not hide the others: checks compare readable ones only.
  const pet = broken?.layer === 'shape' && otherStatus === null && isObject(body) ? petView(body) : null;
  if (pet !== null && isPartlySound(pet)) return { ok: true, value: pet };
  if (broken || body === undefined) return { ok: false, broken: broken ?? NO_BODY };
  return { ok: true, value: petView(body) };
}

/** True for an object with an id and a further required member: one without both is no animal. */
const isPartlySound = (pet: PetView): boolean =>
  pet.id !== null && (isReadable(pet, 'name') || isReadable(pet, 'categoryId'));

const NO_BODY: Obstacle = { layer: 'shape', charged: null, message: 'no body', returned: 'no body' };

/** Any status code is right if the interface is silent; only the success code brings animals. */
function undeclared({ answer }: Exchange, success: number): Obstacle | null {
  if (answer.kind === 'response' && answer.status === success) return null;
  const actual = answer.kind === 'response' ? String(answer.status) : answer.code;
  return {
    layer: 'status',
    charged: null,
    message: `the target returned ${actual}`,
    returned: `${actual} instead of ${success}`,
  };
}

/** Returns the judgement of a row that needs a response with a broken layer. */
export function prerequisite({ layer, charged, message, returned }: Obstacle, exchange: Exchange): Judgement {
  switch (layer) {
    case 'transport':
      return unestablished(codeOfSilence(exchange), `${message} to “${exchange.probe}”`, [exchange]);
    case 'rate-limited':
      return unestablished(
        'rate-limited',
        `“${exchange.probe}” got 429 although the run was below the limit`,
        [exchange],
      );
    case 'status':
    case 'media':
    case 'shape':
      return blocked(charged, `“${exchange.probe}” returned ${returned}`, [exchange]);
  }
}

/** Returns why a request has no response to judge: one beyond the run's own limit is not the server's silence. */
const codeOfSilence = ({ answer }: Exchange): ReasonCode =>
  answer.kind === 'none' && answer.code === 'too-large' ? 'body-too-large' : 'transport';

/** Part 2, PetStatus: is true if the status is absent or one of three. An object without Pet members has none. */
export const isStatusSound = ({ status, rawId, name, categoryId }: PetView): boolean =>
  status === undefined
    ? [rawId, name, categoryId].some((member) => member !== undefined)
    : petStatuses.some((known) => known === status);

/** Is true if a member has the right shape and range. Otherwise `pet-shape` or `pet-int64` reports it. */
export function isReadable(pet: PetView, name: keyof NewPet): boolean {
  switch (name) {
    case 'name':
      return typeof pet.name === 'string';
    case 'categoryId':
      return isInt64(pet.categoryId);
    case 'status':
      return isStatusSound(pet);
  }
}

/** Returns the ids that several animals with different names have. */
export function idsOfSeveral(pets: readonly PetView[]): readonly string[] {
  const names = new Map<string, unknown>();
  return pets.flatMap(({ id, name }) => {
    if (id === null) return [];
    if (!names.has(id)) names.set(id, name);
    return names.get(id) === name ? [] : [id];
  });
}

export const hasStatus = (pet: PetView, status: PetStatus): boolean => pet.status === status;

/** Response to a creation or a fetch, with the animal in it. */
export type Single = Read<PetView>;
