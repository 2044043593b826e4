import type { OperationName } from '../../contract/types.js';
import type { Change, Context } from '../behaviour.js';
import {
  bearer,
  early,
  hasBearer,
  hasNoHeader,
  instead401,
  isOperation,
  keyThat,
  keyWhere,
  knowing,
  on,
  restated,
  sameLetters,
  sentMembers,
  statusAsked,
} from '../changes.js';
import { member } from '../json.js';
import { type Answer, json, withHeader, withoutHeader } from '../messages.js';
import { flawsTurning } from '../registry.js';

/** Serves requests without a key like authenticated ones; errors remain. */
const publicly = (operation: OperationName, which: (context: Context) => boolean): Change =>
  early((context) => {
    if (context.caller.kind === 'known' || !isOperation(context, operation) || !which(context)) return null;
    const answer = context.behaviour.operations[operation](context);
    return answer.status < 300 ? answer : null;
  });

const NEVER_GIVEN = 2n ** 60n;

/** Response to a creation without a key, of which the server stores nothing. */
const pretended = (context: Context): Answer | null => {
  if (context.caller.kind === 'known' || !isOperation(context, 'createPet') || !hasBearer(context)) return null;
  const store = { ...context.store, add: () => undefined };
  // An id that no animal gets, so only the response is wrong.
  const behaviour = { ...context.behaviour, idOf: () => NEVER_GIVEN + BigInt(context.request.serial) };
  const answer = behaviour.operations.createPet({ ...context, store, behaviour });
  return answer.status === 201 ? answer : null;
};

/** Refuses a valid key for one operation. */
const forbidding = (
  operation: OperationName,
  status: number,
  which: (context: Context) => boolean = () => true,
): Change =>
  early((context) =>
    context.caller.kind === 'known' && isOperation(context, operation) && which(context)
      ? context.behaviour.problem({ status, code: 'forbidden', message: 'this key may not do that' }, context)
      : null,
  );

