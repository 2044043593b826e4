import type {
  BanHabits,
  Behaviour,
  Change,
  Context,
  ListingQuery,
  NewPetRules,
  RateFigures,
  Rule,
} from './behaviour.js';
import { integerOf, isNumber, isObject, type Json, type JsonObject, member, readJson, textOf } from './json.js';
import {
  type Answer,
  type Incoming,
  invalid,
  type Problem,
  type Read,
  read,
  refused,
  type Wire,
  withHeader,
  withoutHeader,
} from './messages.js';
import type { Animal, NewAnimal } from './store.js';
import type { Settings } from './options.js';
import type { Algorithm } from './limiters/windows.js';
import type { OperationName } from '../contract/types.js';
import { type KeyName, keyNames } from '../contract/names.js';

/** Selects requests. */
export type Test = (context: Context) => boolean;

/** Selects responses. A test of requests selects all of theirs. */
export type Which = (context: Context, answer: Answer) => boolean;

/** Selects everything. */
export const always: Test = () => true;

/** Selects responses with one of these status codes. */
export const withStatus =
  (...statuses: readonly number[]): Which =>
  (_context, { status }) =>
    statuses.includes(status);

/** Selects requests for an operation, and their responses. */
export const on =
  (operation: OperationName): Test =>
  ({ route }) =>
    route.kind === 'operation' && route.operation === operation;

/** Selects what all conditions select. */
export function both(...conditions: readonly Test[]): Test;
export function both(...conditions: readonly Which[]): Which;
export function both(...conditions: readonly Which[]): Which {
  return (context, answer) => conditions.every((condition) => condition(context, answer));
}

/** Is true if a request is for an operation. */
export const isOperation = (context: Context, operation: OperationName): boolean => on(operation)(context);

/** Replaces some parts of the behaviour, also given the behaviour before. */
export const seams =
  (parts: Partial<Behaviour> | ((before: Behaviour) => Partial<Behaviour>)): Change =>
  (before) => ({ ...before, ...(typeof parts === 'function' ? parts(before) : parts) });

/** Applies changes in order. */
export const chain =
  (...changes: readonly Change[]): Change =>
  (behaviour) =>
    changes.reduce((changed, change) => change(changed), behaviour);

/** Changes complete responses with their rate headers. */
export const onAnswers = (which: Which, alter: (answer: Answer, context: Context) => Answer): Change =>
  seams(({ finish }) => ({
    finish: (answer, context) => {
      const finished = finish(answer, context);
      return which(context, finished) ? alter(finished, context) : finished;
    },
  }));

/** Changes the status code of the selected responses. */
export const answeredWith = (which: Which, status: number): Change =>
  onAnswers(which, (answer) => restated(answer, status));

/** Changes the JSON of complete responses. */
export const onJson = (which: Which, alter: (value: Json, context: Context) => Json): Change =>
  onAnswers(which, (answer, context) =>
    answer.body.kind === 'json'
      ? { ...answer, body: { ...answer.body, value: alter(answer.body.value, context) } }
      : answer,
  );

/** Changes complete responses that are objects. */
export const onObject = (which: Which, alter: (value: JsonObject, context: Context) => Json): Change =>
  onJson(which, (value, context) => (isObject(value) ? alter(value, context) : value));

/** Sets a member of an object, or removes it with `undefined`. */
export const setting =
  (name: string, to: Json | undefined | ((value: Json | undefined) => Json | undefined)) =>
  (object: JsonObject): JsonObject => {
    const value = typeof to === 'function' ? to(object[name]) : to;
    if (value !== undefined) return { ...object, [name]: value };
    return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));
  };

/** Changes every animal in responses of one operation, or of all. */
export const onAnimals = (
  operation: OperationName | 'all',
  alter: (animal: JsonObject, context: Context) => JsonObject,
): Change =>
  seams(({ renderAnimal }) => ({
    renderAnimal: (animal, context) => {
      const rendered = renderAnimal(animal, context);
      return operation === 'all' || isOperation(context, operation) ? alter(rendered, context) : rendered;
    },
  }));

