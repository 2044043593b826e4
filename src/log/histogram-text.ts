import { inflateSync } from 'node:zlib';

/** How HdrHistogram marks its encoding V2, packed and unpacked, in words of variable length. */
const PACKED = 0x1c849314;
const UNPACKED = 0x1c849313;
/** Cookie and length; and with them digits, range and ratio. */
const PACKED_HEAD = 8;
const HEAD = 40;
/** The range of the kit's histograms: 1 us to an hour, to three digits; so many counts at most come of it. */
const DIGITS = 3;
const LOWEST = 1n;
const HIGHEST = 3_600_000_000n;
const MOST_COUNTS = 23_552;
/** Each count takes at most so many bytes of seven bits: a day at a million a second needs six. */
const MOST_WORD = 7;
const MOST_BYTES = HEAD + MOST_COUNTS * MOST_WORD;

/**
 * Whether a text is a histogram as the kit writes it. The library that decodes one believes its lengths and its range, so
 * that a forged one would take all memory, or for ever.
 */
export function isHistogram(text: string): boolean {
  try {
    const packed = Buffer.from(text, 'base64');
    if (packed.readInt32BE(0) !== PACKED || packed.readInt32BE(4) !== packed.length - PACKED_HEAD) return false;
    const bytes = inflateSync(packed.subarray(PACKED_HEAD), { maxOutputLength: MOST_BYTES });
    return (
      bytes.readInt32BE(0) === UNPACKED &&
      bytes.readInt32BE(4) === bytes.length - HEAD &&
      bytes.readInt32BE(12) === DIGITS &&
      bytes.readBigInt64BE(16) === LOWEST &&
      bytes.readBigInt64BE(24) === HIGHEST &&
      fits(bytes.subarray(HEAD))
    );
  } catch {
    return false;
  }
}

/** Whether counts, and runs of so many zeros where one is negative, end within the range (ZigZag, LEB128). */
function fits(words: Buffer): boolean {
  let at = 0;
  for (let index = 0; index < words.length;) {
    let word = 0;
    let length = 0;
    for (let more = true; more; length += 1) {
      const byte = words[index + length];
      if (byte === undefined || length === MOST_WORD) return false;
      word += (byte % 128) * 128 ** length;
      more = byte >= 128;
    }
    index += length;
    at += word % 2 === 1 ? (word + 1) / 2 : 1;
  }
  return at <= MOST_COUNTS;
}
