import type { EventEmitter } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { now } from './exchange/connection.js';
import { CLOSED, transportError, certificateFaultOf, type Fault } from './exchange/transport-error.js';
import { hostAddressOf } from './exchange/host-address.js';
import { OneConnection, type Traffic } from './one-connection.js';

/**
 * Client of autocannon 9.0.0, with members outside its typings and documentation. Only this file uses them.
 * `parallel.test.ts`, `autocannon-tls.alone.test.ts` and `engines.alone.proof.test.ts` count at the server
 * and fail if a member changes its meaning.
 */
interface Client extends EventEmitter {
  /** Number of requests after which a client ends. */
  responseMax: number;
  readonly conn: Socket;
  getRequestBuffer: () => Buffer;
  parser: { execute: (chunk: Buffer) => void };
  pipelinedRequests: { insertRequest: () => void; addByteCount: () => void; clear: () => void };
  requestIterator: { readonly currentRequest: null; readonly resetted: boolean; nextRequest: () => void };
  /** Its options; the host may be changed before `_connect`. */
  readonly opts: { hostname: string };
  /** The timer of the response; its method gets what is left of the timeout, ms. */
  readonly timeoutTicker: { _schedule: (ms: number) => void };
  /** Opens a connection, and requests a buffer before it is open. */
  _connect(): void;
  /** Writes the result of `getRequestBuffer` and restarts the timeout. */
  _doRequest(): void;
  destroy(): void;
}

/** Interval at which autocannon checks for its end, ms: with its default, the smallest run takes a second. */
const LOOK_MS = 10;
/** Shortest timeout that autocannon accepts. */
const LEAST_TIMEOUT_SECONDS = 1;
/**
 * Pause before a connection after one that failed to open, or closed before any byte of a response, ms: a
 * server that is gone, or allows no more connections, is not hammered.
 */
export const PAUSE_MS = 100;
const NOTHING: Buffer = Buffer.alloc(0);
const nothing = (): void => undefined;

/**
 * Loads autocannon, which takes a third of a second of a processor: only what sends with it does so, before
 * its time.
 */
export const loadAutocannon = async () => (await import('autocannon')).default;

/**
 * Sends with autocannon until `next` ends and every response is there. autocannon provides sockets, timeout
 * and end. By itself it repeats requests on reconnect, writes to closed connections, trusts every certificate
 * and exceeds any limit. Its parser loops forever on a negative length. So the states of each connection
 * decide what is written, when and where (`one-connection.ts`). Returns the connections, as they ended.
 */
export async function sendTraffic<Request, At>(
  traffic: Traffic<Request, At>,
): Promise<readonly Pick<OneConnection<Request, At>, 'firstLeftAt' | 'firstAnsweredAt'>[]> {
  const { origin, limits, connections, signal } = traffic;
  const autocannon = await loadAutocannon();
  if (signal.aborted) return [];
  const all: OneConnection<Request, At>[] = [];
  const abort = (): void => all.forEach((each) => each.abort());
  signal.addEventListener('abort', abort);
  try {
    await autocannon({
      ...endpoint(origin, limits.address),
      connections,
      // `next` keeps the number; this one only keeps autocannon from stopping by time.
      amount: connections,
      pipelining: 1,
      timeout: Math.max(LEAST_TIMEOUT_SECONDS, limits.timeoutMs / 1000),
      sampleInt: LOOK_MS,
      skipAggregateResult: true,
      setupClient: (client) => all.push(statesOf(client as unknown as Client, traffic)),
      ...(limits.ca !== undefined && { tlsOptions: { ca: limits.ca } }),
    });
  } finally {
    signal.removeEventListener('abort', abort);
  }
  return all;
}

/**
 * Returns the address to connect to, and the name that TLS verifies. Requests name the host in their own
 * bytes.
 */