/** Sets a member of animals in responses, or removes it with `undefined`. */
export const onField = (operation: OperationName | 'all', ...to: Parameters<typeof setting>): Change =>
  onAnimals(operation, setting(...to));

/** Changes names in some responses of an operation. */
export const onNames = (operation: OperationName, alter: (name: string) => string, which: Test = always): Change =>
  onAnimals(operation, (animal, context) =>
    which(context) ? setting('name', (name) => alter(textOf(name)))(animal) : animal,
  );

/** Changes an integer of animals, in any notation of a variant. */
export const onIntegers = (
  operation: OperationName | 'all',
  name: 'id' | 'categoryId',
  alter: (integer: bigint) => bigint,
): Change =>
  onAnimals(operation, (animal) => {
    const value = animal[name];
    const integer = isNumber(value) ? integerOf(value) : value;
    return typeof integer === 'bigint' ? { ...animal, [name]: alter(integer) } : animal;
  });

/** Returns the response with another status code, also in an Error. */
export const restated = (answer: Answer, status: number): Answer => {
  const { body } = answer;
  // A variant may have written the JSON as text already.
  if (body.kind === 'text') {
    const own = new RegExp(`("status"\\s*:\\s*)${answer.status}\\b`);
    return { ...answer, status, body: { ...body, text: body.text.replace(own, `$1${status}`) } };
  }
  const follows = body.kind === 'json' && isObject(body.value) && body.value['status'] === answer.status;
  return { ...answer, status, body: follows ? { kind: 'json', value: { ...body.value, status } } : body };
};

/** Replaces the body by another text. */
export const asText = (answer: Answer, text: string, mediaType: string | null): Answer => ({
  ...answer,
  body: { kind: 'text', text, mediaType },
});

/** Returns the response with another media type for its JSON. */
export const labelled = (answer: Answer, mediaType: string): Answer =>
  answer.body.kind === 'json' ? { ...answer, body: { ...answer.body, mediaType } } : answer;

/** Returns the response without a body. */
export const emptied = (answer: Answer): Answer => ({ ...answer, body: { kind: 'none' } });

/** Empties the selected responses; also changes their status code, and redirects to a location. */
export const emptying = (which: Which, status?: number, location?: string): Change =>
  onAnswers(which, (answer) => {
    const empty = { ...emptied(answer), status: status ?? answer.status };
    return location === undefined ? empty : withHeader(empty, 'Location', location);
  });

/** Names of the rate headers (part 8). */
export const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/** Removes these headers from the selected responses; all three rate headers by default. */
export const bare = (which: Which, names: readonly string[] = RATE_HEADERS): Change =>
  onAnswers(which, (answer) => names.reduce(withoutHeader, answer));

/** Responds before any check; null continues. */
export const early = (answer: (context: Context) => Answer | null): Change =>
  seams((before) => ({ early: (context) => answer(context) ?? before.early(context) }));

/** Changes an operation's response to a known caller, given the original function. */
export const around = (
  operation: OperationName,
  answer: (context: Context, sound: (context: Context) => Answer) => Answer,
): Change =>
  seams(({ operations }) => ({
    operations: { ...operations, [operation]: (context: Context) => answer(context, operations[operation]) },
  }));

/** Changes an operation's response, given the number of its requests so far that pass the test, with this one. */
export const counted =
  (
    operation: OperationName,
    answer: (count: number, context: Context, sound: (context: Context) => Answer) => Answer,
    test: Test = always,
  ): Change =>
  (behaviour) => {
    let count = 0;
    return around(operation, (context, sound) =>
      test(context) ? answer((count += 1), context, sound) : sound(context),
    )(behaviour);
  };

