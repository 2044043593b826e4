import type { Change, Context } from '../behaviour.js';
import {
  authorization,
  bearer,
  early,
  hasBearer,
  instead401,
  isStrangers,
  keyThat,
  keyWhere,
  knowing,
  on,
  sameLetters,
  seams,
} from '../changes.js';
import { type Answer, withoutHeader } from '../messages.js';
import { flawsTurning } from '../registry.js';
import type { KeyName } from '../../contract/names.js';

export const addressFlaws = flawsTurning('base-path-v1', 'suites', {
  'base-path-without-version: The service is at the root, without a version in its address.': seams({
    basePath: '',
  }),
  'base-path-v2: The service is below /v2.': seams({ basePath: '/v2' }),
  'base-path-with-minor-version: The service is below /v1.0, the whole version number.': seams({
    basePath: '/v1.0',
  }),
  'base-path-goes-on: The version is followed by another segment, /v1/api.': seams({ basePath: '/v1/api' }),
});

export const orderFlaws = flawsTurning('auth-before-work', 'suites', {
  'body-validated-before-key: The body is validated before the key, so an invalid body without a key gets 400.': early(
    (context) => (isStrangers(context, 'createPet') ? refusalOf(context) : null),
  ),
  'body-parsed-before-key: The body is parsed before the key is checked, so broken JSON without a key gets 400.': early(
    (context) => {
      if (!isStrangers(context, 'createPet') || context.request.body === '') return null;
      const body = context.behaviour.readBody(context.request.body);
      return body.ok ? null : context.behaviour.problem(body.problem, context);
    },
  ),
  'animal-sought-before-key: The animal is looked up before the key is checked, so a 404 without a key shows which ids exist.':
    early((context) => {
      if (!isStrangers(context, 'getPet')) return null;
      const answer = context.behaviour.operations.getPet(context);
      return answer.status === 404 ? answer : null;
    }),
  'animal-saved-before-key: A creation is saved before the key is checked.': early((context) => {
    if (isStrangers(context, 'createPet')) context.behaviour.operations.createPet(context);
    return null;
  }),
});

/** Refusal that a creation would get; stores nothing. */
function refusalOf(context: Context): Answer | null {
  const store = { ...context.store, add: () => undefined };
  const answer = context.behaviour.operations.createPet({ ...context, store });
  return answer.status === 400 ? answer : null;
}

/** Accepts the key in a query parameter. */
const inQuery = (name: string): Change => keyWhere((key, { query }) => key === query.get(name));

export const schemeFlaws = [
  ...flawsTurning('auth-key-case', 'suites', {
    'key-case-ignored: Keys are stored in a column that ignores letter case.': keyWhere((key, request) =>
      sameLetters(bearer(request), key),
    ),
    'key-case-ignored-on-connection: The connection caches header values without regard to letter case.': seams(
      ({ authenticate }) => {
        const known = new WeakMap<object, KeyName>();
        return {
          authenticate: (request, settings) => {
            const caller = authenticate(request, settings);
            if (caller.kind === 'known') known.set(request.connection, caller.key);
            const key = known.get(request.connection);
            const isCached = key !== undefined && sameLetters(bearer(request), settings.keys[key]);
            return isCached ? { kind: 'known', key } : caller;
          },
        };
      },
    ),
  }),
  ...flawsTurning('auth-bearer-only', 'suites', {
    'basic-accepted: The key is accepted as the user or the password of Basic authentication.': knowing(
      (request, settings) => {
        const given = /^basic +(\S+)$/i.exec(authorization(request) ?? '')?.[1];
        if (given === undefined) return undefined;
        const parts = Buffer.from(given, 'base64').toString('utf8').split(':');
        return keyThat(settings, (key) => key === given || parts.includes(key));
      },
    ),
    'basic-password-accepted: The key is accepted as the password of Basic authentication.': knowing(
      (request, settings) => {
        const given = /^basic +(\S+)$/i.exec(authorization(request) ?? '')?.[1];
        if (given === undefined) return undefined;
        const [, password] = Buffer.from(given, 'base64').toString('utf8').split(':');
        return keyThat(settings, (key) => key === password);
      },
    ),
    'scheme-ignored: The key is the second word of the header, with any first word.': keyWhere(
      (key, request) => key === authorization(request)?.split(' ')[1],
    ),
    'bare-key-accepted: The key is accepted without a scheme.': keyWhere(
      (key, request) => key === authorization(request),
    ),
  }),
  ...flawsTurning('auth-header-only', 'suites', {
    'query-api-key-accepted: The key is accepted in the query parameter api_key.': inQuery('api_key'),
    'query-access-token-accepted: The key is accepted in the query parameter access_token.': inQuery('access_token'),
    'query-key-accepted: The key is accepted in the query parameter key.': inQuery('key'),
    'query-token-accepted: The key is accepted in the query parameter token.': inQuery('token'),
    'x-api-key-accepted: The key is accepted in the header X-API-Key.': keyWhere(
      (key, { headers }) => key === headers['x-api-key'],
    ),
  }),
  ...flawsTurning('auth-scheme-case', 'suites', {
    'scheme-case-matters: The scheme is compared with letter case, so "bearer" is refused.': seams(
      ({ authenticate }) => ({
        authenticate: (request, settings) =>
          authorization(request)?.startsWith('Bearer ') === true
            ? authenticate(request, settings)
            : { kind: 'unknown' },
      }),
    ),
  }),
  ...flawsTurning('auth-challenge', 'suites', {
    'challenge-missing: A 401 has no WWW-Authenticate.': instead401(
      () => true,
      (answer) => withoutHeader(answer, 'WWW-Authenticate'),
    ),
    'challenge-missing-for-invalid-key: A 401 to an unknown key has no WWW-Authenticate, but one to a missing key has.':
      instead401(hasBearer, (answer) => withoutHeader(answer, 'WWW-Authenticate')),
    'challenge-missing-on-creation: A 401 to a creation has no WWW-Authenticate.': instead401(
      on('createPet'),
      (answer) => withoutHeader(answer, 'WWW-Authenticate'),
    ),
  }),
];
