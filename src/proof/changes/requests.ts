import type { Behaviour, Change, Context } from '../../reference/behaviour.js';
import { type Answer, errorAnswer } from '../../reference/messages.js';
import type { Animal } from '../../reference/store.js';
import type { OperationName } from '../../base/interface/types.js';

export type Test = (context: Context) => boolean;

/** Selects responses. A test of requests selects all of theirs. */
export type Which = (context: Context, answer: Answer) => boolean;

export const always: Test = () => true;

export const on =
  (operation: OperationName): Test =>
  ({ route }) =>
    route.kind === 'operation' && route.operation === operation;

export const isOperation = (context: Context, operation: OperationName): boolean => on(operation)(context);

export const withStatus =
  (...statuses: readonly number[]): Which =>
  (_context, { status }) =>
    statuses.includes(status);

/** Returns the id in a fetch's path; '' for other requests. */
export const petIdOf = ({ route }: Context): string => (route.kind === 'operation' ? route.petId : '');

export function both(...conditions: readonly Test[]): Test;

export function both(...conditions: readonly Which[]): Which;

export function both(...conditions: readonly Which[]): Which {
  return (context, answer) => conditions.every((condition) => condition(context, answer));
}

export const LISTED = both(on('listPets'), withStatus(200));
export const CREATED = both(on('createPet'), withStatus(201));
export const FETCHED = both(on('getPet'), withStatus(200));

export const seams =
  (parts: Partial<Behaviour> | ((before: Behaviour) => Partial<Behaviour>)): Change =>
  (before) => ({ ...before, ...(typeof parts === 'function' ? parts(before) : parts) });

/** Functions of the behaviour by name. */
type Parts = {
  [
    Name in keyof Behaviour as Behaviour[Name] extends (...given: never) => unknown ? Name : never
  ]: Behaviour[Name];
};

/** Changes the results of a function of the behaviour, given also its arguments. */
export const after =
  <Name extends keyof Parts>(
    name: Name,
    alter: (result: ReturnType<Parts[Name]>, ...given: Parameters<Parts[Name]>) => ReturnType<Parts[Name]>,
  ): Change =>
  (before) => {
    const part = before[name] as unknown as (...given: Parameters<Parts[Name]>) => ReturnType<Parts[Name]>;
    return { ...before, [name]: (...given: Parameters<Parts[Name]>) => alter(part(...given), ...given) };
  };

export const chain =
  (...changes: readonly Change[]): Change =>
  (behaviour) =>
    changes.reduce((changed, change) => change(changed), behaviour);

/** Makes a change for each server, so that servers share no state. */
export const anew =
  (make: () => Change): Change =>
  (behaviour) =>
    make()(behaviour);

/** Responds before any check; null continues. */
export const early = (answer: (context: Context) => Answer | null): Change =>
  seams((before) => ({ early: (context) => answer(context) ?? before.early(context) }));

/** Responds to a request of an operation, given the original function. */
export type Handler = (context: Context, sound: (context: Context) => Answer) => Answer;

/** Changes an operation's response to a known caller. */
export const around = (operation: OperationName, answer: Handler): Change =>
  seams(({ operations }) => ({
    operations: { ...operations, [operation]: (context: Context) => answer(context, operations[operation]) },
  }));

/** Responds to some listings from a cache by query, whose entries last for some ms. */
export const cachedListings = (ms: number, which: Test = always): Change =>
  anew(() => {
    const cache = new Map<string, { readonly until: number; readonly answer: Answer }>();
    return around('listPets', (context, sound) => {
      if (!which(context)) return sound(context);
      const { query, at } = context.request;
      const known = cache.get(query.toString());
      if (known && at < known.until) return known.answer;
      const answer = sound(context);
      cache.set(query.toString(), { until: at + ms, answer });
      return answer;
    });
  });

/** Changes an operation's response, given the number of its requests so far that pass the test, with this one. */
export const counted = (
  operation: OperationName,
  answer: (count: number, ...request: Parameters<Handler>) => Answer,
  test: Test = always,
): Change =>
  anew(() => {
    let count = 0;
    return around(operation, (context, sound) =>
      test(context) ? answer((count += 1), context, sound) : sound(context),
    );
  });

/** Replaces an operation's response to a known caller; null keeps it. */
export const instead = (operation: OperationName, answer: (context: Context) => Answer | null): Change =>
  around(operation, (context, sound) => answer(context) ?? sound(context));

/** Crashes on some requests with a key. */
export const fallingOver = (operation: OperationName, test: Test): Change =>
  instead(operation, (context) => (test(context) ? failing : null));

export const failing: Answer = errorAnswer({
  status: 500,
  code: 'internal',
  message: 'something went wrong',
});

export const adding = (
  { store, behaviour, request }: Context,
  animal: Omit<Animal, 'id' | 'addedAt'>,
): void => store.add({ ...animal, id: behaviour.idOf(store.all().length + 1), addedAt: request.at });

export const changed = (context: Context, change: Change): Context => ({
  ...context,
  behaviour: change(context.behaviour),
});

export const renumbered = (context: Context, idOf: Behaviour['idOf']): Context =>
  changed(context, seams({ idOf }));

export const rehearsing = (context: Context): Context => ({
  ...context,
  store: { ...context.store, add: () => undefined },
});

/** Works on requests of an operation without a valid key before any check; null continues. */
export const beforeKey = (operation: OperationName, work: (context: Context) => Answer | null): Change =>
  early((context) =>
    context.caller.kind === 'unknown' && isOperation(context, operation) ? work(context) : null,
  );
