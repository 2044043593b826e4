import { createCipheriv, createDecipheriv, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** The variable that holds what coordinator and agents share, if they do. */
export const SECRET_VARIABLE = 'PETSTORE_AGENT_SECRET';

/** A shorter secret can be guessed by whoever may read Redis. */
export const LEAST_SECRET = 16;

const ALGORITHM = 'aes-256-gcm';
/** As GCM takes them (NIST SP 800-38D): 256 bits of key, 96 of nonce, 128 of tag. */
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const DIGEST_BYTES = 32;

const keys = new Map<string, Buffer>();

/** Makes a key of AES from a secret; slow, so that guessing is, and so done once. */
function keyFrom(secret: string): Buffer {
  const key = keys.get(secret) ?? scryptSync(secret, 'petstore-conformance agents', KEY_BYTES);
  keys.set(secret, key);
  return key;
}

/**
 * Encrypts a text so that only who has the secret can read or change it.
 * @param place what it belongs to: sealed for one place, it opens at no other
 */
export function seal(text: string, secret: string, place: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyFrom(secret), nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** The inverse of `seal`; null where secret, text or place are not the same. */
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

/** What tells that somebody else has the same key, and does not tell the key; different in every run. */
export const digestOf = (key: string, place: string): string =>
  scryptSync(key, `petstore-conformance ${place}`, DIGEST_BYTES).toString('hex');

/** Whether a key is the one that a digest was made of. */
export function isOf(digest: string, key: string, place: string): boolean {
  const [one, other] = [Buffer.from(digest, 'hex'), Buffer.from(digestOf(key, place), 'hex')];
  return one.length === other.length && timingSafeEqual(one, other);
}
