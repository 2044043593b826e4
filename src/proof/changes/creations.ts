import type { Change, Context, NewPetRules, Rule } from '../../reference/behaviour.js';
import { after, both, fallingOver, on, seams, type Test, withStatus } from './requests.js';
import { answeredWith } from './answers.js';
import { isObject, type Json, type JsonObject, member, readJson } from '../../reference/json.js';
import { invalid, type Problem, type Read, read, refused } from '../../reference/messages.js';
import type { NewAnimal } from '../../reference/store.js';

export const ruling = <Value>(
  name: keyof NewPetRules,
  reads: (value: Json | undefined, rule: Rule<Value>) => Read<unknown>,
): Change =>
  seams(({ rules }) => ({
    rules: { ...rules, [name]: (value: Json | undefined) => reads(value, rules[name] as Rule<Value>) },
  }));

/** Stored type of a member of NewPet. */
type Kept<Member extends keyof NewPetRules> = NewPetRules[Member] extends Rule<infer Value> ? Value : never;

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
      ? read(
          typeof keeps === 'function' ? (keeps as (value: Json | undefined) => Kept<Member>)(value) : keeps,
        )
      : rule(value),
  );

const keeping =
  <Value>(name: keyof NewPetRules) =>
  (alter: (value: Value) => Value): Change =>
    ruling<Value>(name, (value, rule) => {
      const kept = rule(value);
      return kept.ok ? read(alter(kept.value)) : kept;
    });

export const keptAs = keeping<string>('name');

export const categoryAs = keeping<bigint>('categoryId');

/** Refuses creations with valid members. */
export const refusing = (
  test: (animal: NewAnimal, body: JsonObject, context: Context) => boolean,
  problem: Problem | string,
): Change =>
  after('creationProblem', (found, body, animal, context) => {
    if (!test(animal, body, context)) return found;
    return typeof problem === 'string' ? invalid(problem) : problem;
  });

export const reading = (accepts: (text: string, value: Json | undefined) => JsonObject | undefined): Change =>
  after('readBody', (body, text) => {
    const taken = accepts(text, readJson(text));
    return taken === undefined ? body : read(taken);
  });

export const misreading = (alter: (body: JsonObject, text: string) => JsonObject): Change =>
  after('readBody', (body, text) => (body.ok ? read(alter(body.value, text)) : body));

export const refusingBodies = (test: (text: string) => boolean, message: string): Change =>
  after('readBody', (body, text) => (test(text) ? refused(invalid(message)) : body));

export const sentMembers = ({ request }: Context): JsonObject => {
  const body = readJson(request.body);
  return isObject(body) ? body : {};
};

export const refusingWith = (status: number, which: Test): Change =>
  answeredWith(both(on('createPet'), withStatus(400), which), status);

/** A careless server's reading of an empty body. */
export const UNNAMED = readJson('{"name":"unnamed","categoryId":1}') as JsonObject;

const isJsonObject: Test = ({ request }) => isObject(readJson(request.body));

export const isBodiless: Test = ({ request }) => request.body.trim() === '';

export const isBroken: Test = ({ request }) =>
  request.body.trim() !== '' && readJson(request.body) === undefined;

export const lacks = (context: Context, name: string) =>
  isJsonObject(context) && member(sentMembers(context), name) === undefined;

export const hasAll: Test = (context) =>
  isJsonObject(context) && !lacks(context, 'name') && !lacks(context, 'categoryId');

export const sending =
  (name: string, test: (value: Json | undefined) => boolean): Test =>
  (context) =>
    test(member(sentMembers(context), name));

export const sendingStatus = (status: string): Test => sending('status', (sent) => sent === status);

export const shownAs = (alter: (name: string) => Json): Change =>
  after('renderAnimal', (animal, { name }) => ({ ...animal, name: alter(name) }));

export const refusingNames = (test: (name: string) => boolean): Change =>
  ruling<string>('name', (value, rule) =>
    typeof value === 'string' && test(value) ? refused(invalid('name is required')) : rule(value),
  );

export const fallingOverNames = (test: (name: string) => boolean): Change =>
  fallingOver(
    'createPet',
    sending('name', (name) => typeof name === 'string' && test(name)),
  );

export const takingStatus = (test: (value: Json | undefined) => boolean): Change =>
  accepting(
    'status',
    (value) => value !== undefined && test(value),
    () => undefined,
  );
