import type { Behaviour, Context, NewPetRules } from './behaviour.js';
import { integerOf, isInt64, isNumber, isObject, type JsonObject, member, readJson } from './json.js';
import { type Answer, errorAnswer, invalid, json, type Read, read, refused } from './messages.js';
import { type NewAnimal, type PetStatus, STATUSES } from './store.js';

export function listPets(context: Context): Answer {
  const { behaviour } = context;
  const { query } = context.request;
  const limit = behaviour.readLimit(query.get('limit'));
  if (!limit.ok) return errorAnswer(limit.problem);
  const status = behaviour.readStatus(query.get('status'));
  if (!status.ok) return errorAnswer(status.problem);
  const wanted = status.value;
  const animals = behaviour.select(
    behaviour.order(behaviour.visible(context)),
    { limit: limit.value, status: wanted },
    (animal) => wanted === undefined || behaviour.matches(animal, wanted),
  );
  const rendered = animals.map((animal) => behaviour.renderAnimal(animal, context));
  return json(200, behaviour.renderListing(rendered, context));
}

export function createPet(context: Context): Answer {
  const { behaviour, request, store } = context;
  const typeProblem = behaviour.mediaTypeProblem(request.headers['content-type']);
  if (typeProblem !== undefined) return errorAnswer(typeProblem);
  const body = behaviour.readBody(request.body);
  if (!body.ok) return errorAnswer(body.problem);
  const wanted = readNewAnimal(body.value, behaviour);
  if (!wanted.ok) return errorAnswer(wanted.problem);
  const problem = behaviour.creationProblem(body.value, wanted.value, context);
  if (problem !== undefined) return errorAnswer(problem);
  const id = behaviour.idOf(store.all().length + 1);
  const animal = { ...wanted.value, id, addedAt: request.at };
  store.add(behaviour.keep(animal));
  return json(201, behaviour.renderAnimal(animal, context));
}

function readNewAnimal(body: JsonObject, { rules }: Behaviour): Read<NewAnimal> {
  const name = rules.name(member(body, 'name'));
  if (!name.ok) return name;
  const categoryId = rules.categoryId(member(body, 'categoryId'));
  if (!categoryId.ok) return categoryId;
  const status = rules.status(member(body, 'status'));
  if (!status.ok) return status;
  return read({ name: name.value, categoryId: categoryId.value, status: status.value });
}

/** Handles `GET /pets/{petId}`, which is deprecated. */
export function getPet(context: Context): Answer {
  const { behaviour } = context;
  if (behaviour.isRemoved(context.request.at)) return errorAnswer(gone);
  const id = behaviour.readId(context.route.kind === 'operation' ? context.route.petId : '');
  if (!id.ok) return errorAnswer(id.problem);
  const animal = behaviour.find(context, id.value);
  return animal === undefined ? errorAnswer(notFound) : json(200, behaviour.renderAnimal(animal, context));
}

/** Part 4, list: limit is from 1 to 100, 20 by default. */
const LEAST_LIMIT = 1;
const MOST_LIMIT = 100;
const DEFAULT_LIMIT = 20;

export const isStatus = (value: unknown): value is PetStatus => STATUSES.some((status) => status === value);

/** Refuses a limit that is out of range or no integer; part 7 leaves that free. */
export const readLimit: Behaviour['readLimit'] = (text) => {
  if (text === null) return read(DEFAULT_LIMIT);
  const limit = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return limit >= LEAST_LIMIT && limit <= MOST_LIMIT
    ? read(limit)
    : refused(invalid(`limit must be an integer from ${LEAST_LIMIT} to ${MOST_LIMIT}`));
};

/** Refuses a status outside the enumeration; part 7 leaves that free. */
export const readStatus: Behaviour['readStatus'] = (text) => {
  if (text === null) return read(undefined);
  return isStatus(text) ? read(text) : refused(invalid(`status must be one of ${STATUSES.join(', ')}`));
};

export const readBody: Behaviour['readBody'] = (text) => {
  if (text.trim() === '') return refused(invalid('a request body is required'));
  const value = readJson(text);
  if (value === undefined) return refused(invalid('the request body is not JSON'));
  return isObject(value) ? read(value) : refused(invalid('the request body must be a JSON object'));
};

/** NewPet, part 2: `name` and `categoryId` are required. `null` is invalid for all three. */
export const rules: NewPetRules = {
  name: (value) => {
    if (value === undefined) return refused(invalid('name is required'));
    return typeof value === 'string' ? read(value) : refused(invalid('name must be a string'));
  },
  categoryId: (value) => {
    if (value === undefined) return refused(invalid('categoryId is required'));
    const integer = isNumber(value) ? integerOf(value) : undefined;
    return integer !== undefined && isInt64(integer)
      ? read(integer)
      : refused(invalid('categoryId must be an int64'));
  },
  status: (value) => {
    if (value === undefined) return read(undefined);
    return isStatus(value) ? read(value) : refused(invalid(`status must be one of ${STATUSES.join(', ')}`));
  },
};

/** Accepts `application/json`, with any parameters, and a missing type. */
export const mediaTypeProblem: Behaviour['mediaTypeProblem'] = (contentType) => {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === undefined || type === 'application/json') return undefined;
  return {
    status: 415,
    code: 'unsupported_media_type',
    message: 'the request body must be application/json',
  };
};

/** Treats a malformed id as unknown. */
export const readId: Behaviour['readId'] = (text) =>
  /^-?\d{1,19}$/.test(text) ? read(BigInt(text)) : refused(notFound);

export const notFound = { status: 404, code: 'not_found', message: 'no animal has this id' };

export const gone = {
  status: 410,
  code: 'gone',
  message: 'this operation was removed; list with a status instead',
};
