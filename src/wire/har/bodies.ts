import type { RecordedBody } from '../exchange/client-exchange.js';
import { header } from '../exchange/headers.js';
import type { Header } from '../exchange/types.js';
import { at, numberAt, textAt, type Loose } from './loose.js';
import { CUT } from './scan-entries.js';

const EMPTY: RecordedBody = { kind: 'empty' };
const missing = (why: string): RecordedBody => ({ kind: 'missing', why });

/** Methods whose requests have no body unless their headers announce one (RFC 9110, 9.3). */
const WITHOUT_BODY = /^(GET|HEAD|DELETE|OPTIONS|TRACE)$/;

/** Returns the body of a request. No text is certainly none only where the headers say so, or for a method that has none. */
export function requestBody(method: string, postData: Loose, headers: readonly Header[]): RecordedBody {
  const length = lengthIn(headers);
  const text = textOf(postData);
  if (text !== null && text !== '') return recorded(text, length, null);
  if (at(postData, '_file') !== undefined) return missing('it is in another file');
  const params = at(postData, 'params');
  if (Array.isArray(params) && params.length > 0) return missing('only its parameters were recorded');
  if (length === 0 || (WITHOUT_BODY.test(method) && !length && header(headers, 'transfer-encoding') === null))
    return EMPTY;
  return missing('it was not recorded');
}

/** Status codes without a body (RFC 9110, 6.4.1). */
const BODILESS: readonly number[] = [204, 205, 304];

/** Returns the body of a response. `""` is certainly none only where headers or status say so. */
export function responseBody(method: string, status: number, content: Loose, headers: readonly Header[]): RecordedBody {
  const isEncoded = /\S/.test(header(headers, 'content-encoding') ?? '');
  const length = lengthIn(headers);
  const text = textOf(content);
  const size = numberAt(content, 'size');
  if (text !== null && text !== '') return recorded(text, isEncoded ? null : length, size);
  if (at(content, '_file') !== undefined) return missing('it is in another file');
  if (method === 'HEAD' || BODILESS.includes(status) || length === 0) return EMPTY;
  return missing('it was not recorded');
}

/** Returns the text of a recorded body, decoded; null without one. */
function textOf(content: Loose): string | null {
  const text = textAt(content, 'text');
  const isBase64 = [at(content, 'encoding'), at(content, '_encoding')].some((name) => /^base64$/i.test(String(name)));
  if (text === null || !isBase64) return text;
  const isCut = text.endsWith(CUT);
  const clear = Buffer.from(isCut ? text.slice(0, -CUT.length) : text, 'base64').toString('utf8');
  return isCut ? `${clear}${CUT}` : clear;
}

/**
 * Returns a recorded text as a body. Text that parses is whole, whatever its size is said to be. Other text is cut if it is
 * shorter than announced.
 * @param length Content-Length of a body without coding, bytes
 * @param size size that the recorder noted, bytes
 */
function recorded(text: string, length: number | null, size: number | null): RecordedBody {
  if (text.endsWith(CUT)) return { kind: 'cut', text: text.slice(0, -CUT.length), why: 'it is too long to keep' };
  const announced = length ?? (size !== null && size > 0 ? size : null);
  return announced !== null && Buffer.byteLength(text) < announced && !isJson(text)
    ? { kind: 'cut', text, why: 'the recorder cut it' }
    : { kind: 'whole', text };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function lengthIn(headers: readonly Header[]): number | null {
  const text = header(headers, 'content-length');
  return text !== null && /^\d+$/.test(text.trim()) ? Number(text) : null;
}
