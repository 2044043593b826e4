import { createCipheriv, createDecipheriv, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** Variable with the secret that coordinator and agents share, if any. */
export const SECRET_VARIABLE = 'PETSTORE_AGENT_SECRET';
/** Least length: anyone who reads Redis can guess a shorter secret. */
export const LEAST_SECRET = 16;
const ALGORITHM = 'aes-256-gcm';
/** Sizes for GCM (NIST SP 800-38D): 256 bits of key, 96 of nonce, 128 of tag. */
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const DIGEST_BYTES = 32;

const keys = new Map<string, Buffer>();

/** Derives an AES key from a secret. It is slow, to make guessing slow, and so cached. */
function keyFrom(secret: string): Buffer {
  const key = keys.get(secret) ?? scryptSync(secret, 'petstore-conformance agents', KEY_BYTES);
  keys.set(secret, key);
  return key;
}

/**
 * Encrypts a text so that only holders of the secret can read or change it.
 * @param place owner of the text: a text sealed for one place opens at no other
 */
export function seal(text: string, secret: string, place: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyFrom(secret), nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Reverses `seal`; null if secret, text or place differ. */
export function unseal(sealed: string, secret: string, place: string): string | null {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(ALGORITHM, keyFrom(secret), bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** Returns a digest that identifies a key without revealing it; different in every run. */
export const digestOf = (key: string, place: string): string =>
  scryptSync(key, `petstore-conformance ${place}`, DIGEST_BYTES).toString('hex');

/** Is true if a digest was made from this key. */
export function isOf(digest: string, key: string, place: string): boolean {
  const [one, other] = [Buffer.from(digest, 'hex'), Buffer.from(digestOf(key, place), 'hex')];
  return one.length === other.length && timingSafeEqual(one, other);
}
