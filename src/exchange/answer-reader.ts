import { bodyOf, endOfHead, fieldsOf, MAX_HEAD_BYTES, malformed, tooLarge, type Body } from './answer-head.js';
import type { Fault } from './transport-error.js';
import { size as sizeText } from '../format/format.js';

/** Receives the parsed parts of a connection's bytes. */
export interface AnswerSink {
  /** Head of a final response; its fields are names and values alternately. */
  readonly head: (raw: Buffer, statusCode: number, fields: readonly string[]) => void;
  readonly body: (piece: Buffer) => void;
  /** Sizes of chunks, their line ends, and the trailer. */
  readonly between?: (raw: Buffer) => void;
  /** Called at the end of a response. */
  readonly end?: () => void;
}

/** Bytes on a connection after a response that belong to no response. */
export const SURPLUS = malformed('bytes after the end of the response');

/** Most digits of a chunk's size: enough for 4 GB, above every limit. */
const MAX_SIZE_DIGITS = 8;

const LF = 0x0a;

/** Waits for bytes, and returns the next part or a fault. */
type Reading<Part> = Generator<void, Part | Fault, void>;

/**
 * Follows the responses on one connection before any parser; the result reads further bytes and returns a fault in them. It
 * skips interim responses (1xx, RFC 9110, 15.2), expected or not. Faults are invalid lengths, endless heads and trailers, too
 * large bodies, and bytes after a response. A connection carries one request at a time.
 * @param maxBodyBytes limit of one body, before decoding
 * @param connection source of the bytes
 */
export function answerReader(
  maxBodyBytes: number,
  connection: Closing,
  sink: AnswerSink,
): (chunk: Buffer) => Fault | null {
  const holding = heldBody(connection, maxBodyBytes);
  /** Bytes that are not yet read. */
  let bytes: Buffer = Buffer.alloc(0);
  let size = 0;

  function taken(length: number): Buffer {
    const part = bytes.subarray(0, length);
    bytes = bytes.subarray(length);
    return part;
  }

  function* head(): Reading<Body> {
    for (let interim = 0; ;) {
      const text = bytes.toString('latin1', 0, MAX_HEAD_BYTES);
      const done = endOfHead(text);
      if (done === 0) {
        if (bytes.length >= MAX_HEAD_BYTES) return malformed(`the head is larger than ${sizeText(MAX_HEAD_BYTES)}`);
        yield;
        continue;
      }
      const raw = taken(done);
      const firstEnd = text.indexOf('\n');
      const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |\r?$)/.exec(text.slice(0, firstEnd))?.[1] ?? 0);
      if (status < 100) return malformed('no status line');
      if (status === 101) return malformed('it switches protocols without a request for it');
      if (status < 200) {
        interim += done;
        if (interim > MAX_HEAD_BYTES) return malformed('endless interim responses');
        continue;
      }
      const fields = fieldsOf(text, firstEnd + 1, done);
      if (fields === null) return malformed('a header is not valid, or spans several lines');
      const told = bodyOf(status, fields);
      if ('code' in told) return told;
      if (told.kind === 'length' && told.length > maxBodyBytes) return tooLarge(maxBodyBytes);
      size = 0;
      sink.head(raw, status, fields);
      return told;
    }
  }

  function* body(length: number): Reading<null> {
    for (let left = length; left > 0;) {
      if (bytes.length === 0) yield;
      const piece = taken(Math.min(left, bytes.length));
      left -= piece.length;
      size += piece.length;
      const tooMuch = size > maxBodyBytes ? tooLarge(maxBodyBytes) : holding.add(piece.length);
      if (tooMuch) return tooMuch;
      sink.body(piece);
    }
    return null;
  }

  /** Reads a line between the parts of a body. */
  function* line(tooLong: string, most = MAX_HEAD_BYTES): Reading<Buffer> {
    for (;;) {
      const end = bytes.indexOf(LF);
      if (end > most || (end < 0 && bytes.length >= most)) return malformed(tooLong);
      if (end >= 0) return taken(end + 1);
      yield;
    }
  }

  function* chunks(): Reading<null> {
    for (let extras = 0; ;) {
      const start = yield* line('the size of a chunk is too long');
      if ('code' in start) return start;
      const content = start.toString('latin1').trimEnd();
      const digits = /^([\da-f]+)[ \t]*(?:;|$)/i.exec(content)?.[1];
      if (digits === undefined || digits.length > MAX_SIZE_DIGITS) return malformed('the size of a chunk is not valid');
      extras += content.length - digits.length;
      if (extras > MAX_HEAD_BYTES) return malformed('the chunk extensions are too long');
      sink.between?.(start);
      const length = Number.parseInt(digits, 16);
      if (length === 0) return yield* trailer(extras);
      const fault = yield* body(length);
      if (fault) return fault;
      const end = yield* line(LONGER, 2);
      if ('code' in end) return end;
      if (!/^\r?\n$/.test(end.toString('latin1'))) return malformed(LONGER);
      sink.between?.(end);
    }
  }

  function* trailer(before: number): Reading<null> {
    for (let extras = before; ;) {
      const field = yield* line('the trailer is too long');
      if ('code' in field) return field;
      extras += field.length;
      if (extras > MAX_HEAD_BYTES) return malformed('the trailer is too long');
      sink.between?.(field);
      if (field.toString('latin1').trim() === '') return null;
    }
  }

  function* answers(): Generator<void, Fault, void> {
    for (;;) {
      const told = yield* head();
      if ('code' in told) return told;
      const whole = told.kind === 'length' ? told.length : Infinity;
      const fault = yield* told.kind === 'chunked' ? chunks() : body(whole);
      if (fault) return fault;
      holding.end();
      sink.end?.();
      if (bytes.length > 0) return SURPLUS;
    }
  }

  const reading = answers();
  reading.next();
  return (chunk) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    const { done, value } = reading.next();
    return done ? value : null;
  };
}

