import { createHash } from 'node:crypto';
import type { Change, Context } from '../../reference/behaviour.js';
import {
  after,
  always,
  anew,
  beforeKey,
  both,
  chain,
  early,
  isOperation,
  on,
  rehearsing,
  renumbered,
  seams,
  type Test,
  withStatus,
} from '../changes/requests.js';
import { answeredWith, emptying, onAnswers, removing, restated } from '../changes/answers.js';
import { isFiltered } from '../changes/animals.js';
import { sendingStatus } from '../changes/creations.js';
import {
  authorization,
  bearer,
  hasBearer,
  hasNoHeader,
  inHeader,
  inQuery,
  keyThat,
  keyWhere,
  knowing,
  refusingHeaders,
  sameLetters,
} from '../changes/keys.js';
import { errorAnswer, json, withHeader, withoutHeader } from '../../reference/messages.js';
import { flawsBy, flawsTurning } from '../registry.js';
import type { OperationName } from '../../base/interface/types.js';
import type { KeyName } from '../../base/interface/names.js';

const isUnauthorized = withStatus(401);

/** Responds to requests without a valid key like to authenticated ones, if the status code passes a test. */
const answeringStrangers = (
  operation: OperationName,
  which: Test,
  gives: (status: number) => boolean,
  asked = (context: Context) => context,
): Change =>
  beforeKey(operation, (context) => {
    if (!which(context)) return null;
    const answer = context.behaviour.operations[operation](asked(context));
    return gives(answer.status) ? answer : null;
  });

/** Serves requests without a key like authenticated ones; errors remain. */
const publicly = (operation: OperationName, which: Test): Change =>
  answeringStrangers(operation, which, (status) => status < 300);

/** Returns a creation that is not stored and gets an id that no animal has, so only the response is wrong. */
const pretended = (context: Context): Context =>
  rehearsing(renumbered(context, () => 2n ** 60n + BigInt(context.request.serial)));

const forbidding = (operation: OperationName, status: number, which: Test = always): Change =>
  early((context) =>
    context.caller.kind === 'known' && isOperation(context, operation) && which(context)
      ? errorAnswer({ status, code: 'forbidden', message: 'this key may not do that' })
      : null,
  );

const resembling = (resembles: (given: string, key: string) => boolean): Change =>
  keyWhere((key, request) => {
    const given = bearer(request);
    return given !== undefined && resembles(given, key);
  });

const half = (key: string): string => key.slice(0, Math.ceil(key.length / 2));

const isRecased: Test = ({ request, settings }) =>
  keyThat(settings, (key) => sameLetters(bearer(request), key)) !== undefined;

const refusalsOf = (operation: OperationName, which: Test) => both(isUnauthorized, on(operation), which);

const inBasic = (accepts: (key: string, parts: readonly string[], given: string) => boolean): Change =>
  keyWhere((key, request) => {
    const given = /^basic +(\S+)$/i.exec(authorization(request) ?? '')?.[1];
    return (
      given !== undefined && accepts(key, Buffer.from(given, 'base64').toString('utf8').split(':'), given)
    );
  });

const sessionOf = (key: string): string => createHash('sha256').update(key).digest('hex');

const CHALLENGE = 'WWW-Authenticate';

