import type { KeyName } from '../../contract/plan-names.js';
import { seams } from '../changes.js';
import { withoutHeader } from '../messages.js';
import { flawsOf, type FlawEntry } from '../registry.js';
import { authorization, bearer, hasBearer, instead401, keyThat, knowing, on, sameLetters } from './_callers.js';

const QUERY_NAMES = ['api_key', 'access_token', 'key', 'token'] as const;

/** Mistakes about how a key is read. */
export const schemeFlaws = flawsOf('suites', {
  'key-case-ignored': {
    title: 'Keys are kept in a column that compares without regard to letter case.',
    turns: ['auth-key-case'],
    change: knowing((request, settings) => keyThat(settings, (key) => sameLetters(bearer(request), key))),
  },
  'key-case-ignored-on-connection': {
    title: 'The connection keeps its header values in a cache that ignores letter case.',
    turns: ['auth-key-case'],
    change: seams(({ authenticate }) => {
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
    }),
  },
  'basic-accepted': {
    title: 'The key is taken as the user or the password of Basic authentication.',
    turns: ['auth-bearer-only'],
    change: knowing((request, settings) => {
      const given = /^basic +(\S+)$/i.exec(authorization(request) ?? '')?.[1];
      if (given === undefined) return undefined;
      const parts = Buffer.from(given, 'base64').toString('utf8').split(':');
      return keyThat(settings, (key) => key === given || parts.includes(key));
    }),
  },
  'basic-password-accepted': {
    title: 'The key is taken as the password of Basic authentication.',
    turns: ['auth-bearer-only'],
    change: knowing((request, settings) => {
      const given = /^basic +(\S+)$/i.exec(authorization(request) ?? '')?.[1];
      if (given === undefined) return undefined;
      const [, password] = Buffer.from(given, 'base64').toString('utf8').split(':');
      return keyThat(settings, (key) => key === password);
    }),
  },
  'scheme-ignored': {
    title: 'The key is the second word of the header, whatever the first.',
    turns: ['auth-bearer-only'],
    change: knowing((request, settings) => keyThat(settings, (key) => key === authorization(request)?.split(' ')[1])),
  },
  'bare-key-accepted': {
    title: 'The key is taken without a scheme before it.',
    turns: ['auth-bearer-only'],
    change: knowing((request, settings) => keyThat(settings, (key) => key === authorization(request))),
  },
  ...Object.fromEntries<FlawEntry>(
    QUERY_NAMES.map((name) => [
      `query-${name.replace('_', '-')}-accepted`,
      {
        title: `The key is taken from the query parameter ${name}.`,
        turns: ['auth-header-only'],
        change: knowing(({ query }, settings) => keyThat(settings, (key) => key === query.get(name))),
      },
    ]),
  ),
  'x-api-key-accepted': {
    title: 'The key is taken from the header X-API-Key.',
    turns: ['auth-header-only'],
    change: knowing(({ headers }, settings) => keyThat(settings, (key) => key === headers['x-api-key'])),
  },
  'scheme-case-matters': {
    title: 'The scheme is compared letter by letter, so that "bearer" is refused.',
    turns: ['auth-scheme-case'],
    change: seams(({ authenticate }) => ({
      authenticate: (request, settings) =>
        authorization(request)?.startsWith('Bearer ') === true ? authenticate(request, settings) : { kind: 'unknown' },
    })),
  },
  'challenge-missing': {
    title: 'A 401 has no WWW-Authenticate.',
    turns: ['auth-challenge'],
    change: instead401(
      () => true,
      (answer) => withoutHeader(answer, 'WWW-Authenticate'),
    ),
  },
  'challenge-missing-for-invalid-key': {
    title: 'A 401 to an unknown key has no WWW-Authenticate, though one to a missing key has.',
    turns: ['auth-challenge'],
    change: instead401(hasBearer, (answer) => withoutHeader(answer, 'WWW-Authenticate')),
  },
  'challenge-missing-on-creation': {
    title: 'A 401 to a creation has no WWW-Authenticate.',
    turns: ['auth-challenge'],
    change: instead401(on('createPet'), (answer) => withoutHeader(answer, 'WWW-Authenticate')),
  },
});
