import { once, setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { KeyName } from '../contract/plan-names.js';
import type { Behaviour, Context } from './behaviour.js';
import { flaws } from './flaws/index.js';
import { rateLimiterOf } from './rate-limiter.js';
import { handle } from './handle.js';
import type { Incoming } from './messages.js';
import { rareFlaws } from './rare/index.js';
import { settle, type ReferenceOptions, type Settings } from './options.js';
import { named } from './registry.js';
import { sound } from './sound.js';
import { startingAnimals, storeOf } from './store.js';
import { variants } from './variants/index.js';
import { encode, send } from './wire.js';

/** A running reference server. */
export interface Reference {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  readonly keys: Readonly<Record<KeyName, string>>;
  /** How many requests it received in all. */
  readonly requests: () => number;
  /** The same by whose key they carried; `anonymous` are those without a valid one. */
  readonly requestsByKey: () => Readonly<Record<KeyName | 'anonymous', number>>;
  /** The same by method and path, e.g. `GET /v1/pets`. */
  readonly requestsByPath: () => Readonly<Record<string, number>>;
  /** Ends every connection and frees the port. */
  readonly close: () => Promise<void>;
}

/** A connection is kept open so long without a request; a proxy in front of a service often waits a minute. */
const KEPT_ALIVE_MS = 72_000;

/** Bodies beyond this many bytes are refused with 413. */
const MOST_BODY_BYTES = 1_048_576;

/**
 * Starts the reference server, with the flaws and variants that the options name. Throws `UnknownNameError` for a
 * name that does not exist, and the listen error of the port.
 */
export async function startReference(options: Partial<ReferenceOptions> = {}): Promise<Reference> {
  const changes = [
    ...named('variant', variants, options.variants ?? []),
    ...named('flaw', [...flaws, ...rareFlaws], options.flaws ?? []),
  ];
  const asked = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings = settle(Object.assign({}, ...changes.map((change) => change.options), asked));
  const behaviour = changes.reduce((changed, { change }) => change(changed), sound);
  const { serve, counts } = serviceOf(behaviour, settings);

  const closing = new AbortController();
  // Every answer that is held back listens for it.
  setMaxListeners(0, closing.signal);
  const take = (request: IncomingMessage, response: ServerResponse) => serve(request, response, closing.signal);
  const server = createServer((request, response) => {
    take(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  // Longer than any run lets a connection rest: one that is closed while a request is on its way is a test of its own.
  server.keepAliveTimeout = KEPT_ALIVE_MS;
  server.listen(settings.port, settings.host);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : settings.port;
  return {
    baseUrl: `http://${settings.host}:${port}${behaviour.basePath}`,
    keys: settings.keys,
    ...counts,
    close: async () => {
      if (!server.listening) return;
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function serviceOf(behaviour: Behaviour, settings: Settings) {
  const store = storeOf(startingAnimals(settings.animals, behaviour.idOf));
  const limiter = rateLimiterOf(behaviour);
  let received = 0;
  const byKey: Record<KeyName | 'anonymous', number> = {
    free: 0,
    pro: 0,
    business: 0,
    enterprise: 0,
    sacrificial: 0,
    anonymous: 0,
  };
  const byPath: Record<string, number> = {};

  const serve = async (message: IncomingMessage, response: ServerResponse, closing: AbortSignal): Promise<void> => {
    received += 1;
    const serial = received;
    try {
      const body = await bodyOf(message);
      const request = incoming(message, body ?? '', serial, behaviour.clock(settings.now()));
      const caller = behaviour.authenticate(request, settings);
      byKey[caller.kind === 'known' ? caller.key : 'anonymous'] += 1;
      const line = `${request.method} ${request.path}`;
      byPath[line] = (byPath[line] ?? 0) + 1;
      const context: Context = {
        request,
        route: behaviour.route(request, behaviour.basePath),
        caller,
        settings,
        store,
        behaviour,
      };
      const answer = await handle(body === null ? tooLarge(context) : context, limiter);
      await send(behaviour.transport(encode(answer, request.at), context), response, closing);
    } catch (error) {
      if (closing.aborted || message.destroyed) return;
      throw error;
    }
  };

  return {
    serve,
    counts: { requests: () => received, requestsByKey: () => ({ ...byKey }), requestsByPath: () => ({ ...byPath }) },
  };
}

function incoming(message: IncomingMessage, body: string, serial: number, at: number): Incoming {
  const [path = '/', query = ''] = (message.url ?? '/').split('?', 2);
  return {
    serial,
    method: message.method ?? 'GET',
    path,
    query: new URLSearchParams(query),
    headers: Object.fromEntries(
      Object.entries(message.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
    ),
    body,
    address: message.socket.remoteAddress ?? '',
    connection: message.socket,
    at,
  };
}

/** The request's body, or null when it is larger than any creation can be. */
async function bodyOf(message: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size <= MOST_BODY_BYTES) chunks.push(bytes);
  }
  return size > MOST_BODY_BYTES ? null : Buffer.concat(chunks).toString('utf8');
}

function tooLarge(context: Context): Context {
  const { behaviour } = context;
  const problem = { status: 413, code: 'too_large', message: `a body has at most ${MOST_BODY_BYTES} bytes` };
  return {
    ...context,
    behaviour: {
      ...behaviour,
      operations: { ...behaviour.operations, createPet: (c) => behaviour.problem(problem, c) },
    },
  };
}
