import { setTimeout as sleep } from 'node:timers/promises';
import type * as Bull from 'bullmq';
import type { Redis } from 'ioredis';
import { now } from '../../wire/exchange/connection.js';
import { badOption, UsageError } from '../../base/kernel/errors.js';
import { optionalPackage } from '../../base/kernel/package.js';

const USUAL_PORT = 6379;
/** Timeouts for a connection and for a command, ms. */
const CONNECT_MS = 5000;
export const COMMAND_MS = 2000;
/** Delay before the next try, ms: a restarted Redis must be back before anyone counts as lost. */
const RETRY_MS = 200;

const optional = <Module>(load: () => Promise<Module>): Promise<Module> =>
  optionalPackage(
    load,
    'Load from several machines needs the packages bullmq and ioredis, which are not installed.',
    'Run npm install bullmq ioredis on every machine. Or use load --workers N on one machine, which needs no Redis.',
  );

export const bullmq = (): Promise<typeof Bull> => optional(() => import('bullmq'));

/**
 * Parses the address of a Redis; `shown` has no credentials. `${NAME}` reads the environment, which keeps the
 * password out of process lists. Throws UsageError.
 */
function parseRedisUrl(given: string, env: NodeJS.ProcessEnv) {
  const variable = /^\$\{(\w+)\}$/.exec(given)?.[1];
  const text = variable === undefined ? given : (env[variable] ?? '');
  const url = URL.canParse(text) ? new URL(text) : null;
  const [, database] = /^\/?(\d*)$/.exec(url?.pathname ?? '') ?? [];
  const isPlain = url !== null && database !== undefined && url.search === '' && url.hash === '';
  if (!isPlain || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '')
    throw badOption(
      variable === undefined
        ? '--redis needs the address of a Redis server.'
        : `--redis reads ${variable}, which is not the address of a Redis server.`,
      'Write it as redis://host:6379 or rediss://user:password@host:6379/0, ' +
        "or as '${NAME}' for a variable with the address. Nothing was sent.",
    );
  // Parsed here: the client reads settings from an address, and recognizes TLS only in lower case.
  const at = {
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: Number(url.port || USUAL_PORT),
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    ...(database !== '' && { db: Number(database) }),
    // Explicit, because the environment can disable it for all of Node.
    ...(url.protocol === 'rediss:' && { tls: { rejectUnauthorized: true } }),
  };
  return { at, shown: `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}` };
}

export type RedisLink = Awaited<ReturnType<typeof openRedis>>;

/** Name of a key that only shows whether it can be read and written, and its lifetime, ms. */
const PROBE = 'permission';
const PROBE_MS = 1000;

/** Connects, and checks that Redis responds and permits what agents need. Throws UsageError. */
export async function openRedis(given: string, env: NodeJS.ProcessEnv, prefix: string) {
  const { at: named, shown } = parseRedisUrl(given, env);
  const { Redis: Client } = await optional(() => import('ioredis'));
  const common = { connectTimeout: CONNECT_MS, retryStrategy: () => RETRY_MS, lazyConnect: true };
  const once = {
    ...common,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    // Where INFO is not permitted, this check prints a line; the one below reports it.
    enableReadyCheck: false,
  };
  const at = await withoutNeedlessPassword(named, (options) => new Client({ ...options, ...once }));
  const control = new Client({ ...at, ...once });
  const problems: Error[] = [];
  control.on('error', (error: Error) => problems.push(error));
  try {
    const answer = await Promise.race([control.connect().then(() => control.ping()), tooLong()]);
    if (answer !== 'PONG') throw new Error('no PONG');
    // BullMQ needs both, and would wait for them without an end.
    await control.info('server');
    await control.exists(`${prefix}:${PROBE}`);
    // A replica, or a Redis without memory, only answers questions.
    await control.set(`${prefix}:${PROBE}`, '1', 'PX', PROBE_MS);
  } catch (error) {
    control.disconnect();
    throw noRedis(shown, [...problems, error instanceof Error ? error : new Error(String(error))]);
  }
  control.options.retryStrategy = () => RETRY_MS;
  // Not earlier: after a failed connection, timers of the client's first commands would keep the process alive.
  control.options.commandTimeout = COMMAND_MS;
  const queue = new Client({ ...at, ...common, maxRetriesPerRequest: null });
  // Errors show in failed commands; without a listener they would end the process.
  queue.on('error', () => undefined);
  return {
    /** For short commands: rejects immediately without Redis. */
    control,
    /** For BullMQ, which waits until Redis is back. */
    queue,
    /** Address without its credentials. */
    shown,
    [Symbol.dispose](): void {
      control.disconnect();
      queue.disconnect();
    },
  };
}

/**
 * Leaves out a password that Redis does not ask for: the client would print a line about it at each
 * connection. A user's password is another's, and stays.
 */
