import type { OperationName } from '../contract/types.js';
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
import { integerOf, isNumber, isObject, member, readJson, type Json, type JsonObject } from './json.js';
import {
  invalid,
  read,
  refused,
  withoutHeader,
  type Answer,
  type Incoming,
  type Problem,
  type Read,
} from './messages.js';
import type { Algorithm } from './limiters/windows.js';
import type { Settings } from './options.js';
import type { Animal, NewAnimal } from './store.js';
import { keyNames, type KeyName } from '../contract/names.js';

/** Says which answers a change is about. */
export type Which = (answer: Answer, context: Context) => boolean;

/** Every answer. */
export const always: Which = () => true;

/** Answers of one of these statuses. */
export const withStatus =
  (...statuses: readonly number[]): Which =>
  ({ status }) =>
    statuses.includes(status);

/** Answers of one operation. */
export const of =
  (operation: OperationName): Which =>
  (_answer, { route }) =>
    route.kind === 'operation' && route.operation === operation;

/** Answers that all of these are true of. */
export const both =
  (...conditions: readonly Which[]): Which =>
  (answer, context) =>
    conditions.every((condition) => condition(answer, context));

/** Whether a request is for an operation. */
export const isOperation = (context: Context, operation: OperationName): boolean =>
  context.route.kind === 'operation' && context.route.operation === operation;

/** Sets some seams, given the behaviour as it was. */
export const seams =
  (set: (before: Behaviour) => Partial<Behaviour>): Change =>
  (before) => ({ ...before, ...set(before) });

/** One change after another. */
export const chain =
  (...changes: readonly Change[]): Change =>
  (behaviour) =>
    changes.reduce((changed, change) => change(changed), behaviour);

/** Alters finished answers, rate headers and all. */
export const onAnswers = (which: Which, alter: (answer: Answer, context: Context) => Answer): Change =>
  seams(({ finish }) => ({
    finish: (answer, context) => {
      const finished = finish(answer, context);
      return which(finished, context) ? alter(finished, context) : finished;
    },
  }));

/** Answers with another status where it is about an answer. */
export const answeredWith = (which: Which, status: number): Change =>
  onAnswers(which, (answer) => restated(answer, status));

/** Alters the JSON of finished answers. */
export const onJson = (which: Which, alter: (value: Json, context: Context) => Json): Change =>
  onAnswers(which, (answer, context) =>
    answer.body.kind === 'json'
      ? { ...answer, body: { ...answer.body, value: alter(answer.body.value, context) } }
      : answer,
  );

/** Alters the members of finished answers that are objects. */
export const onObject = (which: Which, alter: (value: JsonObject, context: Context) => Json): Change =>
  onJson(which, (value, context) => (isObject(value) ? alter(value, context) : value));

/** Alters every animal of the answers of one operation, or of all. */
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

/** Alters an integer of animals, in whatever way a variant has written it. */
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

/** Answers with another status; an Error's own status goes along with it. */
export const restated = (answer: Answer, status: number): Answer => {
  const { body } = answer;
  // JSON that a variant writes in its own way is a text by then.
  if (body.kind === 'text') {
    const own = new RegExp(`("status"\\s*:\\s*)${answer.status}\\b`);
    return { ...answer, status, body: { ...body, text: body.text.replace(own, `$1${status}`) } };
  }
  const follows = body.kind === 'json' && isObject(body.value) && body.value['status'] === answer.status;
  return { ...answer, status, body: follows ? { kind: 'json', value: { ...body.value, status } } : body };
};

/** Other text in place of an answer's body. */
export const asText = (answer: Answer, text: string, mediaType: string | null): Answer => ({
  ...answer,
  body: { kind: 'text', text, mediaType },
});

/** Returns the response with another media type for its JSON. */
export const labelled = (answer: Answer, mediaType: string): Answer =>
  answer.body.kind === 'json' ? { ...answer, body: { ...answer.body, mediaType } } : answer;