/** Flaws of keys and their places, and of the base address. */
export const keyFlaws = [
  ...flawsTurning('auth-missing-key', 'suites', {
    'listing-public: Listings need no key.': publicly('listPets', hasNoHeader),
    'filtered-listing-public: Listings with a status filter need no key: their cache is in front of the key check.':
      publicly('listPets', both(hasNoHeader, isFiltered)),
    'other-animals-public: All animals except the first can be fetched without a key.': publicly(
      'getPet',
      (context) => hasNoHeader(context) && !context.request.path.endsWith('/pets/1'),
    ),
    'fetching-public: Existing animals can be fetched without a key.': publicly('getPet', hasNoHeader),
    'fetching-open: Existing animals can be fetched by anybody, with any header.': publicly(
      'getPet',
      ({ caller }) => caller.kind !== 'known',
    ),
    'refusals-403: A request without a valid key is refused with 403, whatever its headers.': answeredWith(
      isUnauthorized,
      403,
    ),
    'empty-token-accepted: A bearer without a token is accepted: the empty string is a prefix of each key.':
      knowing((request) => (/^bearer\s*$/i.test(authorization(request) ?? '') ? 'free' : undefined)),
    'missing-key-403: A listing without a key is refused with 403, the default of the security framework.':
      onAnswers(refusalsOf('listPets', hasNoHeader), (answer) =>
        withoutHeader(restated(answer, 403), CHALLENGE),
      ),
    'missing-key-400-on-creation: A creation without Authorization returns 400: the header is validated like a parameter.':
      [answeredWith(refusalsOf('createPet', hasNoHeader), 400), ['auth-before-work']],
    'missing-key-404-on-fetch: A fetch without a key returns 404, to hide what exists.': [
      answeredWith(refusalsOf('getPet', hasNoHeader), 404),
      ['auth-before-work'],
    ],
    'missing-key-redirected: A listing without a key is redirected to a login page.': emptying(
      refusalsOf('listPets', hasNoHeader),
      302,
      '/login',
    ),
    'missing-key-empty-listing: A listing without a key returns 200 and no animals.': beforeKey(
      'listPets',
      (context) => (hasNoHeader(context) ? json(200, []) : null),
    ),
  }),
  ...flawsTurning(['auth-missing-key', 'auth-before-work'], 'suites', {
    'creating-public: Creations need no key: only the reading routes check it.': publicly(
      'createPet',
      hasNoHeader,
    ),
  }),
  ...flawsBy('auth-invalid-key', 'suites', resembling, {
    'key-ending-accepted: A token that ends with a key is accepted as that key.': (given, key) =>
      given !== key && given.endsWith(key),
    'key-cut-short-accepted: Keys are compared over the length of the given one, so a key cut short is accepted.':
      (given, key) => given.length >= 8 && key.startsWith(given),
    'key-lengthened-accepted: Keys are compared over their own length, so further characters are ignored.': (
      given,
      key,
    ) => given.startsWith(key),
    'key-of-right-shape-accepted: Any text that looks like a key is accepted: the lookup was never written.':
      [
        (given, key) =>
          /^[A-Za-z0-9]+$/.test(given) &&
          key.length === given.length &&
          key.slice(0, 2) === given.slice(0, 2),
        ['auth-before-work'],
      ],
    'key-end-ignored: Only the first half of a key, its owner, is looked up; the secret half is never compared.':
      [(given, key) => key.length === given.length && half(key) === half(given), ['auth-before-work']],
  }),
  ...flawsTurning('auth-invalid-key', 'suites', {
    'any-key-accepted-for-listings: Listings accept any bearer token: only its presence is checked.':
      publicly('listPets', hasBearer),
    'any-key-accepted-for-fetches: Fetches accept any bearer token.': publicly('getPet', hasBearer),
  }),
  ...flawsTurning({ turns: ['auth-invalid-key'], also: ['auth-before-work'] }, 'suites', {
    'any-key-answered-on-creation: A creation with an unknown key returns 201; only the job that saves it checks the key.':
      answeringStrangers('createPet', hasBearer, (status) => status === 201, pretended),
    'invalid-key-403: An unknown key is refused with 403.': answeredWith(
      refusalsOf('listPets', (context) => hasBearer(context) && !isRecased(context)),
      403,
    ),
    'any-token-403: Each bearer token that is no key is refused with 403, an empty one too.': answeredWith(
      refusalsOf(
        'listPets',
        (context) => /^bearer/i.test(authorization(context.request) ?? '') && !isRecased(context),
      ),
      403,
    ),
    'any-token-400-on-creation: A creation with a bearer token that is no key returns 400, with an empty one too.':
      answeredWith(
        refusalsOf('createPet', (context) => /^bearer/i.test(authorization(context.request) ?? '')),
        400,
      ),
    'invalid-key-fails-on-fetch: A fetch with an unknown key returns 500: the code expects the lookup to find one.':
      answeredWith(refusalsOf('getPet', hasBearer), 500),
  }),
  ...flawsTurning('auth-valid-key', 'suites', {
    'valid-key-refused-for-fetches: Fetches are refused with 403: they need a scope that no key has.':
      forbidding('getPet', 403),
    'valid-key-refused-for-creations: Creations are refused with 403: keys are read-only.': forbidding(
      'createPet',
      403,
    ),
    'valid-key-refused-for-listings: Listings are refused with 403.': forbidding('listPets', 403),
    'valid-key-refused-for-filters: Listings with a status filter are refused with 403: they need a scope that no key has.':
      forbidding('listPets', 403, isFiltered),
    'header-name-by-letter-case: The header Authorization is found only in this letter case, as in a map of names as sent.':
      after('authenticate', (caller, { headerNames }) =>
        headerNames.includes('Authorization') ? caller : { kind: 'unknown' },
      ),
    'valid-key-refused-for-sold: Creations with status sold are refused with 401: only the order service may send them.':
      forbidding('createPet', 401, sendingStatus('sold')),
  }),
  ...flawsTurning('auth-before-work', 'suites', {
    'body-validated-before-key: The body is validated before the key, so an invalid body without a key gets 400.':
      answeringStrangers('createPet', always, (status) => status === 400, rehearsing),
    'body-parsed-before-key: The body is parsed before the key is checked, so broken JSON without a key gets 400.':
      beforeKey('createPet', (context) => {
        const body = context.behaviour.readBody(context.request.body);
        return body.ok || context.request.body === '' ? null : errorAnswer(body.problem);
      }),
    'animal-sought-before-key: The animal is looked up before the key is checked, so a 404 without a key shows which ids exist.':
      answeringStrangers('getPet', always, (status) => status === 404),
    'animal-saved-before-key: A creation is saved before the key is checked.': beforeKey(
      'createPet',
      (context) => {
        context.behaviour.operations.createPet(context);
        return null;
      },
    ),
  }),
  ...flawsTurning('auth-key-case', 'suites', {
    'key-case-ignored: Keys are stored in a column that ignores letter case.': resembling(sameLetters),
    'key-case-ignored-on-connection: The connection caches header values without regard to letter case.':
      anew(() => {
        const known = new WeakMap<object, KeyName>();
        return after('authenticate', (caller, request, settings) => {
          if (caller.kind === 'known') known.set(request.connection, caller.key);
          const key = known.get(request.connection);
          const isCached = key !== undefined && sameLetters(bearer(request), settings.keys[key]);
          return isCached ? { kind: 'known', key } : caller;
        });
      }),
  }),
  ...flawsTurning('auth-bearer-only', 'suites', {
    'basic-accepted: The key is accepted as the user or the password of Basic authentication.': inBasic(
      (key, parts, given) => key === given || parts.includes(key),
    ),
    'basic-password-accepted: The key is accepted as the password of Basic authentication.': inBasic(
      (key, [, password]) => key === password,
    ),
    'scheme-ignored: The key is the second word of the header, with any first word.': keyWhere(
      (key, request) => key === authorization(request)?.split(' ')[1],
    ),
    'token-scheme-accepted: The key is accepted under Token as well, as in Django REST framework.': keyWhere(
      (key, request) => authorization(request) === `Token ${key}`,
    ),
    'bare-key-accepted: The key is accepted without a scheme.': inHeader('authorization'),
  }),
  ...flawsBy('auth-header-only', 'suites', inQuery, {
    'query-api-key-accepted: The key is accepted in the query parameter api_key.': 'api_key',
    'query-access-token-accepted: The key is accepted in the query parameter access_token.': 'access_token',
    'query-key-accepted: The key is accepted in the query parameter key.': 'key',
    'query-token-accepted: The key is accepted in the query parameter token.': 'token',
    'query-api-key-in-camel-case-accepted: The key is accepted in the query parameter apiKey.': 'apiKey',
    'query-api-key-with-hyphen-accepted: The key is accepted in the query parameter api-key.': 'api-key',
    'query-apikey-accepted: The key is accepted in the query parameter apikey, as in many gateways.':
      'apikey',
  }),
  ...flawsTurning('auth-header-only', 'suites', {
    'x-api-key-accepted: The key is accepted in the header X-API-Key.': inHeader('x-api-key'),
    'key-in-x-auth-token: The key is accepted in X-Auth-Token.': inHeader('x-auth-token'),
    'key-in-a-cookie: The key is accepted in a cookie named session.': keyWhere(
      (key, { headers }) => headers['cookie']?.split('; ').includes(`session=${key}`) === true,
    ),
    'session-accepted: A response to a valid key sets a session cookie, which is then accepted without the key.':
      chain(
        keyWhere((key, { headers }) => headers['cookie'] === `sid=${sessionOf(key)}`),
        onAnswers(hasBearer, (answer, { caller, settings }) =>
          caller.kind === 'known'
            ? withHeader(
                answer,
                'Set-Cookie',
                `sid=${sessionOf(settings.keys[caller.key])}; Path=/; HttpOnly`,
              )
            : answer,
        ),
      ),
  }),
  ...flawsTurning('auth-scheme-case', 'suites', {
    'scheme-case-matters: The scheme is compared with letter case, so "bearer" is refused.': refusingHeaders(
      (header) => header.startsWith('Bearer '),
    ),
  }),
  ...flawsBy('auth-challenge', 'suites', (which: Test) => removing(CHALLENGE, both(isUnauthorized, which)), {
    'challenge-missing: A 401 has no WWW-Authenticate.': always,
    'challenge-missing-for-invalid-key: A 401 to an unknown key has no WWW-Authenticate, but one to a missing key has.':
      hasBearer,
    'challenge-missing-on-creation: A 401 to a creation has no WWW-Authenticate.': on('createPet'),
  }),
  ...flawsBy('base-path-v1', 'suites', (basePath: string) => seams({ basePath }), {
    'base-path-without-version: The service is at the root, without a version in its address.': '',
    'base-path-v2: The service is below /v2.': '/v2',
    'base-path-with-minor-version: The service is below /v1.0, the whole version number.': '/v1.0',
    'base-path-goes-on: The version is followed by another segment, /v1/api.': '/v1/api',
  }),
];
