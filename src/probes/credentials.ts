import { plain, type KeyText } from '../exchange/key-forms.js';
import type { Credential } from '../exchange/types.js';
import type { KeyName } from '../contract/names.js';

/** Credential of a request: the claimed client, and its headers and query. */
export interface Identity {
  readonly credential: Credential;
  readonly headers: readonly (readonly [name: string, value: KeyText])[];
  /** A query parameter that holds the key, when it stands there. */
  readonly query?: readonly [name: string, value: KeyText];
}

/** Part 5: the key as `Authorization: Bearer`. */
export const bearer = (plan: KeyName, scheme = 'Bearer'): Identity => ({
  credential: { kind: 'valid', plan },
  headers: [['Authorization', (key) => `${scheme} ${key('whole')}`]],
});

/** No credential at all. */
export const nobody: Identity = { credential: { kind: 'none' }, headers: [] };

const authorization = (manner: string, value: KeyText): Identity => ({
  credential: { kind: 'invalid', manner },
  headers: [['Authorization', value]],
});

/**
 * A bearer token that no service has issued: one that looks like the key in every way, or, where such a one might have been
 * issued, one that names the run, which began just now.
 */
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
/** The key with a character more. */
export const lengthened: Identity = authorization(
  'the key with one more character',
  (key) => `Bearer ${key('lengthened')}`,
);
/** The key behind a character more: a server that compares ends takes it. */
export const prefixed: Identity = authorization(
  'the key behind one more character',
  (key) => `Bearer x${key('whole')}`,
);
/** The scheme, and no key behind it. */
export const emptyToken: Identity = authorization('an empty token', plain('Bearer '));
/** The key with its letters in the other case. */
export const otherCase: Identity = authorization(
  'the key in other letter case',
  (key) => `Bearer ${key('other-case')}`,
);
/** The key where a user's name stands under another scheme. */
export const basic: Identity = authorization('the key under Basic', (key) => `Basic ${key('base64')}`);
/** The key where a password stands under that scheme. */
export const basicPassword: Identity = authorization(
  'the key as a password under Basic',
  (key) => `Basic ${key('base64-password')}`,
);
/** A server that looks for the key behind a blank, whatever the word before it, takes this one. */
export const otherScheme: Identity = authorization('the key itself under Basic', (key) => `Basic ${key('whole')}`);
/** The key without a scheme. */
export const bare: Identity = authorization('the key without a scheme', (key) => key('whole'));

/** The key in a header of its own. */
export const inHeader = (name: string): Identity => ({
  credential: { kind: 'invalid', manner: `the key in ${name}` },
  headers: [[name, (key) => key('whole')]],
});

/** The key in the query. */
export const inQuery = (name: string): Identity => ({
  credential: { kind: 'invalid', manner: `the key as ?${name}=` },
  headers: [],
  query: [name, (key) => key('percent-encoded')],
});

/** Readable name of an identity, for probe names; empty for the run's own key as the interface wants it. */
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