function endpoint(
  origin: string,
  address: string | undefined,
): { readonly url: string; readonly servername?: string } {
  if (address === undefined) return { url: origin };
  const url = new URL(origin);
  const { hostname } = url;
  url.hostname = isIP(address) === 6 ? `[${address}]` : address;
  return { url: url.origin, servername: hostname };
}

/** Lets a connection's states decide in place of autocannon's client. */
function statesOf<Request, At>(client: Client, traffic: Traffic<Request, At>): OneConnection<Request, At> {
  let socket: Socket | null = null;
  let outgoing = NOTHING;
  let isEnded = false;
  /** Fault of the latest connection, if no byte came over it. */
  let unopened: Fault | null = null;
  const { address, timeoutMs } = traffic.limits;
  const host = address === undefined ? null : hostAddressOf(new URL(traffic.origin), { address, timeoutMs });
  const openAgain = async (): Promise<void> => {
    const fault = unopened;
    unopened = null;
    if (fault && !(await host?.hasMoved(fault.code, host.current()))) {
      const from = now();
      await sleep(PAUSE_MS);
      connection.paused(now() - from);
    }
    if (isEnded) return;
    if (host) client.opts.hostname = host.current();
    // oxlint-disable-next-line no-underscore-dangle -- autocannon calls it that
    client._connect();
  };
  const connection = new OneConnection(
    {
      write(bytes) {
        outgoing = bytes;
        // oxlint-disable-next-line no-underscore-dangle -- autocannon calls it that
        client._doRequest();
      },
      reopen() {
        socket?.destroy();
        void openAgain();
      },
      end() {
        isEnded = true;
        client.destroy();
      },
    },
    traffic,
  );
  const attach = (conn: Socket): void => {
    if (socket === null) neverNegative(client.timeoutTicker);
    socket = conn;
    connection.opens(conn);
    // autocannon's own listeners would open the next connection, twice after a reset, and send over it.
    for (const event of ['error', 'end'] as const) {
      const last = conn.listeners(event).at(-1) as (() => void) | undefined;
      if (last) conn.removeListener(event, last);
    }
    conn.on('error', (error: NodeJS.ErrnoException) => {
      if (conn === socket && conn.bytesRead === 0) unopened = transportError(error);
      // A write after the other side closed: Linux reports EPIPE.
      if (conn === socket) connection.lost(transportError(error), error.code === 'EPIPE');
    });
    conn.on('end', () => {
      if (conn === socket && conn.bytesRead === 0) unopened = CLOSED;
      if (conn === socket) connection.lost(CLOSED, true);
    });
    conn.once(conn instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
      if (conn === socket) connection.opened(distrustOf(conn));
    });
  };

  client.responseMax = Number.POSITIVE_INFINITY;
  client.pipelinedRequests = { insertRequest: nothing, addByteCount: nothing, clear: nothing };
  client.requestIterator = { currentRequest: null, resetted: false, nextRequest: nothing };
  client.parser = { execute: (chunk) => connection.received(chunk) };
  client.getRequestBuffer = () => {
    // autocannon requests a buffer as soon as it opens a connection, even after a timeout.
    if (client.conn !== socket) attach(client.conn);
    const bytes = outgoing;
    outgoing = NOTHING;
    return bytes;
  };
  client.on('timeout', () => {
    connection.timedOut();
    void host?.hasMoved('timeout', host.current()).then(() => (client.opts.hostname = host.current()));
  });
  return connection;
}

/**
 * After a halt longer than the timeout, autocannon sets a timer of less than nothing, of which Node 24 warns
 * on the screen.
 */
function neverNegative(ticker: Client['timeoutTicker']): void {
  /* oxlint-disable no-underscore-dangle -- autocannon's timer calls it that */
  const schedule = ticker._schedule.bind(ticker);
  ticker._schedule = (ms) => schedule(Math.max(0, ms));
  /* oxlint-enable no-underscore-dangle */
}

const distrustOf = (conn: Socket): Fault | null =>
  conn instanceof TLSSocket && !conn.authorized
    ? { code: 'tls', message: certificateFaultOf(conn.authorizationError) }
    : null;
