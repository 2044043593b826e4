import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { count } from '../../base/kernel/format.js';
import type { Answer } from './types.js';

/** Content encodings that the sender accepts; a target may use any of these or none. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  // RFC 9110 section 8.4.1.2: deflate is the zlib format. The bare stream is common too, so both are read.
  [
    'deflate',
    (bytes, options) =>
      ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options),
  ],
  ['br', brotliDecompressSync],
]);

/**
 * Codings that this kit does not undo, so they hide the body (IANA's HTTP Content Coding Registry, and common
 * formats). Any other name in the header is no coding, such as a charset, `none`, `binary` or `*`, and hides
 * nothing.
 */
const HIDING: ReadonlySet<string> = new Set(
  'aes128gcm bzip2 compress dcb dcz exi lz4 lzma pack200-gzip snappy x-bzip2 x-compress xz zstd'.split(' '),
);

const codingsIn = (contentEncoding: string): readonly string[] =>
  contentEncoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');

/**
 * Returns whether a Content-Encoding names something that is no coding (RFC 9110, 8.4.1). Such a body is read
 * as it is.
 */
export const isMisnamed = (contentEncoding: string): boolean =>
  codingsIn(contentEncoding).some((coding) => !DECODERS.has(coding) && !HIDING.has(coding));

/** Returns whether a Content-Encoding names a coding that this kit does not undo, so the body may be in it. */
export const isHiding = (contentEncoding: string): boolean =>
  codingsIn(contentEncoding).some((coding) => HIDING.has(coding));

/**
 * Undoes content codings, last applied first (RFC 9110 section 8.4). Synchronous, because bodies are small
 * and the count of responses cannot wait.
 *
 * @param contentEncoding the header's value, null when absent
 * @param maxBytes limit of the decoded size: a small compressed body can be huge
 */
export function decode(body: Buffer, contentEncoding: string | null, maxBytes: number): Buffer | Unread {
  if (contentEncoding === null) return body;
  let bytes = body;
  for (const coding of codingsIn(contentEncoding).toReversed()) {
    const decoder = DECODERS.get(coding);
    if (!decoder && HIDING.has(coding))
      return unread('bad-encoding', `Content-Encoding ${coding} was not requested`);
    if (!decoder || bytes.length === 0) continue;
    try {
      bytes = decoder(bytes, { maxOutputLength: maxBytes });
    } catch (error) {
      const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      return tooLarge
        ? unread(
            'too-large',
            `the decoded body is larger than the ${count(maxBytes)} bytes that http.maxBodyBytes allows`,
          )
        : unread('bad-encoding', `the body is not valid ${coding}`);
    }
  }
  return bytes;
}

type Unread = Extract<Answer, { readonly kind: 'none' }>;

const unread = (code: 'too-large' | 'bad-encoding', message: string): Unread => ({
  kind: 'none',
  code,
  message,
});

/** Has no state between texts. */
const UTF8 = new TextDecoder();

/** A byte order mark in UTF-8. */
const MARK = [0xef, 0xbb, 0xbf] as const;

/** Drops a byte order mark and reports it: parsers may ignore it (RFC 8259 section 8.1). */
export const textOf = (bytes: Uint8Array): BodyText => ({
  text: UTF8.decode(bytes),
  ...(!isUtf8(bytes) && { notUtf8: true }),
  ...(MARK.every((byte, at) => bytes[at] === byte) && { marked: true }),
});

type BodyText = Pick<Extract<Answer, { readonly kind: 'response' }>, 'text' | 'notUtf8' | 'marked'>;