/** Replaces the id of a creation. */
export const renumbered = (context: Context, idOf: (nth: number) => bigint): Context => ({
  ...context,
  behaviour: { ...context.behaviour, idOf },
});

/** Replaces an operation's response to a known caller; null keeps it. */
export const instead = (operation: OperationName, answer: (context: Context) => Answer | null): Change =>
  around(operation, (context, sound) => answer(context) ?? sound(context));

/** Replaces the reading of a member of NewPet, given the original rule. */
export const ruling = <Value>(
  name: keyof NewPetRules,
  reads: (value: Json | undefined, rule: Rule<Value>) => Read<unknown>,
): Change =>
  seams(({ rules }) => ({
    rules: { ...rules, [name]: (value: Json | undefined) => reads(value, rules[name] as Rule<Value>) },
  }));

/** Stored type of a member of NewPet. */
type Kept<Member extends keyof NewPetRules> = NewPetRules[Member] extends Rule<infer Value> ? Value : never;

/** Tests of a member. */
export const isNull = (value: Json | undefined): boolean => value === null;
export const isMissing = (value: Json | undefined): boolean => value === undefined;
export const isBoolean = (value: Json | undefined): boolean => typeof value === 'boolean';
export const isText = (value: Json | undefined): boolean => typeof value === 'string';

/** Accepts another kind of value for a member of NewPet, and stores a valid one. */
export const accepting = <Member extends keyof NewPetRules>(
  name: Member,
  accepts: (value: Json | undefined) => boolean,
  keeps: Exclude<Kept<Member>, Function> | ((value: Json | undefined) => Kept<Member>),
): Change =>
  ruling(name, (value, rule) =>
    accepts(value)
      ? read(typeof keeps === 'function' ? (keeps as (value: Json | undefined) => Kept<Member>)(value) : keeps)
      : rule(value),
  );

const keeping =
  <Value>(name: keyof NewPetRules) =>
  (alter: (value: Value) => Value): Change =>
    ruling<Value>(name, (value, rule) => {
      const kept = rule(value);
      return kept.ok ? read(alter(kept.value)) : kept;
    });

/** Changes names before storing. */
export const keptAs = keeping<string>('name');

/** Changes categories before storing. */
export const categoryAs = keeping<bigint>('categoryId');

/** Refuses creations with valid members. */
export const refusing = (
  test: (animal: NewAnimal, body: JsonObject, context: Context) => boolean,
  problem: Problem | string,
): Change =>
  seams(({ creationProblem }) => ({
    creationProblem: (body, animal, context) =>
      test(animal, body, context)
        ? typeof problem === 'string'
          ? invalid(problem)
          : problem
        : creationProblem(body, animal, context),
  }));

/** Accepts another kind of body, and returns it as an object. */
export const reading = (accepts: (text: string, value: Json | undefined) => JsonObject | undefined): Change =>
  seams(({ readBody }) => ({
    readBody: (text) => {
      const taken = accepts(text, readJson(text));
      return taken === undefined ? readBody(text) : read(taken);
    },
  }));

/** Refuses some bodies before parsing. */
export const refusingBodies = (test: (text: string) => boolean, message: string): Change =>
  seams(({ readBody }) => ({ readBody: (text) => (test(text) ? refused(invalid(message)) : readBody(text)) }));

/** Lists another page than the requested one. */
export const asking = (alter: (query: ListingQuery) => Partial<ListingQuery>): Change =>
  selecting((select) => (animals, query, matches) => select(animals, { ...query, ...alter(query) }, matches));

/** Replaces the selection of a page. */
export const selecting = (alter: (select: Behaviour['select']) => Behaviour['select']): Change =>
  seams(({ select }) => ({ select: alter(select) }));

/** Ends some pages at a maximum length, whatever their limit. */
export const endingAt = (most: number, which: (query: ListingQuery) => boolean = () => true): Change =>
  asking((query) => ({ limit: which(query) ? Math.min(most, query.limit) : query.limit }));

