import type { Behaviour, Change, Context } from '../../reference/behaviour.js';
import {
  anew,
  around,
  chain,
  counted,
  early,
  failing,
  type Handler,
  isOperation,
  renumbered,
  seams,
} from '../changes/requests.js';
import { seenAs, statusAsked } from '../changes/animals.js';
import { errorAnswer } from '../../reference/messages.js';
import { flawsTurning, LISTING } from '../registry.js';
import type { OperationName } from '../../base/interface/types.js';

/** Time of a database request, ms: other requests arrive meanwhile. */
const MEANWHILE_MS = 3;

const every = (operation: OperationName, times: number, other: Handler): Change =>
  counted(operation, (count, context, sound) =>
    count % times === 0 ? other(context, sound) : sound(context),
  );

/** Shares a variable between requests, so parallel ones overwrite it. */
const shared = <T>(
  of: (context: Context) => T | undefined,
  use: (context: Context, value: T, before: Behaviour) => Context,
) =>
  seams((before) => {
    let place: T | undefined;
    return {
      work: (context) => {
        const value = of(context);
        if (value === undefined) return before.work(context);
        place = value;
        return MEANWHILE_MS;
      },
      operations: Object.fromEntries(
        Object.entries(before.operations).map(([name, operation]) => [
          name,
          (context: Context) =>
            operation(
              place !== undefined && of(context) !== undefined ? use(context, place, before) : context,
            ),
        ]),
      ) as unknown as Behaviour['operations'],
    };
  });

/**
 * Loses some animals after the response to their creation.
 *
 * @param isLost given the number of creations, and of other creations still in progress
 */
const losing = (isLost: (count: number, others: number) => boolean): Change =>
  anew(() => {
    const lost = new Set<bigint>();
    let [count, under] = [0, 0];
    return chain(
      early((context) => {
        if (isOperation(context, 'createPet') && context.caller.kind === 'known') under += 1;
        return null;
      }),
      around('createPet', (context, sound) => {
        const before = context.store.all().length;
        const answer = sound(context);
        const added = context.store.all().at(-1);
        under -= 1;
        if (context.store.all().length === before || !added) return answer;
        count += 1;
        if (isLost(count, under)) lost.add(added.id);
        return answer;
      }),
      seenAs((animal) => (lost.has(animal.id) ? undefined : animal)),
    );
  });

/** Flaws that need parallel or repeated requests, or one order. */
export const rareMoments = [
  ...flawsTurning('get-ok', 'explore', {
    'fetches-side-by-side-exchanged: The requested id is stored in a variable that all requests share.': [
      shared(
        (context) =>
          isOperation(context, 'getPet') && context.route.kind === 'operation'
            ? context.route.petId
            : undefined,
        (context, petId) => ({ ...context, route: { kind: 'operation', operation: 'getPet', petId } }),
      ),
      ['get-unknown', 'list-matches-get', 'get-matches-created'],
    ],
    'every-5th-fetch-is-unknown: One of five replicas has no animals.': [
      every('getPet', 5, () =>
        errorAnswer({ status: 404, code: 'not_found', message: 'no animal has this id' }),
      ),
      ['get-matches-created', 'get-until-removal'],
    ],
  }),
  ...flawsTurning('list-status-filter', 'explore', {
    'filters-side-by-side-exchanged: The requested status is stored in a variable that all requests share.': [
      shared(
        (context) => (isOperation(context, 'listPets') ? (statusAsked(context) ?? '') : undefined),
        (context, status) => {
          const query = new URLSearchParams(context.request.query);
          if (status === '') query.delete('status');
          else query.set('status', status);
          return { ...context, request: { ...context.request, query } };
        },
      ),
      LISTING.filter((id) => id !== 'list-status-filter'),
    ],
  }),
  ...flawsTurning('pet-id-unique', 'explore', {
    'creations-side-by-side-share-an-id: The next id is read before the animal is written.': [
      anew(() => {
        const next = new WeakMap<object, number>();
        return chain(
          seams({
            work: (context) => {
              if (!isOperation(context, 'createPet')) return 0;
              next.set(context.request, context.store.all().length + 1);
              return MEANWHILE_MS;
            },
          }),
          around('createPet', (context, sound) =>
            sound(renumbered(context, (nth) => context.behaviour.idOf(next.get(context.request) ?? nth))),
          ),
        );
      }),
      ['get-matches-created', 'list-matches-created', 'list-shows-created', 'get-ok'],
    ],
    'every-9th-creation-repeats-an-id: Ids come from two counters that overlap.': [
      every('createPet', 9, (context, sound) =>
        sound(renumbered(context, (nth) => context.behaviour.idOf(nth - 1))),
      ),
      ['list-matches-created', 'get-matches-created', 'list-matches-get', 'get-ok'],
    ],
  }),
  ...flawsTurning(['get-matches-created', 'list-shows-created'], 'explore', {
    'creations-side-by-side-lost: The whole list is read, added to and written back.': chain(
      losing((_count, others) => others > 0),
      seams({ work: (context) => (isOperation(context, 'createPet') ? MEANWHILE_MS : 0) }),
    ),
    'every-11th-creation-is-lost: Every eleventh creation returns 201 but is never written.': losing(
      (count) => count % 11 === 0,
    ),
  }),
  ...flawsTurning('declared-status', 'explore', {
    'every-25th-listing-falls-over: One of 25 connections of the pool is dead.': [
      every('listPets', 25, () => failing),
      ['list-ok', 'list-limit-bounds', 'auth-scheme-case'],
    ],
  }),
];