const LONGER = 'a chunk is longer than its size';

/**
 * Filters a connection's bytes to those of final responses. The result returns them, the error in the bytes that follow them,
 * and whether a response ended in them.
 */
export function onlyAnswers(maxBodyBytes: number, connection: Closing) {
  let passed: Buffer[] = [];
  let ended = false;
  const pass = (raw: Buffer): void => void passed.push(raw);
  const read = answerReader(maxBodyBytes, connection, {
    head: pass,
    body: pass,
    between: pass,
    end: () => (ended = true),
  });
  return (chunk: Buffer) => {
    ended = false;
    const broken = read(chunk);
    const [only, ...others] = passed;
    const bytes = only && others.length === 0 ? only : Buffer.concat(passed);
    passed = [];
    return { bytes, broken, ended };
  };
}

/** Source of the event that a connection has closed. */
export interface Closing {
  once(event: 'close', listener: () => void): unknown;
}

/** Most bytes of incomplete bodies on all connections; the rest of a run needs about 150 MB. */
const MOST_HELD = 128 * 2 ** 20;

let all = 0;

/**
 * Counts a connection's incomplete body with all others, until it ends or the connection closes. Otherwise hundreds of endless
 * bodies would fill the memory, although none is too large.
 * @param maxBodyBytes limit of one body, for which there is always room
 */
export function heldBody(connection: Closing, maxBodyBytes: number) {
  const most = Math.max(MOST_HELD, 2 * maxBodyBytes);
  let own = 0;
  /** Called when the body is complete. */
  const end = (): void => {
    all -= own;
    own = 0;
  };
  connection.once('close', end);
  return {
    end,
    /** Counts further bytes; returns a fault if all connections hold too many. */
    add: (bytes: number): Fault | null => {
      all += bytes;
      own += bytes;
      return all <= most
        ? null
        : { code: 'too-large', message: `the unfinished bodies of all connections are larger than ${sizeText(most)}` };
    },
  };
}
