import { sha256 } from '../base/kernel/config-file.js';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { keyNames, type KeyName } from '../base/interface/names.js';
import type { Target } from '../wire/targets/target.js';
import { namedKeys } from '../wire/targets/keys.js';
import { UsageError } from '../base/kernel/errors.js';

/**
 * Refuses a second run with the same key and address on this machine: both would use one rate limit. The lock
 * is a socket that listens; the system ends it with its process, however that ends.
 *
 * @param only the keys that are used; absent for all
 * @throws UsageError key-in-use
 */
export async function lockKeys(
  target: Pick<Target, 'baseUrl' | 'keys' | 'sacrificial'>,
  only: readonly KeyName[] = keyNames,
): Promise<Disposable> {
  const held: Server[] = [];
  const release = () => held.splice(0).forEach((server) => void server.close());
  try {
    for (const [name, key] of namedKeys(target))
      if (only.includes(name))
        held.push(await lock(socketFor(target.baseUrl, key.reveal()), name, target.baseUrl));
  } catch (error) {
    release();
    throw error;
  }
  return { [Symbol.dispose]: release };
}

/** The name reveals nothing about the key: it is a digest of key and address. */
function socketFor(baseUrl: string, key: string): string {
  const digest = sha256(`${baseUrl}\n${key}`).slice(0, 32);
  return socketNamed(`petstore-conformance-${digest}`);
}

/**
 * Returns a name that belongs to no folder where the system has such names: no user has to remove another's.
 * Elsewhere it is a file, in a folder whose name is short, since such a name has at most 103 bytes
 * (`sun_path` of macOS).
 */
function socketNamed(name: string): string {
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return `/tmp/${name}`;
}

const isFile = (socket: string): boolean => socket.startsWith('/');

async function lock(socket: string, plan: string, baseUrl: string): Promise<Server> {
  const server = (await listening(socket)) ?? (await afterDead(socket));
  if (server) return server.unref();
  throw new UsageError(
    'key-in-use',
    `Another run on this machine is using the ${plan} key on ${baseUrl}.`,
    'Wait for it to end, or use another key: two runs on one key would distort each other’s figures.',
  );
}

/**
 * Returns a server that listens on a socket; null if another listens there, or a file of one is left. Where
 * the system lets nobody listen so, the server does not listen: a run is worth more than its lock.
 */
const listening = (socket: string): Promise<Server | null> =>
  new Promise((resolve) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE' ? null : server));
    // Another user's run has to be able to connect to a file.
    const forAll = isFile(socket);
    server.listen({ path: socket, readableAll: forAll, writableAll: forAll }, () => resolve(server));
  });

/**
 * Removes the file that a killed process left on a system whose sockets are files, and listens on it; else
 * null.
 */
async function afterDead(file: string): Promise<Server | null> {
  if (!isFile(file) || (await isAnswering(file))) return null;
  rmSync(file, { force: true });
  return listening(file);
}

const isAnswering = (file: string): Promise<boolean> =>
  new Promise((resolve) => {
    const connection = connect(file);
    connection.once('connect', () => resolve(true));
    connection.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'));
    connection.once('close', () => connection.destroy());
  });
