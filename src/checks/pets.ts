import type { PetStatus } from '../contract/contract.js';
import { integerOf, isNumber, isObject, member } from '../exchange/json.js';
import type { Json, JsonObject } from '../exchange/json.js';
import { onceEach } from '../exchange/once-each.js';
import type { Exchange } from '../exchange/types.js';
import { bodyOf, firstBreak, mediaBreak, shapeBreaks, statusBreak } from './layers.js';
import type { Break, Judging } from './layers.js';
import { blocked, unestablished } from './finding.js';
import type { Judgement } from './finding.js';

/** An animal as the target wrote it; members that are missing or malformed stay as they are. */
export interface PetView {
  /** The id's value in decimal digits, null when it is no integer. */
  readonly id: string | null;
  readonly rawId: Json | undefined;
  readonly name: Json | undefined;
  readonly categoryId: Json | undefined;
  readonly status: Json | undefined;
}

/** What could be read from an answer, or the layer that broke before. */
export type Reading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly broken: Break };

/** An animal from any JSON value. */
export function petView(value: Json): PetView {
  const pet = isObject(value) ? value : NO_MEMBERS;
  const id = member(pet, 'id');
  const integer = isNumber(id) ? integerOf(id) : null;
  return {
    id: integer === null ? null : integer.toString(),
    rawId: id,
    name: member(pet, 'name'),
    categoryId: member(pet, 'categoryId'),
    status: member(pet, 'status'),
  };
}

const NO_MEMBERS: JsonObject = {};

/** The animals of a body; several rows read each listing. */
const viewsOf = onceEach((items: readonly Json[]): readonly PetView[] => items.map(petView));

/** The animals of a listing. The shape of each is left alone: a row that only counts them does not depend on it. */
export function readPets(exchange: Exchange, judging: Judging): Reading<readonly PetView[]> {
  const broken = statusBreak(exchange) ?? undeclared(exchange, 200) ?? mediaBreak(exchange, judging);
  if (broken) return { ok: false, broken };
  const body = bodyOf(exchange);
  if (!Array.isArray(body)) return { ok: false, broken: shapeBreaks(exchange, judging)[0] ?? NO_BODY };
  return { ok: true, value: viewsOf(body as readonly Json[]) };
}

/** The animal of a creation or a fetch, whole and well shaped. */
export function readPet(exchange: Exchange, judging: Judging): Reading<PetView> {
  const broken = firstBreak(exchange, judging) ?? undeclared(exchange, exchange.operation === 'createPet' ? 201 : 200);
  const body = bodyOf(exchange);
  if (broken || body === undefined) return { ok: false, broken: broken ?? NO_BODY };
  return { ok: true, value: petView(body) };
}

const NO_BODY: Break = {
  layer: 'shape',
  charged: null,
  message: 'there is no body',
  expected: 'a body',
  actual: 'none',
  returned: 'no body',
};

/** Where the interface is silent any status is right, but only the status of success brings animals. */
function undeclared({ answer }: Exchange, success: number): Break | null {
  if (answer.kind === 'response' && answer.status === success) return null;
  const actual = answer.kind === 'response' ? String(answer.status) : answer.code;
  return {
    layer: 'status',
    charged: null,
    message: `the target answered ${actual}`,
    expected: String(success),
    actual,
    returned: `${actual} instead of ${success}`,
  };
}

/** What a row says that needs an answer which broke in a layer below. */
export function prerequisite({ layer, charged, message, returned }: Break, exchange: Exchange): Judgement {
  switch (layer) {
    case 'transport':
      return unestablished('transport', `${message} to “${exchange.probe}”`, [exchange]);
    case 'rate-limited':
      return unestablished('rate-limited', `“${exchange.probe}” was answered 429 although no limit was provoked`, [
        exchange,
      ]);
    case 'status':
    case 'media':
    case 'shape':
      return blocked(charged, `“${exchange.probe}” returned ${returned}`, [exchange]);
  }
}

/** Part 2, PetStatus: whether an animal's status is absent or one of the three. What has no member of a Pet has no status either. */
export const isStatusSound = ({ status, rawId, name, categoryId }: PetView): boolean =>
  status === undefined
    ? [rawId, name, categoryId].some((member) => member !== undefined)
    : STATUSES.some((known) => known === status);

const STATUSES: readonly PetStatus[] = ['available', 'pending', 'sold'];

/** Whether an animal has a status as the interface writes it. */
export const hasStatus = (pet: PetView, status: PetStatus): boolean => pet.status === status;
