import { isUtf8 } from 'node:buffer';
import { visible } from '../../base/kernel/visible.js';
import type { BodyFile } from './body-files.js';
import type { RecordedBody } from '../exchange/client-exchange.js';
import { decode } from '../exchange/decode.js';
import { header } from '../exchange/headers.js';
import { isRemoved } from '../exchange/mask.js';
import type { Header } from '../exchange/types.js';
import { at, numberAt, textAt, type Loose } from './loose.js';
import { CUT } from './scan-entries.js';
import { parsedJson } from '../../base/kernel/json.js';

const EMPTY: RecordedBody = { kind: 'empty' };
const missing = (why: string): RecordedBody => ({ kind: 'missing', why });

/** Reads a file next to the HAR file by its name. */
export type BodyFiles = (name: string) => BodyFile;

/** Longest name of a file in a report, in characters. */
const LONGEST_NAME = 100;

function bodyIn(name: string, announced: Announced, files: BodyFiles): RecordedBody {
  const found = files(name);
  const file = visible(name.slice(0, LONGEST_NAME));
  if (found.kind === 'unread') return { kind: 'missing', why: `${file} ${found.why}`, file };
  if (found.bytes.length === 0) return EMPTY;
  const body = recorded(found.bytes.toString('utf8'), announced);
  return body.kind === 'whole' && !isUtf8(found.bytes) ? { ...body, notUtf8: true } : body;
}

/** Methods whose requests have no body unless their headers announce one (RFC 9110, 9.3). */
const WITHOUT_BODY = /^(GET|HEAD|DELETE|OPTIONS|TRACE)$/;

/**
 * Returns the body of a request. No text is certainly none only where the headers say so, or for a method
 * that has none.
 */
export function requestBody(
  method: string,
  postData: Loose,
  headers: readonly Header[],
  files: BodyFiles,
): RecordedBody {
  const length = lengthIn(headers);
  const coding = header(headers, 'content-encoding');
  const text = textOf(postData, coding);
  if (text !== null && text !== '') {
    const body = recorded(text, { length, size: null, isCoded: coding !== null });
    return isPlaceholder(body, headers, length) ? missing('the recorder left it out') : body;
  }
  const file = textAt(postData, '_file');
  if (file !== null) return bodyIn(file, { length, size: null, isCoded: coding !== null }, files);
  const params = at(postData, 'params');
  if (Array.isArray(params) && params.length > 0) return missing('only its parameters were recorded');
  if (length === 0 || (WITHOUT_BODY.test(method) && !length && header(headers, 'transfer-encoding') === null))
    return EMPTY;
  return missing('it was not recorded');
}

/** What recorders write for a body that they do not keep, apart from words. */
const NOTHING = /^\s*(null|""|\{\s*\}|undefined)\s*$/;

/**
 * Returns whether a recorder wrote something in the place of a body: nothing at all where Content-Length
 * announces more, or what is no JSON where it kept no header either.
 */
const isPlaceholder = (body: RecordedBody, headers: readonly Header[], length: number | null): boolean =>
  body.kind === 'whole' &&
  ((NOTHING.test(body.text) && length !== null && Buffer.byteLength(body.text) < length) ||
    (headers.length === 0 && (NOTHING.test(body.text) || parsedJson(body.text) === undefined)));

/** Status codes without a body (RFC 9110, 6.4.1). */
const BODILESS: readonly number[] = [204, 205, 304];

/** Returns the body of a response. `""` is certainly none only where headers or status say so. */
export function responseBody(
  method: string,
  status: number,
  content: Loose,
  headers: readonly Header[],
  files: BodyFiles,
): RecordedBody {
  const coding = header(headers, 'content-encoding');
  const isCoded = /\S/.test(coding ?? '');
  const length = lengthIn(headers);
  const text = textOf(content, coding);
  const size = numberAt(content, 'size');
  if (text !== null && text !== '') return recorded(text, { length: isCoded ? null : length, size, isCoded });
  const file = textAt(content, '_file');
  if (file !== null) return bodyIn(file, { length: isCoded ? null : length, size, isCoded }, files);
  if (method === 'HEAD' || BODILESS.includes(status) || length === 0) return EMPTY;
  return missing('it was not recorded');
}

/** Largest body to decompress, bytes. */
const MOST_BYTES = 16 * 2 ** 20;

/**
 * Returns the text of a recorded body, decoded; null without one. Some recorders keep the bytes of the wire,
 * compressed.
 */
function textOf(content: Loose, coding: string | null): string | null {
  const text = textAt(content, 'text');
  if (text === null) return null;
  const isBase64 = [at(content, 'encoding'), at(content, '_encoding')].some((name) =>
    /^base64$/i.test(String(name)),
  );
  const chunks = coding === null ? null : chunksIn(text, isBase64 ? 'base64' : 'hex');
  if (chunks === null && !isBase64) return text;
  const isCut = text.endsWith(CUT);
  const bytes = chunks ?? Buffer.from(isCut ? text.slice(0, -CUT.length) : text, 'base64');
  const clear = isCut ? bytes : decode(bytes, coding, MOST_BYTES);
  return (Buffer.isBuffer(clear) ? clear : bytes).toString('utf8') + (isCut ? CUT : '');
}

/**
 * Returns the bytes of a compressed body that Polly.js wrote, as a JSON list of its pieces; null for any
 * other text.
 */
function chunksIn(text: string, encoding: 'base64' | 'hex'): Buffer | null {
  const written = parsedJson(text);
  const isOfPolly =
    Array.isArray(written) && written.length > 0 && written.every((each) => typeof each === 'string');
  return isOfPolly ? Buffer.concat(written.map((each) => Buffer.from(each, encoding))) : null;
}

/** What the file says of a body's length, bytes, and whether it was sent in a coding. */
interface Announced {
  /** Content-Length of a body without coding. */
  readonly length: number | null;
  readonly size: number | null;
  readonly isCoded: boolean;
}

/** What a recorder makes of compressed bytes that it reads as text: replacements, and control characters. */
const BINARY = /\uFFFD|(?!\s)\p{Cc}/u;

/**
 * Returns a recorded text as a body. Text that parses is whole, whatever its size is said to be. Other text
 * is cut if it is shorter than announced, or if it begins as JSON and nothing is announced.
 */
function recorded(text: string, { length, size, isCoded }: Announced): RecordedBody {
  if (text.endsWith(CUT))
    return { kind: 'cut', text: text.slice(0, -CUT.length), why: 'it is too long to keep' };
  const announced = length ?? (size !== null && size > 0 ? size : null);
  if (parsedJson(text) !== undefined) return { kind: 'whole', text };
  if (isRemoved(text)) return missing('the recorder removed it');
  if (isCoded && BINARY.test(text)) return missing('the recorder did not decompress it');
  const isCut = announced === null ? /^\s*[[{]/.test(text) : Buffer.byteLength(text) < announced;
  return isCut ? { kind: 'cut', text, why: 'the recorder cut it' } : { kind: 'whole', text };
}

function lengthIn(headers: readonly Header[]): number | null {
  const text = header(headers, 'content-length');
  return text !== null && /^\d+$/.test(text.trim()) ? Number(text) : null;
}
