import { scryptSync, timingSafeEqual } from 'node:crypto';
import { KEY_BYTES, sealed, unsealed } from '../../base/kernel/sealed.js';

/** Variable with the secret that coordinator and agents share, if any. */
export const SECRET_VARIABLE = 'PETSTORE_AGENT_SECRET';
/** Least length: anyone who reads Redis can guess a shorter secret. */
export const LEAST_SECRET = 16;
const DIGEST_BYTES = 32;

const keys = new Map<string, Buffer>();

/** Derives an AES key from a secret. It is slow, to make guessing slow, and so cached. */
function keyFrom(secret: string): Buffer {
  const key = keys.get(secret) ?? scryptSync(secret, 'petstore-conformance agents', KEY_BYTES);
  keys.set(secret, key);
  return key;
}

/** Encrypts a text for the holders of a secret; see `sealed`. */
export const seal = (text: string, secret: string, place: string): string =>
  sealed(text, keyFrom(secret), place);

/** Reverses `seal`; null if secret, text or place differ. */
export const unseal = (text: string, secret: string, place: string): string | null =>
  unsealed(text, keyFrom(secret), place);

/** Returns a digest that identifies a key without revealing it; different in every run. */
export const digestOf = (key: string, place: string): string =>
  scryptSync(key, `petstore-conformance ${place}`, DIGEST_BYTES).toString('hex');

export function isOf(digest: string, key: string, place: string): boolean {
  const [one, other] = [Buffer.from(digest, 'hex'), Buffer.from(digestOf(key, place), 'hex')];
  return one.length === other.length && timingSafeEqual(one, other);
}