/** Lists in another order. */
export const ordered = (order: Behaviour['order']): Change => seams({ order });

/** Lists the newest first, so a page that is too short still shows a new animal. */
export const newestFirst = ordered((animals) => animals.toReversed());

/** Changes or hides an animal for some requests. */
export const seenAs = (alter: (animal: Animal, context: Context) => Animal | undefined): Change =>
  seams(({ visible, find }) => ({
    visible: (context) => visible(context).flatMap((animal) => alter(animal, context) ?? []),
    find: (context, id) => {
      const animal = find(context, id);
      return animal && alter(animal, context);
    },
  }));

/** Hides new animals for a time in ms from some requests. */
export const late = (ms: number, to: Test = always): Change =>
  seenAs((animal, context) => (to(context) && animal.addedAt + ms > context.request.at ? undefined : animal));

/** Replaces the algorithm of the minute window. */
export const limitedBy = (minuteAlgorithm: Algorithm): Change => seams({ minuteAlgorithm });

/** Changes the values of the rate headers. */
export const onFigures = (alter: (figures: RateFigures, context: Context) => RateFigures): Change =>
  seams(({ rateHeaders }) => ({
    rateHeaders: (figures, context) => rateHeaders(alter(figures, context), context),
  }));

/** Changes a header of the selected responses; null removes it. */
export const onHeader = (
  name: string,
  alter: (value: string, context: Context) => string | null,
  which: Which = always,
): Change =>
  onAnswers(which, (answer, context) => ({
    ...answer,
    headers: answer.headers.flatMap(([other, value]) => {
      const altered = other === name ? alter(value, context) : value;
      return altered === null ? [] : [[other, altered] as const];
    }),
  }));

/** Removes a header from the selected responses. */
export const removing = (name: string, which: Which): Change => onHeader(name, () => null, which);

/** Changes responses before they are sent. */
export const onWire = (alter: (wire: Wire, context: Context) => Wire): Change =>
  seams(({ transport }) => ({ transport: (wire, context) => alter(transport(wire, context), context) }));

/** Returns the response of a crashed server. */
export const failing = (context: Context): Answer =>
  context.behaviour.problem({ status: 500, code: 'internal', message: 'something went wrong' }, context);

/** Returns the members of a request's body; none if it is no JSON object. */
export const sentMembers = ({ request }: Context): JsonObject => {
  const body = readJson(request.body);
  return isObject(body) ? body : {};
};

/** Returns the status filter of a listing request, as text. */
export const statusAsked = ({ request }: Context): string | null => request.query.get('status');

/** Is true for a request with a status filter. */
export const isFiltered: Test = (context) => statusAsked(context) !== null;

/** Returns the limit of a listing request, as text. */
export const limitAsked = ({ request }: Context): string | null => request.query.get('limit');

/** Is true if the server started with an animal. */
export const isOriginal = ({ addedAt }: Animal): boolean => addedAt === Number.NEGATIVE_INFINITY;

/** Changes the rules of bans, if the server has any. */
export const banning = (alter: Partial<BanHabits>): Change =>
  seams(({ ban }) => ({
    ban: (settings) => {
      const habits = ban(settings);
      return habits === null ? null : { ...habits, ...alter };
    },
  }));

/** Changes the status code of some refused creations from 400. */
export const refusingWith = (status: number, which: Test): Change =>
  answeredWith(both(on('createPet'), withStatus(400), which), status);

/** A careless server's reading of an empty body. */
export const UNNAMED = readJson('{"name":"unnamed","categoryId":1}') as JsonObject;

/** Tests of a request's body. */
export const isJsonObject: Test = ({ request }) => isObject(readJson(request.body));
export const isBodiless: Test = ({ request }) => request.body.trim() === '';
export const isBroken: Test = ({ request }) => request.body.trim() !== '' && readJson(request.body) === undefined;
export const lacks = (context: Context, name: string) =>
  isJsonObject(context) && member(sentMembers(context), name) === undefined;