export const keyFlaws = [
  ...flawsTurning('auth-missing-key', 'suites', {
    'listing-public: Listings need no key.': publicly('listPets', hasNoHeader),
    'filtered-listing-public: Listings with a status filter need no key: their cache is in front of the key check.':
      publicly('listPets', (context) => hasNoHeader(context) && statusAsked(context) !== null),
    'other-animals-public: All animals except the first can be fetched without a key.': publicly(
      'getPet',
      (context) => hasNoHeader(context) && !context.request.path.endsWith('/pets/1'),
    ),
    'empty-token-accepted: A bearer without a token is accepted: the empty string is a prefix of each key.': knowing(
      (request) => (/^bearer\s*$/i.test(request.headers['authorization'] ?? '') ? 'free' : undefined),
    ),
  }),
  ...flawsTurning('auth-invalid-key', 'suites', {
    'key-ending-accepted: A token that ends with a key is accepted as that key.': keyWhere(
      (key, request) => bearer(request) !== key && bearer(request)?.endsWith(key) === true,
    ),
  }),
  ...flawsTurning('auth-missing-key', 'suites', {
    'fetching-public: Existing animals can be fetched without a key.': publicly('getPet', hasNoHeader),
  }),
  ...flawsTurning(['auth-missing-key', 'auth-before-work'], 'suites', {
    'creating-public: Creations need no key: only the reading routes check it.': publicly('createPet', hasNoHeader),
  }),
  ...flawsTurning('auth-missing-key', 'suites', {
    'missing-key-403: A listing without a key is refused with 403, the default of the security framework.': instead401(
      (context) => on('listPets')(context) && hasNoHeader(context),
      (answer) => withoutHeader(restated(answer, 403), 'WWW-Authenticate'),
    ),
    'missing-key-400-on-creation: A creation without the Authorization header returns 400: the header is validated like a parameter.':
      [instead401((context) => on('createPet')(context) && hasNoHeader(context), 400), ['auth-before-work']],
    'missing-key-404-on-fetch: A fetch without a key returns 404, to hide what exists.': [
      instead401((context) => on('getPet')(context) && hasNoHeader(context), 404),
      ['auth-before-work'],
    ],
    'missing-key-redirected: A listing without a key is redirected to a login page.': instead401(
      (context) => on('listPets')(context) && hasNoHeader(context),
      (answer) => withHeader({ ...answer, status: 302, body: { kind: 'none' } }, 'Location', '/login'),
    ),
    'missing-key-empty-listing: A listing without a key returns 200 and no animals.': early((context) =>
      context.caller.kind === 'unknown' && on('listPets')(context) && hasNoHeader(context) ? json(200, []) : null,
    ),
  }),
  ...flawsTurning('auth-invalid-key', 'suites', {
    'any-key-accepted-for-listings: Listings accept any bearer token: only its presence is checked.': publicly(
      'listPets',
      hasBearer,
    ),
    'any-key-accepted-for-fetches: Fetches accept any bearer token.': publicly('getPet', hasBearer),
    'any-key-answered-on-creation: A creation with an unknown key returns 201; only the background job that saves it checks the key.':
      [early(pretended), ['auth-before-work']],
    'key-cut-short-accepted: Keys are compared over the length of the given one, so a key cut short is accepted.':
      knowing((request, settings) => {
        const given = bearer(request);
        return given === undefined || given.length < 8 ? undefined : keyThat(settings, (key) => key.startsWith(given));
      }),
    'key-lengthened-accepted: Keys are compared over their own length, so further characters are ignored.': keyWhere(
      (key, request) => bearer(request)?.startsWith(key) === true,
    ),
    'key-of-right-shape-accepted: Any text with the length, start and alphabet of a key is accepted: the lookup was never written.':
      [
        knowing((request, settings) => {
          const given = bearer(request);
          if (given === undefined || !/^[A-Za-z0-9]+$/.test(given)) return undefined;
          return keyThat(settings, (key) => key.length === given.length && key.slice(0, 2) === given.slice(0, 2));
        }),
        ['auth-before-work'],
      ],
    'key-end-ignored: Only the first half of a key, its owner, is looked up; the secret half is never compared.': [
      knowing((request, settings) => {
        const given = bearer(request);
        return given === undefined
          ? undefined
          : keyThat(settings, (key) => key.length === given.length && half(key) === half(given));
      }),
      ['auth-before-work'],
    ],
    'invalid-key-403: An unknown key is refused with 403.': [
      instead401((context) => on('listPets')(context) && hasBearer(context) && !isRecased(context), 403),
      ['auth-before-work'],
    ],
    'invalid-key-fails-on-fetch: A fetch with an unknown key returns 500: the code expects the lookup to find one.': [
      instead401((context) => on('getPet')(context) && hasBearer(context), 500),
      ['auth-before-work'],
    ],
  }),
  ...flawsTurning('auth-valid-key', 'suites', {
    'valid-key-refused-for-fetches: Fetches are refused with 403: they need a scope that no key has.': forbidding(
      'getPet',
      403,
    ),
    'valid-key-refused-for-creations: Creations are refused with 403: keys are read-only.': forbidding(
      'createPet',
      403,
    ),
    'valid-key-refused-for-listings: Listings are refused with 403.': forbidding('listPets', 403),
    'valid-key-refused-for-filters: Listings with a status filter are refused with 403: they need a scope that no key has.':
      forbidding('listPets', 403, (context) => statusAsked(context) !== null),
    'valid-key-refused-for-sold: Creations with status sold are refused with 401: only the order service may send them.':
      forbidding('createPet', 401, (context) => member(sentMembers(context), 'status') === 'sold'),
  }),
];

const half = (key: string): string => key.slice(0, Math.ceil(key.length / 2));

/** True if a valid key has another letter case. */
function isRecased({ request, settings }: Context): boolean {
  return keyThat(settings, (key) => sameLetters(bearer(request), key)) !== undefined;
}