async function withoutNeedlessPassword<Options extends { username?: string; password?: string }>(
  at: Options,
  clientOf: (options: Options) => Redis,
): Promise<Options> {
  if (at.password === undefined || at.username !== undefined) return at;
  const { password: _, ...others } = at;
  const open = others as Options;
  const client = clientOf(open);
  client.on('error', () => undefined);
  try {
    const answer = await Promise.race([client.connect().then(() => client.ping()), tooLong()]);
    return answer === 'PONG' ? open : at;
  } catch {
    return at;
  } finally {
    client.disconnect();
  }
}

/** Limits the time of opening; the timer keeps no process alive. */
async function tooLong(): Promise<never> {
  await sleep(CONNECT_MS, undefined, { ref: false });
  throw new Error('ETIMEDOUT');
}

/** Errors of a Redis that responds but takes no writes: what is wrong, and what to do. */
const NO_WRITES: readonly (readonly [error: RegExp, what: string, hint: string])[] = [
  [
    /\bREADONLY\b/,
    'is a read-only replica',
    'Name the primary with --redis; INFO replication shows its address.',
  ],
  [/\bOOM\b/, 'is out of memory', 'Raise its maxmemory, or remove other data. A load needs a few megabytes.'],
  [
    /\b(?:MISCONF|NOREPLICAS)\b/,
    'takes no writes',
    'Its log says why: it cannot save its data, or has too few replicas.',
  ],
];

/** Describes why a Redis takes no writes, by an error of one of its commands; null for any other error. */
export const noWrites = (error: unknown) => noWritesIn(error instanceof Error ? error.message : '');

function noWritesIn(text: string): { readonly what: string; readonly hint: string } | null {
  const [, what, hint] = NO_WRITES.find(([pattern]) => pattern.test(text)) ?? [];
  return what === undefined || hint === undefined ? null : { what, hint };
}

export function noRedis(shown: string, errors: readonly Error[]): UsageError {
  const text = errors
    .map((error) => `${(error as NodeJS.ErrnoException).code ?? ''} ${error.message}`)
    .join('\n');
  const [what, hint] = whatIsWrong(text);
  return new UsageError('no-redis', `${shown} ${what}.`, `${hint} Nothing was sent.`, { cause: errors[0] });
}

function whatIsWrong(text: string): readonly [what: string, hint: string] {
  // The system's codes come first: a host's name in their text may look like an error of Redis.
  if (/ECONNREFUSED/.test(text))
    return ['refuses connections', 'Start Redis there, or name another with --redis.'];
  if (/ENOTFOUND|EAI_AGAIN/.test(text))
    return ['has an unknown host name', 'Check the host name after --redis.'];
  const refusal = noWritesIn(text);
  if (refusal) return [refusal.what, refusal.hint];
  if (/\bNOPERM\b/.test(text))
    return [
      'gives this user too few permissions',
      'The agents need all commands, INFO too, on the keys with the prefix: ' +
        'ACL SETUSER NAME +@all ~petstore-conformance* (or the prefix given with --redis-prefix).',
    ];
  if (
    /\b(?:WRONGPASS|NOAUTH)\b|invalid password|without any password|\bERR (?:Client sent )?AUTH\b/.test(text)
  )
    return [
      'rejects the password',
      'Give user and password as redis://user:password@host:6379; before Redis 6 leave out the user (redis://:password@…).',
    ];
  if (/certificate|CERT|self.signed/i.test(text))
    return ['has an untrusted certificate', 'Set NODE_EXTRA_CA_CERTS to its certificate authority.'];
  if (/ETIMEDOUT|timed out/i.test(text))
    return ['does not respond', 'Check that it is a Redis server, and whether it needs TLS (rediss://).'];
  return [
    'does not respond like a Redis server',
    'Check that it is a Redis server, and whether it needs TLS (rediss://).',
  ];
}

/** Number of measurements. The quickest one counts: it had the least time to be wrong. */
const ASKED = 9;

/** One measurement: sending, response, and the other clock's time, ms. */
type Asked = Readonly<Record<'sentAt' | 'answeredAt' | 'theirs', number>>;

/**
 * Returns the other clock minus this one by the quickest response, at the middle of its time; half of that
 * time is the error. In ms. Pure.
 */
export function offsetOf(all: readonly Asked[]) {
  const [quickest] = all.toSorted(
    (one, other) => one.answeredAt - one.sentAt - (other.answeredAt - other.sentAt),
  );
  if (!quickest) return { offsetMs: 0, errorMs: Infinity };
  const { sentAt, answeredAt, theirs } = quickest;
  return { offsetMs: theirs - (sentAt + answeredAt) / 2, errorMs: (answeredAt - sentAt) / 2 };
}

/** Measures Redis' clock minus this machine's. */
export async function askOffset(redis: Redis) {
  const all: Asked[] = [];
  for (let count = 0; count < ASKED; count += 1) {
    const sentAt = now();
    const [seconds, micros] = await redis.time();
    all.push({ sentAt, answeredAt: now(), theirs: Number(seconds) * 1000 + Number(micros) / 1000 });
  }
  return offsetOf(all);
}
