import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** AES-GCM also detects a cut or changed text. Sizes of nonce and tag: NIST SP 800-38D. */
const CIPHER = 'aes-256-gcm';
export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const TAGGED = { authTagLength: TAG_BYTES };

/**
 * Encrypts a text, as Base64, so that only holders of the key can read or change it.
 *
 * @param key of `KEY_BYTES`
 * @param place owner of the text: a text sealed for one place opens at no other
 */
export function sealed(text: string, key: Buffer, place: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, TAGGED).setAAD(Buffer.from(place));
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64');
}

/** Reverses `sealed`; null if key, text or place differ. */
export function unsealed(text: string, key: Buffer, place: string): string | null {
  const bytes = Buffer.from(text, 'base64');
  const begin = NONCE_BYTES + TAG_BYTES;
  if (bytes.length < begin) return null;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), TAGGED)
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(NONCE_BYTES, begin));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(begin)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
