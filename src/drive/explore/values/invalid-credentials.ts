import type { RequirementId } from '../../../base/interface/types.js';
import { plain, type KeyText } from '../../../wire/exchange/key-forms.js';
import { authorization, inCookies, inHeader, inQuery, invalid } from '../../probes/credentials.js';

/** A request's identity without a valid key, and the row that demands 401. */
interface InvalidCredential {
  readonly name: string;
  readonly row: RequirementId;
  readonly identity: ReturnType<typeof invalid>;
}

const strangers = (
  row: RequirementId,
  identities: readonly InvalidCredential['identity'][],
): readonly InvalidCredential[] =>
  identities.map((identity) => ({ name: identity.credential.manner, row, identity }));

const authorizations = (
  row: RequirementId,
  values: Readonly<Record<string, KeyText>>,
): readonly InvalidCredential[] =>
  strangers(
    row,
    Object.entries(values).map(([name, value]) => authorization(name, value)),
  );

/** Part 5: keys that were never issued. Variants of the true key differ from it in more than letter case. */
const NEVER_ISSUED = authorizations('auth-invalid-key', {
  'half of the key': (key) => `Bearer ${key('half')}`,
  'the first character of the key': (key) => `Bearer ${key('first')}`,
  'the key twice': (key) => `Bearer ${key('whole')}${key('whole')}`,
  'the key with a long suffix': (key) => `Bearer ${key('lengthened')}${'x'.repeat(200)}`,
  'the key in quotes': (key) => `Bearer "${key('whole')}"`,
  'the key and a second word': (key) => `Bearer ${key('whole')} x`,
  'the key with a quote after it': (key) => `Bearer ${key('whole')}'`,
  'a key with a quote in it': plain("Bearer O'Brien"),
  'the key after a word': (key) => `Bearer x ${key('whole')}`,
  'the key with a comma after it': (key) => `Bearer ${key('whole')},`,
  'the key after another': (key) => `Bearer x,Bearer ${key('whole')}`,
  'the key as Base64': (key) => `Bearer ${key('base64')}`,
  'a very long key': plain(`Bearer ${'k'.repeat(2_000)}`),
  'no key after the scheme': plain('Bearer'),
  'the word null': plain('Bearer null'),
  'the word undefined': plain('Bearer undefined'),
  'a star': plain('Bearer *'),
  'a percent sign': plain('Bearer %'),
  'a built-in object member': plain('Bearer constructor'),
  'the member __proto__': plain('Bearer __proto__'),
  'a query in place of the key': plain("Bearer ' OR '1'='1"),
  'a token without signature': plain('Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'),
  'test keys': plain('Bearer test'),
});

/** The scheme is Bearer and no other (part 5). */
const SCHEMES = [
  ...strangers(
    'auth-bearer-only',
    ['Token', 'ApiKey', 'Key', 'JWT', 'Digest', 'Bearer:', 'Bearerx'].map((scheme) =>
      authorization(`the key under ${scheme}`, (key) => `${scheme} ${key('whole')}`),
    ),
  ),
  ...authorizations('auth-bearer-only', {
    'the key directly after the scheme': (key) => `Bearer${key('whole')}`,
    'the key after an equals sign': (key) => `Bearer=${key('whole')}`,
  }),
];

/** Parameters of a query that may hold a key. */
const PARAMETERS = 'accessToken auth auth_token authorization bearer jwt x-api-key'.split(' ');

/** The key goes into the header Authorization and nowhere else (part 5). */
const PLACES = strangers('auth-header-only', [
  ...['Api-Key', 'X-Access-Token', 'Proxy-Authorization'].map(inHeader),
  ...['X-Authorization', 'Proxy-Authorization', 'Authentication', 'X-Forwarded-Authorization'].map((header) =>
    invalid(`Bearer and the key in ${header}`, [[header, (key) => `Bearer ${key('whole')}`]]),
  ),
  ...['access_token', 'jwt', 'auth'].map((name) => inCookies([name])),
  ...PARAMETERS.map(inQuery),
]);

/**
 * All of them, except those that the suites send. With the parallel requests they fit into 60 a minute,
 * because a service may limit requests without a key like a Free key.
 */
export const INVALID_CREDENTIALS: readonly InvalidCredential[] = [...NEVER_ISSUED, ...SCHEMES, ...PLACES];

/** Part 5 and RFC 9110 section 11.1: letter case of the scheme does not matter. */
export const SCHEME_CASES = ['BEARER', 'bEaReR', 'bearer'] as const;
