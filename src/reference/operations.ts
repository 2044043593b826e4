import type { Behaviour, Context } from './behaviour.js';
import type { JsonObject } from './json.js';
import { json, read, type Answer, type Read } from './messages.js';
import { gone, notFound } from './reading.js';
import type { NewAnimal } from './store.js';

/** `GET /pets`. */
export function listPets(context: Context): Answer {
  const { behaviour } = context;
  const { query } = context.request;
  const limit = behaviour.readLimit(query.get('limit'));
  if (!limit.ok) return behaviour.problem(limit.problem, context);
  const status = behaviour.readStatus(query.get('status'));
  if (!status.ok) return behaviour.problem(status.problem, context);
  const wanted = status.value;
  const animals = behaviour.select(
    behaviour.order(behaviour.visible(context)),
    { limit: limit.value, status: wanted },
    (animal) => wanted === undefined || behaviour.matches(animal, wanted),
  );
  const rendered = animals.map((animal) => behaviour.renderAnimal(animal, context));
  return json(200, behaviour.renderListing(rendered, context));
}

/** `POST /pets`. */
export function createPet(context: Context): Answer {
  const { behaviour, request, store } = context;
  const typeProblem = behaviour.mediaTypeProblem(request.headers['content-type']);
  if (typeProblem !== undefined) return behaviour.problem(typeProblem, context);
  const body = behaviour.readBody(request.body);
  if (!body.ok) return behaviour.problem(body.problem, context);
  const wanted = readNewAnimal(body.value, behaviour);
  if (!wanted.ok) return behaviour.problem(wanted.problem, context);
  const problem = behaviour.creationProblem(body.value, wanted.value, context);
  if (problem !== undefined) return behaviour.problem(problem, context);
  const id = behaviour.idOf(store.all().length + 1);
  const animal = { ...wanted.value, id, addedAt: request.at };
  store.add(behaviour.keep(animal));
  return json(behaviour.createdStatus, behaviour.renderAnimal(animal, context));
}

function readNewAnimal(body: JsonObject, { rules }: Behaviour): Read<NewAnimal> {
  const name = rules.name(memberOf(body, 'name'));
  if (!name.ok) return name;
  const categoryId = rules.categoryId(memberOf(body, 'categoryId'));
  if (!categoryId.ok) return categoryId;
  const status = rules.status(memberOf(body, 'status'));
  if (!status.ok) return status;
  return read({ name: name.value, categoryId: categoryId.value, status: status.value });
}

const memberOf = (body: JsonObject, name: string) => (Object.hasOwn(body, name) ? body[name] : undefined);

/** `GET /pets/{petId}`, deprecated and working. */
export function getPet(context: Context): Answer {
  const { behaviour } = context;
  if (behaviour.isRemoved(context.request.at)) return behaviour.problem(gone, context);
  const petId = context.route.kind === 'operation' ? context.route.petId : '';
  const id = behaviour.readId(petId);
  if (!id.ok) return behaviour.problem(id.problem, context);
  const animal = behaviour.find(context, id.value);
  return animal === undefined
    ? behaviour.problem(notFound, context)
    : json(200, behaviour.renderAnimal(animal, context));
}
