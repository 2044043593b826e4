import type { OperationName } from '../contract/types.js';
import type { BanHabits, Behaviour, Change, Context, NewPetRules, RateFigures, Rule } from './behaviour.js';
import { integerOf, isNumber, isObject, readJson, type Json, type JsonObject } from './json.js';
import { read, withoutHeader, type Answer, type Read } from './messages.js';
import type { Animal } from './store.js';

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

/** The same JSON under another media type. */
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

/** Answers an operation, of an authenticated caller, in another way; null leaves it. */
export const instead = (operation: OperationName, answer: (context: Context) => Answer | null): Change =>
  around(operation, (context, sound) => answer(context) ?? sound(context));

/** Lets one more kind of value pass for a member of NewPet, and keeps it as something of the right shape. */
export const accepting = <Member extends keyof NewPetRules>(
  name: Member,
  accepts: (value: Json | undefined) => boolean,
  keeps: NewPetRules[Member] extends Rule<infer Value> ? (value: Json | undefined) => Value : never,
): Change =>
  seams(({ rules }) => ({
    rules: {
      ...rules,
      [name]: (value: Json | undefined): Read<unknown> => (accepts(value) ? read(keeps(value)) : rules[name](value)),
    },
  }));

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

/** What a listing was asked for, as text. */
export const statusAsked = ({ request }: Context): string | null => request.query.get('status');

/** The limit that a listing was asked for, as text. */
export const limitAsked = ({ request }: Context): string | null => request.query.get('limit');

/** Whether the server had an animal from the start. */
export const isOriginal = ({ addedAt }: Animal): boolean => addedAt === Number.NEGATIVE_INFINITY;

/** Keeps some categories as others. */
export const categoryAs = (alter: (category: bigint) => bigint): Change =>
  seams(({ rules }) => ({
    rules: {
      ...rules,
      categoryId: (value) => {
        const category = rules.categoryId(value);
        return category.ok ? { ok: true, value: alter(category.value) } : category;
      },
    },
  }));

/** Bans in another way; a server without bans stays so. */
export const banning = (alter: Partial<BanHabits>): Change =>
  seams(({ ban }) => ({
    ban: (settings) => {
      const habits = ban(settings);
      return habits === null ? null : { ...habits, ...alter };
    },
  }));

/** Keeps some names as something else. */
export const keptAs = (alter: (name: string) => string): Change =>
  seams(({ rules }) => ({
    rules: {
      ...rules,
      name: (value) => {
        const name = rules.name(value);
        return name.ok ? { ok: true, value: alter(name.value) } : name;
      },
    },
  }));
