import { plain, type KeyText } from '../exchange/key-forms.js';
import type { Credential } from '../exchange/types.js';
import type { KeyName } from '../contract/names.js';

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

const authorization = (manner: string, value: KeyText): Identity => ({
  credential: { kind: 'invalid', manner },
  headers: [['Authorization', value]],
});

/** Returns a token that was never issued: like the key, or with the run's id if a look-alike might have been issued. */
export const neverIssued = (run: string, hasLookAlike: boolean): Identity =>
  authorization(
    'a key that was never issued',
    hasLookAlike ? (key) => `Bearer ${key('look-alike')}` : plain(`Bearer never-issued-${run}`),
  );
/** The key without its last character. */
export const cutShort: Identity = authorization(
  'the key cut short by its last character',
  (key) => `Bearer ${key('cut')}`,
);
/** The key with one more character. */
export const lengthened: Identity = authorization(
  'the key with one more character',
  (key) => `Bearer ${key('lengthened')}`,
);
/** The key after one more character, to find a server that compares only the end. */
export const prefixed: Identity = authorization('the key after one more character', (key) => `Bearer x${key('whole')}`);
/** The scheme without a key. */
export const emptyToken: Identity = authorization('an empty token', plain('Bearer '));
/** The key in the other letter case. */
export const otherCase: Identity = authorization(
  'the key in other letter case',
  (key) => `Bearer ${key('other-case')}`,
);
/** The key as user name under Basic. */
export const basic: Identity = authorization('the key under Basic', (key) => `Basic ${key('base64')}`);
/** The key as password under Basic. */
export const basicPassword: Identity = authorization(
  'the key as a password under Basic',
  (key) => `Basic ${key('base64-password')}`,
);
/** The key under another scheme, to find a server that ignores the scheme. */
export const otherScheme: Identity = authorization('the key itself under Basic', (key) => `Basic ${key('whole')}`);
/** The key without a scheme. */
export const bare: Identity = authorization('the key without a scheme', (key) => key('whole'));

/** Returns the key in another header. */
export const inHeader = (name: string): Identity => ({
  credential: { kind: 'invalid', manner: `the key in ${name}` },
  headers: [[name, (key) => key('whole')]],
});

/** Returns the key in the query. */
export const inQuery = (name: string): Identity => ({
  credential: { kind: 'invalid', manner: `the key as ?${name}=` },
  headers: [],
  query: [name, (key) => key('percent-encoded')],
});

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
