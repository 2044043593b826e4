import { base64Forms, PIECE } from './key-traces.js';

/**
 * Returns the forms in which requests and programs write a key or another secret, the longest first: as it
 * is, escaped for an address or for JSON, in hexadecimal digits, and in Base64 (RFC 7617), as the user or the
 * password of any other.
 */
export function writtenForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const within = base64Forms(secret).filter(({ length }) => length >= PIECE);
  const whole = [`${secret}:`, `:${secret}`, secret].map(base64);
  const digits = [bytes.toString('hex'), bytes.toString('hex').toUpperCase()];
  const escaped = digits.flatMap((hex) => ['%', '\\u00'].map((mark) => hex.replaceAll(/../g, `${mark}$&`)));
  return [
    ...new Set([secret, encodeURIComponent(secret), ...digits, ...escaped, ...whole, ...within]),
  ].toSorted((one, other) => other.length - one.length);
}

const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');
