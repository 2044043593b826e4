import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { barePets, NoPet, readBarePet, STATUSES, writePet } from './bare-pets.js';
import {
  ALLOWANCES,
  ANONYMOUS,
  DEFAULTS,
  issueKeys,
  listen,
  type ForeignOptions,
  type ForeignPlan,
  type ForeignServer,
} from './foreign-server.js';
import { slidingLog } from './sliding-log.js';

/** Enough for an animal. */
const MAX_BODY_BYTES = 16_384;

/** Response before it is sent. */
interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const fault = (status: number, code: string, message: string, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers,
  body: JSON.stringify({
    status,
    docs: 'https://docs.example/errors',
    message,
    code,
    retryable: status === 429,
  }),
});

/**
 * Starts the service on node:http only, with its own router, JSON parser and sliding-log limiter. Where the
 * interface is silent it is unusual. It refuses unknown limits, statuses, categories, members and long names.
 * It answers in German, lists the newest animal first under random ids, and omits an absent status. It writes
 * header names as Go does, sends chunks and closes every connection.
 */
export async function startBareHttp(options: ForeignOptions = {}): Promise<ForeignServer> {
  const { animals, minuteSeconds, daySeconds } = { ...DEFAULTS, ...options };
  const { keys, planOf } = issueKeys();
  const pets = barePets(animals);
  const windows = [
    { log: slidingLog(minuteSeconds * 1000), figure: 'perMinute' },
    { log: slidingLog(daySeconds * 1000), figure: 'perDay' },
  ] as const;

  /** Part 8: the headers describe the window with less left. A request counts only if both windows admit it. */
  function admit(
    who: string,
    plan: ForeignPlan | undefined,
  ): { readonly reply?: Reply; readonly headers: Headers } {
    const now = Date.now();
    const looks = windows.map(({ log, figure }) =>
      log.look(who, (plan ? ALLOWANCES[plan] : ANONYMOUS)[figure], now),
    );
    const [minute, day] = looks;
    if (!minute || !day) throw new RangeError('There are two windows.');
    const tight = !day.served || (minute.served && day.remaining < minute.remaining) ? day : minute;
    const headers = new Headers({
      'X-Ratelimit-Limit': String(tight.limit),
      'X-Ratelimit-Remaining': String(tight.remaining),
      'X-Ratelimit-Reset': String(Math.ceil(tight.resetAt / 1000)),
    });
    if (tight.served) {
      for (const { log } of windows) log.count(who, now);
      return { headers };
    }
    headers.set('Retry-After', new Date(Math.ceil(tight.resetAt / 1000) * 1000).toUTCString());
    return { headers, reply: fault(429, 'E-RATE', 'Zu viele Anfragen. Bitte später wiederkommen.') };
  }

  function list({ searchParams }: URL): Reply {
    const limit = searchParams.get('limit') ?? '20';
    const status = searchParams.get('status');
    if (!/^[1-9]\d?$|^100$/.test(limit)) return fault(400, 'E-LIMIT', 'limit liegt zwischen 1 und 100.');
    if (status !== null && !STATUSES.includes(status))
      return fault(400, 'E-STATUS', 'Diesen Status gibt es nicht.');
    return { status: 200, body: `[${pets.list(Number(limit), status).map(writePet).join(',\n')}]` };
  }

  async function create(request: IncomingMessage): Promise<Reply> {
    const bytes = await read(request);
    if (!bytes) return fault(413, 'E-SIZE', 'Das ist zu viel.');
    try {
      return { status: 201, body: writePet(pets.add(readBarePet(bytes))) };
    } catch (error) {
      if (error instanceof NoPet) return fault(400, 'E-PET', error.message);
      throw error;
    }
  }

  async function route(request: IncomingMessage): Promise<Reply> {
    const url = new URL(request.url ?? '/', 'http://pets.invalid');
    const { method } = request;
    if (url.pathname === '/v1/pets') {
      if (method === 'GET') return list(url);
      if (method === 'POST') return create(request);
      return fault(405, 'E-METHOD', 'Das geht hier nicht.', { Allow: 'GET, POST' });
    }
    const id = /^\/v1\/pets\/(\d+)$/.exec(url.pathname)?.[1];
    if (id === undefined || method !== 'GET') return fault(404, 'E-PATH', 'Hier ist nichts.');
    const pet = pets.find(id);
    return pet ? { status: 200, body: writePet(pet) } : fault(404, 'E-ANIMAL', 'Dieses Tier gibt es nicht.');
  }

  async function answer(request: IncomingMessage): Promise<Reply> {
    const key = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const plan = planOf.get(key);
    const { reply, headers } = admit(plan ? key : (request.socket.remoteAddress ?? ''), plan);
    const refused = plan
      ? undefined
      : fault(401, 'E-KEY', 'Ohne gültigen Schlüssel geht es nicht.', { 'Www-Authenticate': 'Bearer' });
    const given = reply ?? refused ?? (await route(request));
    return { ...given, headers: { ...given.headers, ...goCase(headers) } };
  }

  const server = createServer((request, response) => {
    answer(request)
      .catch(() => fault(500, 'E-SELF', 'Hier ging etwas schief.'))
      .then((reply) => send(response, reply))
      .catch(() => response.destroy());
  });
  return { keys, ...(await listen(server)) };
}

/** Writes header names in the case of Go's net/http. */
const goCase = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    [...headers].map(([name, value]) => [
      name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
      value,
    ]),
  );

/** Sends two chunks without a length, then closes the connection. */
function send(response: ServerResponse, { status, body, headers }: Reply): void {
  response.writeHead(status, {
    'Content-Type': 'application/json;charset=UTF-8',
    Connection: 'close',
    ...headers,
  });
  response.write(body.slice(0, 1));
  response.end(body.slice(1));
}

/** Reads a request's body; null if it is too large. */
async function read(request: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : null;
}