/** Is true if a body has all required members of NewPet. */
export const hasAll: Test = (context) =>
  isJsonObject(context) && !lacks(context, 'name') && !lacks(context, 'categoryId');

/** Tests a member of a request's body. */
export const sending =
  (name: string, test: (value: Json | undefined) => boolean): Test =>
  (context) =>
    test(member(sentMembers(context), name));

/** Accepts more callers: by the key found in a request, if any. */
export const knowing = (keyOf: (request: Incoming, settings: Settings) => KeyName | undefined): Change =>
  seams(({ authenticate }) => ({
    authenticate: (request, settings) => {
      const caller = authenticate(request, settings);
      if (caller.kind === 'known') return caller;
      const key = keyOf(request, settings);
      return key === undefined ? caller : { kind: 'known', key };
    },
  }));

/** Accepts a key in another place of a request. */
export const keyWhere = (test: (key: string, request: Incoming) => boolean): Change =>
  knowing((request, settings) => keyThat(settings, (key) => test(key, request)));

/** Returns the key whose text passes a test. */
export const keyThat = ({ keys }: Settings, test: (key: string) => boolean): KeyName | undefined =>
  keyNames.find((name) => test(keys[name]));

/** Refuses Authorization headers that do not pass a test. */
export const refusingHeaders = (accepts: (header: string) => boolean): Change =>
  seams(({ authenticate }) => ({
    authenticate: (request, settings) =>
      accepts(authorization(request) ?? '') ? authenticate(request, settings) : { kind: 'unknown' },
  }));

/** Returns the Authorization header. */
export const authorization = ({ headers }: Incoming): string | undefined => headers['authorization'];

/** Returns the bearer token of a request. */
export const bearer = (request: Incoming): string | undefined =>
  /^bearer +(\S+)$/i.exec(authorization(request) ?? '')?.[1];

/** Is true if a request has no Authorization header. */
export const hasNoHeader = ({ request }: Context) => authorization(request) === undefined;

/** Is true if a request has any bearer token. */
export const hasBearer = ({ request }: Context) => bearer(request) !== undefined;

/** Is true if a request for an operation has no valid key. */
export const isStrangers = (context: Context, operation: OperationName): boolean =>
  context.caller.kind === 'unknown' && isOperation(context, operation);

/** Is true if two keys are equal apart from letter case. */
export function sameLetters(given: string | undefined, key: string): boolean {
  return given?.toLowerCase() === key.toLowerCase();
}

/** Changes names in responses. */
export const shownAs = (alter: (name: string) => Json): Change =>
  seams(({ renderAnimal }) => ({
    renderAnimal: (animal, context) => ({ ...renderAnimal(animal, context), name: alter(animal.name) }),
  }));

/** Refuses creations with some names. */
export const refusingNames = (test: (name: string) => boolean, problem = invalid('name is required')): Change =>
  ruling<string>('name', (value, rule) => (typeof value === 'string' && test(value) ? refused(problem) : rule(value)));

/** Crashes on some requests with a key. */
export const fallingOver = (operation: OperationName, test: Test): Change =>
  instead(operation, (context) => (test(context) ? failing(context) : null));

/** Crashes on creations with some names. */
export const fallingOverNames = (test: (name: string) => boolean): Change =>
  seams(({ operations, readBody, rules }) => ({
    operations: {
      ...operations,
      createPet: (context) => {
        const body = readBody(context.request.body);
        const name = body.ok ? rules.name(Object.hasOwn(body.value, 'name') ? body.value['name'] : undefined) : body;
        return name.ok && test(name.value) ? failing(context) : operations.createPet(context);
      },
    },
  }));

/** Accepts an invalid status. */
export const takingStatus = (test: (value: Json | undefined) => boolean): Change =>
  accepting(
    'status',
    (value) => value !== undefined && test(value),
    () => undefined,
  );
