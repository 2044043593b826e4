import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { hostname } from 'node:os';
import { readingOn } from '../exchange/broken-writes.js';
import { now } from '../exchange/connection.js';
import { headerIn, isFramed, pairsOf } from '../exchange/headers.js';
import { hostAddressOf } from '../exchange/host-address.js';
import { lookupOf } from '../exchange/resolve.js';
import { transportError } from '../exchange/transport-error.js';
import { endpointOf } from '../targets/base-url.js';
import type { Target } from '../targets/target.js';
import { endsConnection, passedHeaders } from './hop-by-hop.js';

/** Largest head of a message, bytes: servers and clients allow 8 to 64 KiB. */
export const MOST_HEAD_BYTES = 262_144;

/**
 * Time to end a response to a client that has closed its side, ms, before the target learns it. Before the
 * response begins, it has the time of any response: the proxy cannot know whether the client still reads, and
 * one that has left costs the target this time.
 */
const HALF_CLOSED_MS = 1000;

export type Upstream = Pick<Target, 'baseUrl' | 'http'>;

/**
 * Opens the way of one client connection to the target: one connection, opened with the first request. So the
 * target sees as many connections as without the proxy. The certificate is always verified.
 */
export function openUpstream({ baseUrl, http: { ca, address, timeoutMs } }: Upstream, keepHost: boolean) {
  const url = new URL(baseUrl);
  const isTls = url.protocol === 'https:';
  const host = address === undefined ? null : hostAddressOf(url, { address, timeoutMs });
  const usual = { keepAlive: true, maxSockets: 1, noDelay: true };
  const agent = isTls
    ? // Explicit, because the environment can turn it off in Node: the key must not reach an unknown server.
      new HttpsAgent({ ...usual, rejectUnauthorized: true, ...(ca !== undefined && { ca }) })
    : new HttpAgent(usual);
  const to = {
    agent,
    ...endpointOf(url),
    maxHeaderSize: MOST_HEAD_BYTES,
    ...(host && { lookup: lookupOf(host.current) }),
  };
  let latest: ClientRequest | undefined;
  /** The connection, and when its last response ended. */
  let kept: { readonly socket: Socket; restsSince: number | null } | undefined;
  /** Requests whose response has begun. */
  const responding = new WeakSet<ClientRequest>();
  const open = isTls ? httpsRequest : httpRequest;
  return {
    /**
     * Resolves once the end of a connection at rest has been read, if it has arrived: a request must not go
     * to a connection that the target has closed. Null if there is none at rest.
     */
    look(): Promise<void> | null {
      const isAtRest = kept !== undefined && kept.restsSince !== null;
      return isAtRest ? new Promise((done) => setImmediate(done)) : null;
    },
    /** Starts a request with the head of the client's. Its body follows. */
    start(message: IncomingMessage): ClientRequest {
      const headers = passedHeaders(message.rawHeaders, { host: keepHost ? null : url.host });
      if (headerIn(headers, 'host') === null && !keepHost) headers.unshift('Host', url.host);
      if (endsConnection(message.rawHeaders, message.httpVersion)) headers.push('Connection', 'close');
      const path = originForm(message, url) ?? message.url ?? '/';
      const head = { ...to, method: message.method ?? 'GET', path };
      if (kept && isSpent(kept, head.method)) kept.socket.destroy();
      const upstream =
        NEVER_CHUNKED.has(head.method) || isFramed(headers)
          ? open({ ...head, headers })
          : withoutBody(open, head, headers);
      latest = upstream;
      upstream.once('response', () => void responding.add(upstream));
      limitConnect(upstream, timeoutMs);
      upstream.once('socket', (socket) => {
        if (kept?.socket !== socket) kept = { socket: readingOn(socket), restsSince: null };
        kept.restsSince = null;
      });
      upstream.once('close', () => {
        if (kept && kept.socket === upstream.socket) kept.restsSince = now();
      });
      return upstream;
    },
    /** Asks for the host's address after a fault; resolves with true if connections now go to another one. */
    hasMoved: async (error: unknown): Promise<boolean> =>
      (await host?.hasMoved(transportError(error).code, host.current())) === true,
    /**
     * Passes on that the client has closed its side, once its last request is sent and the target had time to
     * respond: many servers take the end for an abort. The target decides what it means.
     */
    endSide(): void {
      const upstream = latest;
      if (!upstream || upstream.closed) return;
      const leftMs = responding.has(upstream) ? HALF_CLOSED_MS : timeoutMs;
      const timer = setTimeout(() => {
        const end = (): void => void upstream.socket?.end();
        if (upstream.writableFinished) end();
        else upstream.once('finish', end);
      }, leftMs);
      upstream.once('close', () => clearTimeout(timer));
    },
    close: (): void => agent.destroy(),
  };
}

/**
 * Rest of a connection, ms, after which a request that must not be sent twice gets a new one: servers close
 * connections at rest, and the end may be on its way. Seconds are usual for servers.
 */
const SHORT_REST_MS = 1000;

/** Methods of requests that may be sent again (RFC 9110, 9.2.2). */
export const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);

/**
 * Returns whether a connection at rest has ended, or may end before a request that must not be repeated gets
 * there.
 */
const isSpent = (
  { socket, restsSince }: { readonly socket: Socket; readonly restsSince: number | null },
  method: string,
): boolean =>
  restsSince !== null &&
  (socket.readableEnded || (!REPEATABLE.has(method) && now() - restsSince >= SHORT_REST_MS));

/**
 * Returns the target of a request as an origin server gets it (RFC 9112, 3.2.1); null for the address of
 * another host: the client takes this for a forward proxy. It may also write the whole address of the target,
 * or of the proxy itself.
 */
export function originForm({ url: target = '/', socket }: IncomingMessage, base: URL): string | null {
  const [whole, authority = ''] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(target) ?? [''];
  if (whole === '') return target;
  const to = URL.canParse(whole) ? new URL(whole) : null;
  const isProxy =
    to !== null && Number(to.port || 80) === socket.localPort && isThisMachine(to.hostname, socket);
  if (!isProxy && authority.toLowerCase() !== base.host) return null;
  const path = target.slice(whole.length);
  return path.startsWith('/') ? path : `/${path}`;
}

/** Returns whether a name is one of this machine, by which a client reached the proxy. */
const isThisMachine = (name: string, { localAddress = '' }: Socket): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(name) ||
  name === localAddress.replace('::ffff:', '') ||
  name === `[${localAddress}]` ||
  name === hostname().toLowerCase();

/** Methods whose requests Node writes without chunks, unless a header asks for them. */
const NEVER_CHUNKED: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

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