/** No body at all. */
export const emptied = (answer: Answer): Answer => ({ ...answer, body: { kind: 'none' } });

/** The rate headers by name (part 8). */
export const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/** Without these headers; all three rate headers unless named. */
export const bare = (answer: Answer, names: readonly string[] = RATE_HEADERS): Answer =>
  names.reduce((stripped, name) => withoutHeader(stripped, name), answer);

/** Answers in place of the one that would come, before anything is checked. */
export const early = (answer: (context: Context) => Answer | null): Change =>
  seams((before) => ({ early: (context) => answer(context) ?? before.early(context) }));

/** Answers an operation, of an authenticated caller, in another way, given the way in which it was answered before. */
export const around = (
  operation: OperationName,
  answer: (context: Context, sound: (context: Context) => Answer) => Answer,
): Change =>
  seams(({ operations }) => ({
    operations: { ...operations, [operation]: (context: Context) => answer(context, operations[operation]) },
  }));

/** Answers an operation in another way, given how many requests for it, this one counted in, a test was true of. */
export const counted =
  (
    operation: OperationName,
    answer: (count: number, context: Context, sound: (context: Context) => Answer) => Answer,
    test: (context: Context) => boolean = () => true,
  ): Change =>
  (behaviour) => {
    let count = 0;
    return around(operation, (context, sound) =>
      test(context) ? answer((count += 1), context, sound) : sound(context),
    )(behaviour);
  };

/** Gives a creation another id than the next one. */
export const renumbered = (context: Context, idOf: (nth: number) => bigint): Context => ({
  ...context,
  behaviour: { ...context.behaviour, idOf },
});

/** Answers an operation, of an authenticated caller, in another way; null leaves it. */
export const instead = (operation: OperationName, answer: (context: Context) => Answer | null): Change =>
  around(operation, (context, sound) => answer(context) ?? sound(context));

/** Reads a member of NewPet in another way, given the way in which it was read before. */
export const ruling = <Value>(
  name: keyof NewPetRules,
  reads: (value: Json | undefined, rule: Rule<Value>) => Read<unknown>,
): Change =>
  seams(({ rules }) => ({
    rules: { ...rules, [name]: (value: Json | undefined) => reads(value, rules[name] as Rule<Value>) },
  }));

/** Stored type of a member of NewPet. */
type Kept<Member extends keyof NewPetRules> = NewPetRules[Member] extends Rule<infer Value> ? Value : never;

/** Whether a member is there and null, not there, or a boolean. */
export const isNull = (value: Json | undefined): boolean => value === null;
export const isMissing = (value: Json | undefined): boolean => value === undefined;
export const isBoolean = (value: Json | undefined): boolean => typeof value === 'boolean';

/** Lets one more kind of value pass for a member of NewPet, and keeps it as something of the right shape. */
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

/** Keeps some names as something else. */
export const keptAs = keeping<string>('name');

/** Keeps some categories as others. */
export const categoryAs = keeping<bigint>('categoryId');

/** Refuses creations in which every member is right. */
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

/** Reads one more kind of body, as the object that it is taken for. */
export const reading = (accepts: (text: string, value: Json | undefined) => JsonObject | undefined): Change =>
  seams(({ readBody }) => ({
    readBody: (text) => {
      const taken = accepts(text, readJson(text));
      return taken === undefined ? readBody(text) : read(taken);
    },
  }));

/** Refuses some bodies before they are read. */
export const refusingBodies = (test: (text: string) => boolean, message: string): Change =>
  seams(({ readBody }) => ({ readBody: (text) => (test(text) ? refused(invalid(message)) : readBody(text)) }));

/** Lists another page than the one that was asked for. */
export const asking = (alter: (query: ListingQuery) => Partial<ListingQuery>): Change =>
  selecting((select) => (animals, query, matches) => select(animals, { ...query, ...alter(query) }, matches));

