import { plain, type KeyText } from '../../wire/exchange/key-forms.js';
import type { Credential } from '../../wire/exchange/types.js';
import type { KeyName } from '../../base/interface/names.js';

/** Credential of a request: the claimed client, and its headers and query. */
export interface Identity {
  readonly credential: Credential;
  readonly headers: readonly (readonly [name: string, value: KeyText])[];
  /** Query parameter with the key, if it has one. */
  readonly query?: readonly [name: string, value: KeyText];
}

/** Part 5: returns the key as `Authorization: Bearer`. */
export const bearer = (plan: KeyName, scheme = 'Bearer'): Identity => ({
  credential: { kind: 'valid', plan },
  headers: [['Authorization', (key) => `${scheme} ${key('whole')}`]],
});

export const nobody: Identity = { credential: { kind: 'none' }, headers: [] };

/** Returns an identity without a valid key. `manner`: its credential in words. */
export const invalid = (manner: string, headers: Identity['headers'], query?: Identity['query']) => ({
  credential: { kind: 'invalid' as const, manner },
  headers,
  ...(query && { query }),
});

/** Returns an identity without a valid key, by its header Authorization. */
export const authorization = (manner: string, value: KeyText) => invalid(manner, [['Authorization', value]]);

/** Returns a token that was never issued: like the key, or with the run's id if a look-alike might have been issued. */
export const neverIssued = (run: string, hasLookAlike: boolean): Identity =>
  authorization(
    'a key that was never issued',
    hasLookAlike ? (key) => `Bearer ${key('look-alike')}` : plain(`Bearer never-issued-${run}`),
  );
export const cutShort = authorization('the key cut short by its last character', (key) => `Bearer ${key('cut')}`);
export const lengthened = authorization('the key with one more character', (key) => `Bearer ${key('lengthened')}`);
/** To find a server that compares only the end. */
export const prefixed = authorization('the key after one more character', (key) => `Bearer x${key('whole')}`);
export const emptyToken = authorization('an empty token', plain('Bearer '));
export const otherCase = authorization('the key in other letter case', (key) => `Bearer ${key('other-case')}`);
export const basic = authorization('the key under Basic', (key) => `Basic ${key('base64')}`);
export const basicPassword = authorization(
  'the key as a password under Basic',
  (key) => `Basic ${key('base64-password')}`,
);
/** To find a server that ignores the scheme. */
export const otherScheme = authorization('the key itself under Basic', (key) => `Basic ${key('whole')}`);
export const bare = authorization('the key without a scheme', (key) => key('whole'));

/** Returns the key in another header. */
export const inHeader = (name: string) => invalid(`the key in ${name}`, [[name, (key) => key('whole')]]);

/** Returns the key in the query. */
export const inQuery = (name: string) => invalid(`the key as ?${name}=`, [], [name, (key) => key('percent-encoded')]);

/** Query parameters in which services take a key. */
const PARAMETERS = ['api_key', 'access_token', 'key', 'token'] as const;

/** The key in each place other than Authorization. */
export const elsewhere = [...PARAMETERS.map(inQuery), inHeader('X-API-Key')];

/** The key in all these places at once: a refusal of it shows that none of them is read. */
export const everywhereElse = invalid(
  `the key as ${PARAMETERS.map((name) => `?${name}=`).join(', ')} and in X-API-Key`,
  [['X-API-Key', (key) => key('whole')]],
  [
    PARAMETERS[0],
    (key) => PARAMETERS.map((name, at) => `${at === 0 ? '' : `${name}=`}${key('percent-encoded')}`).join('&'),
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
      return scheme === 'Bearer' ? '' : ` as ${scheme ?? ''}`;
    }
  }
}
