import type { EventEmitter } from 'node:events';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CLIENT_LEFT } from '../exchange/client-exchange.js';
import { now } from '../exchange/connection.js';
import { headerIn, pairsOf } from '../exchange/headers.js';
import { endsConnection, passedHeaders } from './hop-by-hop.js';
import { passInterim } from './interim.js';
import { bodyKeeper } from './kept-body.js';
import { badGateway, SWITCHED, upgradeRefused } from './own-answers.js';
import { REPEATABLE, type openUpstream } from './upstream.js';
import type { Intervene, OwnAnswer, Passed, PassedAnswer } from './passed.js';

export interface Way {
  readonly upstream: Pick<ReturnType<typeof openUpstream>, 'look' | 'start' | 'hasMoved'>;
  /** Address of the target, for the proxy's own Errors. */
  readonly baseUrl: string;
  /** Most bytes of each body to keep. */
  readonly mostKept: number;
  readonly intervene?: Intervene | undefined;
}

export type Outcome = Pick<Passed, 'body' | 'readAt' | 'writtenAt' | 'answer' | 'mayHaveLeft'>;

/** What becomes of an exchange, filled in as it goes. */
interface State {
  writtenAt: number | null;
  mayHaveLeft: boolean;
  /** null until there is a response; a client that leaves before keeps it so. */
  answer: (() => PassedAnswer) | null;
}

interface Pair {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly state: State;
}

/**
 * Passes one request on, and its response back, as they come: nothing is held back, and either side's abort
 * reaches the other. Resolves once both messages have ended or broken off. Never rejects.
 */
export async function passOn(message: IncomingMessage, response: ServerResponse, way: Way): Promise<Outcome> {
  const state: State = { writtenAt: null, mayHaveLeft: false, answer: null };
  const body = bodyKeeper(way.mostKept);
  let readAt: number | null = null;
  message.on('data', (chunk: Buffer) => body.add(chunk));
  message.once('end', () => {
    body.end();
    readAt = now();
  });
  // What breaks off also closes, and that is awaited.
  message.on('error', () => undefined);
  response.on('error', () => undefined);
  response.sendDate = false;
  const pair = { message, response, state };
  const isOver = Promise.all([untilRead(message), untilWritten(response, message.socket)]);
  const protocol = upgradeOf(message);
  if (protocol !== null) {
    const { why, ...given } = upgradeRefused(protocol);
    message.resume();
    answerOwn(pair, given, { kind: 'none', why });
  } else if (way.intervene) {
    message.pause();
    void answerOrForward(pair, way, way.intervene);
  } else await forward(pair, way);
  await isOver;
  const at = now();
  return {
    body: body.body(),
    readAt: readAt ?? at,
    writtenAt: state.writtenAt ?? at,
    mayHaveLeft: state.mayHaveLeft,
    answer: state.answer?.() ?? { kind: 'none', why: CLIENT_LEFT },
  };
}

/**
 * Returns the protocol that a request asks its connection to change to; null for none, and for HTTP/2:
 * libraries ask for it with every first request, and take a response without it (RFC 9110, 7.8).
 */
function upgradeOf({ rawHeaders }: IncomingMessage): string | null {
  const protocol = headerIn(rawHeaders, 'upgrade');
  const isAsked = /\bupgrade\b/i.test(headerIn(rawHeaders, 'connection') ?? '');
  return protocol === null || !isAsked || /^\s*h2c?\s*$/i.test(protocol) ? null : protocol;
}

const untilRead = (message: IncomingMessage): Promise<void> =>
  message.readableEnded
    ? Promise.resolve()
    : untilOne([message, 'end'], [message, 'close'], [message.socket, 'close']);

const untilWritten = (response: ServerResponse, socket: Socket): Promise<void> =>
  response.closed ? Promise.resolve() : untilOne([response, 'close'], [socket, 'close']);

/** Resolves with the first of these events. A connection outlives its requests, so no listener stays. */
const untilOne = (...events: readonly (readonly [EventEmitter, string])[]): Promise<void> =>
  new Promise((done) => {
    const finish = (): void => {
      for (const [emitter, name] of events) emitter.off(name, finish);
      done();
    };
    for (const [emitter, name] of events) emitter.once(name, finish);
  });

async function answerOrForward(pair: Pair, way: Way, intervene: Intervene): Promise<void> {
  const { message, response } = pair;
  const { method = 'GET', url: target = '/', rawHeaders: headers } = message;
  const given = await intervene({ method, target, headers });
  if (response.destroyed) return;
  if (given === null) return forward(pair, way);
  if (/100-continue/i.test(headerIn(headers, 'expect') ?? '')) response.writeContinue();
  message.resume();
  // The whole request is read first, as by a server that counts requests.
  await untilRead(message);
  answerOwn(pair, given, { kind: 'own', given });
}

function answerOwn(
  { message, response, state }: Pair,
  { status, headers, text }: OwnAnswer,
  recorded: PassedAnswer,
): void {
  if (response.destroyed) return;
  const payload = Buffer.from(text);
  state.answer = () => recorded;
  state.writtenAt = now();
  state.mayHaveLeft = message.socket.readableEnded;
  response.writeHead(status, [...headers, ['Content-Length', String(payload.length)]].flat());
  response.end(payload);
}