/** Puts a page together in another way. */
export const selecting = (alter: (select: Behaviour['select']) => Behaviour['select']): Change =>
  seams(({ select }) => ({ select: alter(select) }));

/** Ends some pages at so many animals, whatever their limit. */
export const endingAt = (most: number, which: (query: ListingQuery) => boolean = () => true): Change =>
  asking((query) => ({ limit: which(query) ? Math.min(most, query.limit) : query.limit }));

/** Lists in another order. */
export const ordered = (order: Behaviour['order']): Change => seams(() => ({ order }));

/** The newest first, so that a page which is too short still shows what was just created. */
export const newestFirst = ordered((animals) => animals.toReversed());

/** Shows an animal of the store to a request as another, or not at all. */
export const seenAs = (alter: (animal: Animal, context: Context) => Animal | undefined): Change =>
  seams(({ visible, find }) => ({
    visible: (context) => visible(context).flatMap((animal) => alter(animal, context) ?? []),
    find: (context, id) => {
      const animal = find(context, id);
      return animal && alter(animal, context);
    },
  }));

/** Shows what was added only after so many ms to some requests. */
export const late = (ms: number, to: (context: Context) => boolean = () => true): Change =>
  seenAs((animal, context) => (to(context) && animal.addedAt + ms > context.request.at ? undefined : animal));

/** Holds the minute's allowance in another way. */
export const limitedBy = (minuteAlgorithm: Algorithm): Change => seams(() => ({ minuteAlgorithm }));

/** Alters what the rate headers say. */
export const onFigures = (alter: (figures: RateFigures, context: Context) => RateFigures): Change =>
  seams(({ rateHeaders }) => ({
    rateHeaders: (figures, context) => rateHeaders(alter(figures, context), context),
  }));

/** Rewrites the text of one rate header on the answers that it is about. */
export const onHeader = (
  name: string,
  which: Which,
  alter: (value: string, context: Context) => string | null,
): Change =>
  onAnswers(which, (answer, context) => ({
    ...answer,
    headers: answer.headers.flatMap(([other, value]) => {
      if (other !== name) return [[other, value] as const];
      const altered = alter(value, context);
      return altered === null ? [] : [[other, altered] as const];
    }),
  }));

/** The answer of a server that fell over. */
export const failing = (context: Context): Answer =>
  context.behaviour.problem({ status: 500, code: 'internal', message: 'something went wrong' }, context);

/** The members of a request's body, none where it is no JSON object. */
export const sentMembers = ({ request }: Context): JsonObject => {
  const body = readJson(request.body);
  return isObject(body) ? body : {};
};

/** Returns the status filter of a listing request, as text. */
export const statusAsked = ({ request }: Context): string | null => request.query.get('status');

/** The limit that a listing was asked for, as text. */
export const limitAsked = ({ request }: Context): string | null => request.query.get('limit');

/** Whether the server had an animal from the start. */
export const isOriginal = ({ addedAt }: Animal): boolean => addedAt === Number.NEGATIVE_INFINITY;

/** Bans in another way; a server without bans stays so. */
export const banning = (alter: Partial<BanHabits>): Change =>
  seams(({ ban }) => ({
    ban: (settings) => {
      const habits = ban(settings);
      return habits === null ? null : { ...habits, ...alter };
    },
  }));

/** Refuses some creations with another status than 400. */
export const refusingWith = (status: number, which: (context: Context) => boolean): Change =>
  onAnswers(
    (answer, context) => answer.status === 400 && isOperation(context, 'createPet') && which(context),
    (answer) => restated(answer, status),
  );

/** What a careless server makes of a body that says nothing. */
export const UNNAMED = readJson('{"name":"unnamed","categoryId":1}') as JsonObject;

/** Whether a body is an object without a member. */
export const lacks = (context: Context, name: string) =>
  isJsonObject(context) && member(sentMembers(context), name) === undefined;

