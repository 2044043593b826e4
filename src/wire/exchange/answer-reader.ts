import { bodyOf, endOfHead, fieldsOf, MAX_HEAD_BYTES, malformed, notHttp, tooLarge } from './answer-head.js';
import type { Fault } from './transport-error.js';
import { size } from '../../base/kernel/format.js';

interface AnswerSink {
  /** Head of a final response; its fields are names and values alternately. */
  readonly head: (raw: Buffer, statusCode: number, fields: readonly string[]) => void;
  readonly body: (piece: Buffer) => void;
  /** Sizes of chunks, their line ends, and the trailer. */
  readonly between?: (raw: Buffer) => void;
  readonly end?: () => void;
}

export const SURPLUS = malformed('bytes after the end of the response');

/** Most digits of a chunk's size: enough for 4 GB, above every limit. */
const MAX_SIZE_DIGITS = 8;

const CR = 0x0d;
const LF = 0x0a;

type State =
  | { readonly in: 'head' }
  | { readonly in: 'body'; readonly left: number }
  | { readonly in: 'chunk-size' }
  | { readonly in: 'chunk'; readonly left: number }
  | { readonly in: 'chunk-end' }
  | { readonly in: 'trailer' }
  | { readonly in: 'until-close' };

const HEAD: State = { in: 'head' };

class AnswerReader {
  private readonly holding: ReturnType<typeof heldBody>;
  private state: State = HEAD;
  /** Bytes of a part that is not complete. */
  private held: Buffer | null = null;
  /** Bytes of interim heads since the last final one. */
  private interim = 0;
  private body = 0;
  /** Bytes of chunk extensions and the trailer. */
  private extras = 0;

  constructor(
    private readonly maxBodyBytes: number,
    connection: Closing,
    private readonly sink: AnswerSink,
  ) {
    this.holding = heldBody(connection, maxBodyBytes);
  }

  read(chunk: Buffer): Fault | null {
    let left = this.held === null ? chunk : Buffer.concat([this.held, chunk]);
    this.held = null;
    while (left.length > 0) {
      const was = this.state;
      const done = this.step(left);
      if (typeof done !== 'number') return done;
      if (done === 0) {
        this.held = left;
        return null;
      }
      left = left.subarray(done);
      // An interim head leaves the state unchanged too. A final head without a body resets the count of interim bytes.
      if (this.state !== HEAD || (was === HEAD && this.interim > 0)) continue;
      this.holding.end();
      this.sink.end?.();
      if (left.length > 0) return SURPLUS;
    }
    return null;
  }

  /** Processes one part; returns its bytes, 0 if it needs more, or a fault. */
  private step(bytes: Buffer): number | Fault {
    switch (this.state.in) {
      case 'head':
        return this.head(bytes);
      case 'until-close':
        return this.piece(bytes);
      case 'body':
      case 'chunk': {
        const isWhole = this.state.left <= bytes.length;
        const { left, in: place } = this.state;
        if (isWhole) this.state = place === 'body' ? HEAD : { in: 'chunk-end' };
        else this.state = { in: place, left: left - bytes.length };
        return this.piece(isWhole ? bytes.subarray(0, left) : bytes);
      }
      case 'chunk-size':
        return this.chunkSize(bytes);
      case 'chunk-end':
        return this.chunkEnd(bytes);
      case 'trailer':
        return this.trailer(bytes);
    }
  }

  private piece(bytes: Buffer): number | Fault {
    this.body += bytes.length;
    const tooMuch =
      this.body > this.maxBodyBytes ? tooLarge(this.maxBodyBytes) : this.holding.add(bytes.length);
    if (tooMuch) return tooMuch;
    this.sink.body(bytes);
    return bytes.length;
  }

  private between(bytes: Buffer, done: number): number {
    this.sink.between?.(bytes.subarray(0, done));
    return done;
  }