/** Starts a request once its connection is known to be open. */
async function forward(pair: Pair, way: Way): Promise<void> {
  const { message, response } = pair;
  const looked = way.upstream.look();
  if (looked) {
    message.pause();
    await looked;
    if (response.destroyed) return;
  }
  send(pair, way, { mayRepeat: true });
}

/**
 * Returns whether a request may be sent again where a connection at rest broke, and its body need not be kept
 * for that.
 */
const isRepeatable = ({ method = 'GET', rawHeaders }: IncomingMessage): boolean =>
  REPEATABLE.has(method) &&
  headerIn(rawHeaders, 'transfer-encoding') === null &&
  Number(headerIn(rawHeaders, 'content-length') ?? 0) === 0;

/**
 * Returns whether the target has sent nothing since a request began: what it sent was a response, if a broken
 * one.
 */
function watchSilence(upstream: ClientRequest): () => boolean {
  let before = 0;
  upstream.once('socket', (socket) => {
    before = socket.bytesRead;
  });
  return () => (upstream.socket?.bytesRead ?? before) === before;
}

function send(pair: Pair, way: Way, { mayRepeat }: { readonly mayRepeat: boolean }): void {
  const { message, response } = pair;
  const fail = (error: unknown): void => {
    const { why, ...given } = badGateway(error, way.baseUrl);
    message.resume();
    answerOwn(pair, given, { kind: 'none', why });
  };
  let upstream: ClientRequest;
  try {
    upstream = way.upstream.start(message);
  } catch (error) {
    fail(error);
    return;
  }
  const isSilent = watchSilence(upstream);
  const mayGoAgain = mayRepeat && isRepeatable(message);
  const goAgain = (): void => send(pair, way, { mayRepeat: false });
  const followOrFail = async (error: Error): Promise<void> => {
    const hasMoved = await way.upstream.hasMoved(error);
    if (hasMoved && mayGoAgain && !response.destroyed) goAgain();
    else fail(error);
  };
  upstream.on('error', (error: Error) => {
    if (response.headersSent || response.destroyed) return;
    // The target closed a connection at rest while the request was on its way (RFC 9112, 9.3.1).
    if (mayGoAgain && upstream.reusedSocket && isSilent()) goAgain();
    else void followOrFail(error);
  });
  upstream.once('upgrade', (_, socket) => {
    socket.destroy();
    fail(SWITCHED);
  });
  if (message.httpVersion !== '1.0') passInterim(upstream, response);
  upstream.once('response', (answer) => passBack(pair, answer, way.mostKept, fail));
  response.once('close', () => {
    if (!response.writableFinished) upstream.destroy();
  });
  // The target may end its response and its connection before the request has ended. The rest of the request goes nowhere.
  upstream.once('close', () => {
    message.unpipe(upstream);
    message.resume();
  });
  message.pipe(upstream, { end: false });
  const end = (): void => {
    if (upstream.destroyed) return;
    if (message.rawTrailers.length > 0)
      upstream.addTrailers(pairsOf(message.rawTrailers).map(([...pair]) => pair));
    upstream.end();
  };
  // Even a paused request ends if it has no body.
  if (message.readableEnded) end();
  else message.once('end', end);
}

function passBack(
  { message, response, state }: Pair,
  answer: IncomingMessage,
  mostKept: number,
  fail: (error: unknown) => void,
): void {
  const { statusCode: status = 0, rawHeaders } = answer;
  const headers = passedHeaders(rawHeaders, { noChunks: message.httpVersion === '1.0' });
  // The client should know that its connection ends: the target's does.
  if (endsConnection(rawHeaders, answer.httpVersion)) headers.push('Connection', 'close');
  const writtenAt = now();
  try {
    response.writeHead(status, answer.statusMessage, headers);
  } catch (error) {
    answer.destroy();
    fail(error);
    return;
  }
  const body = bodyKeeper(mostKept);
  state.writtenAt = writtenAt;
  state.mayHaveLeft = message.socket.readableEnded;
  state.answer = () =>
    response.writableFinished || isBroken
      ? { kind: 'response', status, headers: rawHeaders, body: body.body() }
      : { kind: 'none', why: CLIENT_LEFT };
  let isBroken = false;
  answer.on('data', (chunk: Buffer) => body.add(chunk));
  answer.on('error', () => undefined);
  answer.pipe(response, { end: false });
  answer.once('end', () => {
    body.end();
    if (answer.rawTrailers.length > 0)
      response.addTrailers(pairsOf(answer.rawTrailers).map(([...pair]) => pair));
    response.end();
  });
  answer.once('close', () => {
    if (answer.complete || response.destroyed) return;
    // A client that has closed its side may have left, and the target may have ended for that reason.
    isBroken = !message.socket.readableEnded;
    response.destroy();
  });
  // A body may come long after its head.
  setImmediate(() => {
    if (!response.writableEnded && !response.destroyed) response.flushHeaders();
  });
}