/** Whether a body is a JSON object. */
export const isJsonObject = ({ request }: Context) => isObject(readJson(request.body));

/** Whether a body is present and not JSON. */
export const isBroken = ({ request }: Context) => request.body.trim() !== '' && readJson(request.body) === undefined;

/** Whether the body is missing or blank. */
export const isBodiless = ({ request }: Context) => request.body.trim() === '';

/** Whether a body has all that a NewPet must have. */
export const hasAll = (context: Context) =>
  isJsonObject(context) && !lacks(context, 'name') && !lacks(context, 'categoryId');

/** Whether a value is a string. */
export const isText = (value: Json | undefined) => typeof value === 'string';

/** Knows one more kind of caller: by the key, if any, that a request seems to carry. */
export const knowing = (keyOf: (request: Incoming, settings: Settings) => KeyName | undefined): Change =>
  seams(({ authenticate }) => ({
    authenticate: (request, settings) => {
      const caller = authenticate(request, settings);
      if (caller.kind === 'known') return caller;
      const key = keyOf(request, settings);
      return key === undefined ? caller : { kind: 'known', key };
    },
  }));

/** Takes a key that a request carries in another way. */
export const keyWhere = (test: (key: string, request: Incoming) => boolean): Change =>
  knowing((request, settings) => keyThat(settings, (key) => test(key, request)));

/** The key whose text passes a test. */
export const keyThat = ({ keys }: Settings, test: (key: string) => boolean): KeyName | undefined =>
  keyNames.find((name) => test(keys[name]));

/** The Authorization header. */
export const authorization = ({ headers }: Incoming): string | undefined => headers['authorization'];

/** The token of a request that carries one as a bearer. */
export const bearer = (request: Incoming): string | undefined =>
  /^bearer +(\S+)$/i.exec(authorization(request) ?? '')?.[1];

/** Whether a request comes without an Authorization header. */
export const hasNoHeader = ({ request }: Context) => authorization(request) === undefined;

/** Whether a request carries a bearer token, whoever issued it. */
export const hasBearer = ({ request }: Context) => bearer(request) !== undefined;

/** Answers 401 with something else, or with another status. */
export const instead401 = (
  which: (context: Context) => boolean,
  alter: number | ((answer: Answer) => Answer),
): Change =>
  onAnswers(
    (answer, context) => answer.status === 401 && which(context),
    (answer) => (typeof alter === 'number' ? restated(answer, alter) : alter(answer)),
  );

/** Whether a request is for an operation, as a condition. */
export const on = (operation: OperationName) => (context: Context) => isOperation(context, operation);

/** Whether a request for an operation comes without a valid key. */
export function isStrangers(context: Context, operation: OperationName): boolean {
  return context.caller.kind === 'unknown' && isOperation(context, operation);
}

/** Whether two keys differ in letter case at most. */
export function sameLetters(given: string | undefined, key: string): boolean {
  return given?.toLowerCase() === key.toLowerCase();
}

/** Writes some names as another value. */
export const shownAs = (alter: (name: string) => Json): Change =>
  seams(({ renderAnimal }) => ({
    renderAnimal: (animal, context) => ({ ...renderAnimal(animal, context), name: alter(animal.name) }),
  }));

/** Refuses creations with some names. */
export const refusingNames = (test: (name: string) => boolean, problem = invalid('name is required')): Change =>
  ruling<string>('name', (value, rule) => (typeof value === 'string' && test(value) ? refused(problem) : rule(value)));

/** Falls over where a test says so, of callers with a key. */
export const fallingOver = (operation: OperationName, test: (context: Context) => boolean): Change =>
  instead(operation, (context) => (test(context) ? failing(context) : null));

/** Falls over creations with some names. */
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

/** Takes a status that is none. */
export const takingStatus = (test: (value: Json | undefined) => boolean): Change =>
  accepting(
    'status',
    (value) => value !== undefined && test(value),
    () => undefined,
  );
