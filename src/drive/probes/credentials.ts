import { onlySent, plain, SERVER_COOKIES, type KeyText } from '../../wire/exchange/key-forms.js';
import type { Credential, Header } from '../../wire/exchange/types.js';
import type { OperationName } from '../../base/interface/types.js';
import { listed } from '../../base/kernel/format.js';
import type { KeyName } from '../../base/interface/names.js';

export interface Identity {
  readonly credential: Credential;
  readonly headers: readonly (readonly [name: string, value: KeyText])[];
  readonly query?: readonly [name: string, value: KeyText];
}

/** Part 5: returns the key as `Authorization: Bearer`. */
export const bearer = (plan: KeyName, scheme = 'Bearer'): Identity => ({
  credential: { kind: 'valid', plan },
  headers: [['Authorization', (key) => `${scheme} ${key('whole')}`]],
});

/**
 * Returns the key under the header's name in lower case, as fetch and HTTP/2 send it: names of headers have
 * no letter case (RFC 9110, 5.1).
 */
export const inLowerCase = (plan: KeyName): Identity => ({
  ...bearer(plan),
  headers: bearer(plan).headers.map(([name, value]) => [name.toLowerCase(), value]),
});

export const nobody: Identity = { credential: { kind: 'none' }, headers: [] };

/** Returns an identity without a valid key. `manner`: its credential in words. */
export const invalid = (manner: string, headers: Identity['headers'], query?: Identity['query']) => ({
  credential: { kind: 'invalid' as const, manner },
  headers,
  ...(query && { query }),
});

export const authorization = (manner: string, value: KeyText) => invalid(manner, [['Authorization', value]]);

/**
 * Returns a token that was never issued: like the key, or with the run's id if a look-alike might have been
 * issued.
 */
export const neverIssued = (run: string, hasLookAlike: boolean): Identity =>
  authorization(
    'a key that was never issued',
    hasLookAlike ? (key) => `Bearer ${key('look-alike')}` : plain(`Bearer never-issued-${run}`),
  );
export const cutShort = authorization(
  'the key cut short by its last character',
  (key) => `Bearer ${key('cut')}`,
);
export const lengthened = authorization(
  'the key with one more character',
  (key) => `Bearer ${key('lengthened')}`,
);
/** To find a server that compares only the end. */
export const prefixed = authorization('the key after one more character', (key) => `Bearer x${key('whole')}`);
export const emptyToken = authorization('an empty token', plain('Bearer '));
export const otherCase = authorization(
  'the key in other letter case',
  (key) => `Bearer ${key('other-case')}`,
);
export const basic = authorization('the key under Basic', (key) => `Basic ${key('base64')}`);
export const basicPassword = authorization(
  'the key as a password under Basic',
  (key) => `Basic ${key('base64-password')}`,
);
/** Schemes under which frameworks take a key as it is, one for each operation. */
const OTHER_SCHEMES: Readonly<Record<OperationName, string>> = {
  listPets: 'Token',
  createPet: 'Basic',
  getPet: 'ApiKey',
};

/** Returns the key itself under another scheme, to find a server that ignores the scheme or knows several. */
export const otherScheme = (operation: OperationName): Identity =>
  authorization(
    `the key itself under ${OTHER_SCHEMES[operation]}`,
    (key) => `${OTHER_SCHEMES[operation]} ${key('whole')}`,
  );
export const bare = authorization('the key without a scheme', (key) => key('whole'));

export const inHeader = (name: string) => invalid(`the key in ${name}`, [[name, (key) => key('whole')]]);

export const inQuery = (name: string) =>
  invalid(`the key as ?${name}=`, [], [name, (key) => key('percent-encoded')]);

export const inCookies = (names: readonly string[]) =>
  invalid(`the key in ${names.length === 1 ? 'the cookie' : 'the cookies'} ${listed(names)}`, [
    ['Cookie', (key) => names.map((name) => `${name}=${key('whole')}`).join('; ')],
  ]);

/** Cookies that the server set, without the key: a session that a valid key opened must not replace it. */
export const inServerCookies = (cookies: readonly Header[]) =>
  invalid('the cookies that the server set', [
    ['Cookie', onlySent(cookies.map(([name, value]) => `${name}=${value}`).join('; '), SERVER_COOKIES)],
  ]);

/** Query parameters in which services and gateways take a key. */
const PARAMETERS = ['api_key', 'apikey', 'access_token', 'key', 'token'] as const;
/** The first of them in other spellings. These cost no request of their own where no place is read. */
const SPELLINGS = ['apiKey', 'api-key'] as const;
/** Headers in which they do. */
const HEADERS = ['X-API-Key', 'apikey', 'X-Auth-Token'] as const;
/** Cookies in which they do. */
const COOKIES = ['api_key', 'token', 'session'] as const;

/** The key in each usual place other than Authorization. */
export const elsewhere = [
  ...PARAMETERS.map(inQuery),
  ...HEADERS.map(inHeader),
  ...COOKIES.map((name) => inCookies([name])),
];

/** The same, and the key in other spellings of a parameter. */
export const elsewhereInAnySpelling = [...elsewhere, ...SPELLINGS.map(inQuery)];

const [FIRST, ...FURTHER] = [...PARAMETERS, ...SPELLINGS] as const;

/** The key in all these places in one request: a refusal of it shows that none of them is read. */
export const everywhereElse = invalid(
  `the key as ${[FIRST, ...FURTHER].map((name) => `?${name}=`).join(', ')}, in ${HEADERS.join(', ')} and in cookies`,
  [...HEADERS.map(inHeader), inCookies(COOKIES)].flatMap(({ headers }) => headers),
  [
    FIRST,
    (key) =>
      [key('percent-encoded'), ...FURTHER.map((name) => `${name}=${key('percent-encoded')}`)].join('&'),
  ],
);

/** Names an identity in probe names; empty for the run's key in the usual form. */
export function identityName({ credential, headers }: Identity): string {
  switch (credential.kind) {
    case 'none':
      return ' without a key';
    case 'invalid':
      return ` with ${credential.manner}`;
    case 'valid': {
      const scheme = headers[0]?.[1](() => '').trim();
      return scheme === 'Bearer' ? '' : ` with the scheme written ${scheme ?? ''}`;
    }
  }
}
