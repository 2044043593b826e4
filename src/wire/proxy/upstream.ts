import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { headerIn, pairsOf } from '../exchange/headers.js';
import { lookupOf } from '../exchange/resolve.js';
import { endpointOf } from '../targets/base-url.js';
import type { Target } from '../targets/target.js';
import { endsConnection, passedHeaders } from './hop-by-hop.js';

/** Largest head of a message, bytes: servers and clients allow 8 to 64 KiB. */
export const MOST_HEAD_BYTES = 262_144;

/** The target, as its connections need it. */
export type Upstream = Pick<Target, 'baseUrl' | 'http'>;

/**
 * Opens the way of one client connection to the target: one connection, opened with the first request. So the
 * target sees as many connections as without the proxy. The certificate is always verified.
 */
export function openUpstream({ baseUrl, http: { ca, address, timeoutMs } }: Upstream, keepHost: boolean) {
  const url = new URL(baseUrl);
  const isTls = url.protocol === 'https:';
  const usual = { keepAlive: true, maxSockets: 1, noDelay: true };
  const agent = isTls
    ? // Explicit, because the environment can turn it off in Node: the key must not reach an unknown server.
      new HttpsAgent({ ...usual, rejectUnauthorized: true, ...(ca !== undefined && { ca }) })
    : new HttpAgent(usual);
  const to = {
    agent,
    ...endpointOf(url),
    maxHeaderSize: MOST_HEAD_BYTES,
    ...(address !== undefined && { lookup: lookupOf(() => address) }),
  };
  let latest: ClientRequest | undefined;
  const watched = new WeakSet<Socket>();
  const open = isTls ? httpsRequest : httpRequest;
  return {
    /**
     * Starts a request with the head of the client's. Its body follows.
     *
     * @param onClosed called when the target closes the connection
     */
    start(message: IncomingMessage, onClosed: () => void): ClientRequest {
      const headers = passedHeaders(message.rawHeaders, { host: keepHost ? null : url.host });
      if (headerIn(headers, 'host') === null && !keepHost) headers.unshift('Host', url.host);
      if (endsConnection(message.rawHeaders, message.httpVersion)) headers.push('Connection', 'close');
      const head = { ...to, method: message.method ?? 'GET', path: originForm(message, url) };
      const upstream =
        NEVER_CHUNKED.has(head.method) || isFramed(headers)
          ? open({ ...head, headers })
          : withoutBody(open, head, headers);
      latest = upstream;
      limitConnect(upstream, timeoutMs);
      upstream.once('socket', (socket) => {
        if (watched.has(socket)) return;
        watched.add(socket);
        socket.once('close', onClosed);
      });
      return upstream;
    },
    /**
     * Passes on that the client has closed its side, once its last request is sent. The target decides what
     * that means.
     */
    endSide(): void {
      const upstream = latest;
      if (!upstream || upstream.destroyed) return;
      const end = (): void => void upstream.socket?.end();
      if (upstream.writableFinished) end();
      else upstream.once('finish', end);
    },
    close: (): void => agent.destroy(),
  };
}

/**
 * Returns the target of a request as an origin server gets it (RFC 9112, 3.2.1). A client that takes this for
 * a forward proxy writes the whole address, of the target or of the proxy itself; any other address goes on
 * as it is.
 */
function originForm({ url: target = '/', socket }: IncomingMessage, { host }: URL): string {
  const [whole, authority = ''] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [''];
  const isOwn = authority.toLowerCase() === host || authority.endsWith(`:${socket.localPort}`);
  if (!isOwn) return target;
  const path = target.slice(whole.length);
  return path.startsWith('/') ? path : `/${path}`;
}

/** Methods whose requests Node writes without chunks, unless a header asks for them. */
const NEVER_CHUNKED: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** Returns whether headers say where the body ends (RFC 9112, 6.3). */
const isFramed = (headers: readonly string[]): boolean =>
  headerIn(headers, 'content-length') !== null || headerIn(headers, 'transfer-encoding') !== null;

/**
 * Starts a request without a body, and without a header about one. Node would add Transfer-Encoding to a POST
 * with a list of headers, so they are set one by one; values of one name then stand together.
 */
function withoutBody(
  open: typeof httpRequest,
  head: RequestOptions,
  headers: readonly string[],
): ClientRequest {
  const upstream = open({ ...head, setHost: false });
  upstream.useChunkedEncodingByDefault = false;
  for (const [name, value] of pairsOf(headers)) {
    const before = upstream.getHeader(name);
    upstream.setHeader(name, before === undefined ? value : [before, value].flat().map(String));
  }
  return upstream;
}

/** Ends a request whose connection takes longer than the target's time limit, ms. */
function limitConnect(upstream: ClientRequest, timeoutMs: number): void {
  upstream.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => {
      upstream.destroy(Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' }));
    }, timeoutMs);
    const stop = (): void => clearTimeout(timer);
    socket.once('secureConnect', stop).once('close', stop);
    if (!('encrypted' in socket)) socket.once('connect', stop);
  });
}
