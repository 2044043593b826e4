import { setTimeout as sleep } from 'node:timers/promises';
import type * as Bull from 'bullmq';
import type { Redis } from 'ioredis';
import { now } from '../../exchange/connection.js';
import { badOption, UsageError } from '../../contract/errors.js';
import { optionalPackage } from '../../contract/package.js';

/** A connection as both ends of a run use it. */
export interface RedisLink {
  /** For short commands: rejects at once while Redis is away. */
  readonly control: Redis;
  /** For BullMQ, which waits until Redis is back. */
  readonly queue: Redis;
  /** The address without its credentials. */
  readonly shown: string;
  close(): void;
}

/** Where a Redis listens unless its address says otherwise. */
const USUAL_PORT = 6379;
/** How long it may take to connect, and a command to be answered, ms. */
const CONNECT_MS = 5000;
const COMMAND_MS = 2000;
/** How soon it is tried again, ms: a Redis that is started anew is to be noticed before anybody is taken for lost. */
const RETRY_MS = 200;

const optional = <Module>(load: () => Promise<Module>): Promise<Module> =>
  optionalPackage(
    load,
    'Load from several machines needs the packages bullmq and ioredis, which are not installed.',
    'npm install bullmq ioredis, on every machine. Without them, load --slice and merge do the same with any scheduler.',
  );

/** BullMQ, where it is installed. */
export const bullmq = (): Promise<typeof Bull> => optional(() => import('bullmq'));

/**
 * The address of a Redis, and what is shown of it. `${NAME}` reads the environment, so that the password stays out of lists
 * of processes. Throws UsageError.
 */
export function parseRedisUrl(given: string, env: NodeJS.ProcessEnv) {
  const variable = /^\$\{(\w+)\}$/.exec(given)?.[1];
  const text = variable === undefined ? given : (env[variable] ?? '');
  const url = URL.canParse(text) ? new URL(text) : null;
  const [, database = ''] = /^\/?(\d*)$/.exec(url?.pathname ?? '') ?? [];
  const isPlain = url !== null && url.search === '' && url.hash === '' && /^\/?\d*$/.test(url.pathname);
  if (!isPlain || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '')
    throw badOption(
      variable === undefined
        ? '--redis takes the address of a Redis.'
        : `--redis reads ${variable}, which holds no address of a Redis.`,
      "Write it as redis://host:6379 or rediss://user:password@host:6379/0, or as '${NAME}' for a variable that holds it. Nothing was sent.",
    );
  // Taken apart here: the client takes settings of its own out of an address, and knows TLS by its small letters alone.
  const at = {
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: Number(url.port || USUAL_PORT),
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    ...(database !== '' && { db: Number(database) }),
    // Said aloud, because the environment can turn it off for all of Node.
    ...(url.protocol === 'rediss:' && { tls: { rejectUnauthorized: true } }),
  };
  return { at, shown: `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}` };
}

/** Connects, and makes sure that it is a Redis that answers. Throws UsageError. */
export async function openRedis(given: string, env: NodeJS.ProcessEnv): Promise<RedisLink> {
  const { at, shown } = parseRedisUrl(given, env);
  const { Redis: Client } = await optional(() => import('ioredis'));
  const common = { connectTimeout: CONNECT_MS, retryStrategy: () => RETRY_MS, lazyConnect: true };
  const control = new Client({
    ...at,
    ...common,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
  });
  const problems: Error[] = [];
  control.on('error', (error: Error) => problems.push(error));
  try {
    const answer = await Promise.race([control.connect().then(() => control.ping()), tooLong()]);
    if (answer !== 'PONG') throw new Error('no PONG');
  } catch (error) {
    control.disconnect();
    throw noRedis(shown, [...problems, error instanceof Error ? error : new Error(String(error))]);
  }
  control.options.retryStrategy = () => RETRY_MS;
  // Not before: the client's own first commands would keep their timers, and the process, after a connection that failed.
  control.options.commandTimeout = COMMAND_MS;
  const queue = new Client({ ...at, ...common, maxRetriesPerRequest: null });
  // What is wrong shows where a command fails; without a listener it would end the process.
  queue.on('error', () => undefined);
  return {
    control,
    queue,
    shown,
    close: () => {
      control.disconnect();
      queue.disconnect();
    },
  };
}

/** A bound on opening that keeps no process by itself. */
async function tooLong(): Promise<never> {
  await sleep(CONNECT_MS, undefined, { ref: false });
  throw new Error('ETIMEDOUT');
}

function noRedis(shown: string, errors: readonly Error[]): UsageError {
  const text = errors.map((error) => `${(error as NodeJS.ErrnoException).code ?? ''} ${error.message}`).join('\n');
  const [what, hint] = whatIsWrong(text);
  return new UsageError('no-redis', `${shown} ${what}.`, `${hint} Nothing was sent.`, { cause: errors[0] });
}

function whatIsWrong(text: string): readonly [what: string, hint: string] {
  if (/WRONGPASS|NOAUTH|invalid password|without any password|AUTH/i.test(text))
    return ['refuses the password', 'Give user and password as redis://user:password@host:6379.'];
  if (/ECONNREFUSED/.test(text)) return ['has nobody who listens', 'Start Redis there, or name another with --redis.'];
  if (/ENOTFOUND|EAI_AGAIN/.test(text)) return ['is a host that nobody knows', 'Look at the name after --redis.'];
  if (/certificate|CERT|self.signed/i.test(text))
    return ['has a certificate that is not trusted', 'Name its authority in NODE_EXTRA_CA_CERTS.'];
  if (/NOPERM/.test(text))
    return ['permits this user too little', 'Give the user all commands on the keys of the prefix.'];
  if (/ETIMEDOUT|timed out/i.test(text))
    return ['does not answer', 'Look whether it is a Redis, and whether TLS (rediss://) is right for it.'];
  return ['does not answer as a Redis does', 'Look whether it is one, and whether TLS (rediss://) is right for it.'];
}

/** How far another clock is ahead of this one, and how well that is known, ms. */
export interface Offset {
  readonly offsetMs: number;
  readonly errorMs: number;
}

/** Of so many answers the quickest is believed: it had the least time in which to be wrong. */
const ASKED = 9;

/** One asking: when, when it was answered, and what the other clock said; ms. */
export interface Asked {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly theirs: number;
}

/** The offset that the quickest answer gives: it was read between question and answer, half of that is the error. Pure. */
export function offsetOf(all: readonly Asked[]): Offset {
  const [quickest] = all.toSorted((one, other) => one.answeredAt - one.sentAt - (other.answeredAt - other.sentAt));
  if (!quickest) return { offsetMs: 0, errorMs: Infinity };
  const { sentAt, answeredAt, theirs } = quickest;
  return { offsetMs: theirs - (sentAt + answeredAt) / 2, errorMs: (answeredAt - sentAt) / 2 };
}

/** How far Redis' own clock is ahead of this machine's. */
export async function askOffset(redis: Redis): Promise<Offset> {
  const all: Asked[] = [];
  for (let count = 0; count < ASKED; count += 1) {
    const sentAt = now();
    const [seconds, micros] = await redis.time();
    all.push({ sentAt, answeredAt: now(), theirs: Number(seconds) * 1000 + Number(micros) / 1000 });
  }
  return offsetOf(all);
}