  private head(bytes: Buffer): number | Fault {
    const text = bytes.toString('latin1', 0, MAX_HEAD_BYTES);
    const done = endOfHead(text);
    const firstEnd = text.indexOf('\n');
    const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |\r?$)/.exec(text.slice(0, firstEnd))?.[1] ?? 0);
    // Another protocol's greeting is one line and has no end of a head.
    if (firstEnd >= 0 && status < 100) return malformed(notHttp(text.slice(0, firstEnd)));
    if (done === 0)
      return bytes.length < MAX_HEAD_BYTES ? 0 : malformed(`the head is larger than ${size(MAX_HEAD_BYTES)}`);
    if (status === 101) return malformed('it switches protocols without a request for it');
    if (status < 200) {
      this.interim += done;
      return this.interim > MAX_HEAD_BYTES ? malformed('endless interim responses') : done;
    }
    const fields = fieldsOf(text, firstEnd + 1, done);
    if (typeof fields === 'string') return malformed(fields);
    const framing = bodyOf(status, fields);
    if ('code' in framing) return framing;
    if (framing.kind === 'length' && framing.length > this.maxBodyBytes)
      return tooLarge(this.maxBodyBytes, framing.length);
    this.interim = this.body = this.extras = 0;
    if (framing.kind === 'chunked') this.state = { in: 'chunk-size' };
    else if (framing.kind === 'until-close') this.state = { in: 'until-close' };
    else if (framing.length > 0) this.state = { in: 'body', left: framing.length };
    this.sink.head(bytes.subarray(0, done), status, fields);
    return done;
  }

  private chunkSize(bytes: Buffer): number | Fault {
    const end = bytes.indexOf(LF);
    if (end > MAX_HEAD_BYTES || (end < 0 && bytes.length >= MAX_HEAD_BYTES)) {
      return malformed('the size of a chunk is too long');
    }
    if (end < 0) return 0;
    const content = bytes.toString('latin1', 0, end).trimEnd();
    const digits = /^([\da-f]+)[ \t]*(?:;|$)/i.exec(content)?.[1];
    if (digits === undefined || digits.length > MAX_SIZE_DIGITS)
      return malformed('the size of a chunk is not valid');
    this.extras += content.length - digits.length;
    if (this.extras > MAX_HEAD_BYTES) return malformed('the chunk extensions are too long');
    const left = Number.parseInt(digits, 16);
    this.state = left === 0 ? { in: 'trailer' } : { in: 'chunk', left };
    return this.between(bytes, end + 1);
  }

  private chunkEnd(bytes: Buffer): number | Fault {
    const end = bytes[0] === CR ? 1 : 0;
    if (bytes[end] === undefined) return 0;
    if (bytes[end] !== LF) return malformed('a chunk is longer than its size');
    this.state = { in: 'chunk-size' };
    return this.between(bytes, end + 1);
  }

  private trailer(bytes: Buffer): number | Fault {
    const end = bytes.indexOf(LF);
    this.extras += end + 1;
    if (this.extras > MAX_HEAD_BYTES || (end < 0 && bytes.length >= MAX_HEAD_BYTES)) {
      return malformed('the trailer is too long');
    }
    if (end < 0) return 0;
    if (end === 0 || (end === 1 && bytes[0] === CR)) this.state = HEAD;
    return this.between(bytes, end + 1);
  }
}

/**
 * Follows the responses on one connection before any parser; the result reads further bytes and returns a
 * fault in them. It skips interim responses (1xx, RFC 9110, 15.2), expected or not. Faults are invalid
 * lengths, endless heads and trailers, too large bodies, and bytes after a response. A connection carries one
 * request at a time.
 *
 * @param maxBodyBytes limit of one body, before decoding
 * @param connection source of the bytes
 */
export function answerReader(
  maxBodyBytes: number,
  connection: Closing,
  sink: AnswerSink,
): (chunk: Buffer) => Fault | null {
  const reader = new AnswerReader(maxBodyBytes, connection, sink);
  return (chunk) => reader.read(chunk);
}

/**
 * Filters a connection's bytes to those of final responses. The result returns them, the error in the bytes
 * that follow them, and whether a response ended in them.
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

export interface Closing {
  once(event: 'close', listener: () => void): unknown;
}

/** Most bytes of incomplete bodies on all connections; the rest of a run needs about 150 MB. */
const MOST_HELD = 128 * 2 ** 20;

let all = 0;

/**
 * Counts a connection's incomplete body with all others, until it ends or the connection closes. Otherwise
 * hundreds of endless bodies would fill the memory, although none is too large.
 *
 * @param maxBodyBytes limit of one body, for which there is always room
 */
function heldBody(connection: Closing, maxBodyBytes: number) {
  const most = Math.max(MOST_HELD, 2 * maxBodyBytes);
  let own = 0;
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
        : {
            code: 'too-large',
            message: `the unfinished bodies of all connections are larger than ${size(most)}`,
          };
    },
  };
}
