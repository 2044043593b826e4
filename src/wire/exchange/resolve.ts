import { lookup } from 'node:dns/promises';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { transportError } from './transport-error.js';

/**
 * Delay between attempts at two addresses, ms (RFC 8305, section 5). Unlike in Node, an earlier attempt goes
 * on.
 */
const NEXT_ATTEMPT_MS = 250;
/**
 * Times a resolver is asked that does not answer, and the pause between them, ms: one packet in twenty may be
 * lost.
 */
const ATTEMPTS = 3;
const PAUSE_MS = 200;

/**
 * Resolves a host once, for a whole run, and returns the address that all its connections use: of several,
 * the first that accepts a connection. Sends nothing. Null for a host that is an address, or that does not
 * resolve.
 *
 * @param timeoutMs limit for connecting, if the host has several addresses
 * @param ask resolver; by default that of this machine, in the order that Node's switches choose
 */
export async function resolveOnce(
  host: string,
  port: number,
  timeoutMs: number,
  ask: Resolver = (name) => lookup(name, { all: true }),
): Promise<string | null> {
  if (isIP(host) !== 0) return null;
  const found = await addressesOf(host, ask);
  const [first] = found;
  if (first === undefined || found.length === 1) return first ?? null;
  return (await quickest(found, port, timeoutMs)) ?? first;
}

/** In order of preference. */
type Resolver = (host: string) => Promise<readonly { readonly address: string }[]>;

async function addressesOf(host: string, ask: Resolver): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const found = await ask(host);
      return [...new Set(found.map(({ address }) => address))];
    } catch (error) {
      // Preflight meets a lasting error again, and reports it.
      if (transportError(error).code !== 'resolver' || attempt === ATTEMPTS) return [];
      await sleep(PAUSE_MS);
    }
  }
}

/** Returns the first address that accepts a connection; otherwise one that refuses it; null if none responds. */
function quickest(addresses: readonly string[], port: number, timeoutMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const sockets: Socket[] = [];
    const timers: NodeJS.Timeout[] = [];
    let open = addresses.length;
    let refusing: string | null = null;
    const end = (address: string | null): void => {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      resolve(address);
    };
    const attempt = (address: string): void => {
      const socket = connect({ host: address, port });
      sockets.push(socket);
      socket.once('connect', () => end(address));
      socket.on('error', (error) => {
        if (transportError(error).code === 'refused') refusing ??= address;
        open -= 1;
        if (open === 0) end(refusing);
      });
    };
    for (const [place, address] of addresses.entries())
      timers.push(setTimeout(() => attempt(address), place * NEXT_ATTEMPT_MS));
    timers.push(setTimeout(() => end(refusing), timeoutMs));
  });
}

export const lookupOf =
  (current: () => string): LookupFunction =>
  (_, options, callback) => {
    const address = current();
    const family = isIP(address);
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
