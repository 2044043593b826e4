import type { RequirementId } from '../../contract/types.js';
import { plain, type KeyText } from '../../exchange/key-forms.js';
import type { Identity } from '../../probes/credentials.js';

/** A request's identity without a valid key, and the row that demands 401. */
export interface Stranger {
  readonly name: string;
  readonly row: RequirementId;
  readonly identity: Identity;
}

const invalid = (
  name: string,
  row: RequirementId,
  headers: Identity['headers'],
  query?: Identity['query'],
): Stranger => ({
  name,
  row,
  identity: { credential: { kind: 'invalid', manner: name }, headers, ...(query && { query }) },
});

const authorization = (name: string, row: RequirementId, value: KeyText): Stranger =>
  invalid(name, row, [['Authorization', value]]);

const whole: KeyText = (key) => key('whole');

/** Part 5: keys that were never issued. Variants of the true key differ from it in more than letter case. */
const NEVER_ISSUED: readonly Stranger[] = [
  authorization('half of the key', 'auth-invalid-key', (key) => `Bearer ${key('half')}`),
  authorization('the first character of the key', 'auth-invalid-key', (key) => `Bearer ${key('first')}`),
  authorization('the key twice', 'auth-invalid-key', (key) => `Bearer ${key('whole')}${key('whole')}`),
  authorization(
    'the key with a long suffix',
    'auth-invalid-key',
    (key) => `Bearer ${key('lengthened')}${'x'.repeat(200)}`,
  ),
  authorization('the key in quotes', 'auth-invalid-key', (key) => `Bearer "${key('whole')}"`),
  authorization('the key and a second word', 'auth-invalid-key', (key) => `Bearer ${key('whole')} x`),
  authorization('the key with a quote after it', 'auth-invalid-key', (key) => `Bearer ${key('whole')}'`),
  authorization('a key with a quote in it', 'auth-invalid-key', plain("Bearer O'Brien")),
  authorization('the key after a word', 'auth-invalid-key', (key) => `Bearer x ${key('whole')}`),
  authorization('the key with a comma after it', 'auth-invalid-key', (key) => `Bearer ${key('whole')},`),
  authorization('the key after another', 'auth-invalid-key', (key) => `Bearer x,Bearer ${key('whole')}`),
  authorization('the key as Base64', 'auth-invalid-key', (key) => `Bearer ${key('base64')}`),
  authorization('a very long key', 'auth-invalid-key', plain(`Bearer ${'k'.repeat(2_000)}`)),
  authorization('no key after the scheme', 'auth-invalid-key', plain('Bearer')),
  authorization('the word null', 'auth-invalid-key', plain('Bearer null')),
  authorization('the word undefined', 'auth-invalid-key', plain('Bearer undefined')),
  authorization('a star', 'auth-invalid-key', plain('Bearer *')),
  authorization('a percent sign', 'auth-invalid-key', plain('Bearer %')),
  authorization('a built-in object member', 'auth-invalid-key', plain('Bearer constructor')),
  authorization('the member __proto__', 'auth-invalid-key', plain('Bearer __proto__')),
  authorization('a query in place of the key', 'auth-invalid-key', plain("Bearer ' OR '1'='1")),
  authorization('a token without signature', 'auth-invalid-key', plain('Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.')),
  authorization('test keys', 'auth-invalid-key', plain('Bearer test')),
];

/** The scheme is Bearer and no other (part 5). */
const SCHEMES: readonly Stranger[] = [
  ...['Token', 'ApiKey', 'Key', 'JWT', 'Digest', 'Bearer:', 'Bearerx'].map((scheme) =>
    authorization(`the key under ${scheme}`, 'auth-bearer-only', (key) => `${scheme} ${key('whole')}`),
  ),
  authorization('the key directly after the scheme', 'auth-bearer-only', (key) => `Bearer${key('whole')}`),
  authorization('the key after an equals sign', 'auth-bearer-only', (key) => `Bearer=${key('whole')}`),
];

/** The key goes into the header Authorization and nowhere else (part 5). */
const PLACES: readonly Stranger[] = [
  ...['Api-Key', 'X-Auth-Token', 'X-Access-Token', 'Proxy-Authorization'].map((header) =>
    invalid(`the key in ${header}`, 'auth-header-only', [[header, whole]]),
  ),
  ...['X-Authorization', 'Proxy-Authorization', 'Authentication', 'X-Forwarded-Authorization'].map((header) =>
    invalid(`Bearer and the key in ${header}`, 'auth-header-only', [[header, (key) => `Bearer ${key('whole')}`]]),
  ),
  ...['api_key', 'token', 'access_token', 'session'].map((name) =>
    invalid(`the key in the cookie ${name}`, 'auth-header-only', [['Cookie', (key) => `${name}=${key('whole')}`]]),
  ),
  ...[
    'apikey',
    'apiKey',
    'api-key',
    'accessToken',
    'auth',
    'auth_token',
    'authorization',
    'bearer',
    'jwt',
    'x-api-key',
  ].map((name) => invalid(`the key as ?${name}=`, 'auth-header-only', [], [name, (key) => key('percent-encoded')])),
];

/**
 * All of them, except those that the suites send. With the parallel requests they fit into 60 a minute, because a service may
 * limit requests without a key like a Free key.
 */
export const STRANGERS: readonly Stranger[] = [...NEVER_ISSUED, ...SCHEMES, ...PLACES];

/** Part 5 and RFC 9110 section 11.1: letter case of the scheme does not matter. */
export const SCHEME_CASES = ['BEARER', 'bEaReR', 'bearer'] as const;
