import { endpointOf } from '../targets/base-url.js';
import { resolveOnce } from './resolve.js';
import type { TransportCode } from './types.js';

/** Faults after which a host may be at another address: a balancer scales, or a standby takes over. */
const MOVED: ReadonlySet<TransportCode> = new Set(['refused', 'unreachable', 'timeout']);
/** Shortest time between two questions about one name, ms: a resolver is shared with others. */
const ASK_AGAIN_MS = 1000;

/** Returns Unix ms of the monotonic clock, as connections note it. */
const now = (): number => performance.timeOrigin + performance.now();

/** A change of a host's address, at a time (Unix ms). */
interface AddressChange {
  readonly at: number;
  readonly host: string;
  readonly from: string;
  readonly to: string;
}

type HostAddress = ReturnType<typeof newHostAddress>;

type Ask = (host: string, port: number, timeoutMs: number) => Promise<string | null>;

/**
 * Keeps the address of a host for all connections of a process, as it was at the start of the run. After a
 * connection that failed the name is asked again, once a second at most.
 */
export function newHostAddress(
  host: string,
  port: number,
  first: string,
  timeoutMs: number,
  ask: Ask = resolveOnce,
) {
  let current = first;
  let askedAt = -Infinity;
  let asking: Promise<void> | null = null;
  const changes: AddressChange[] = [];
  const askAgain = async (): Promise<void> => {
    askedAt = now();
    // Without an answer, the old address stays.
    const found = await ask(host, port, timeoutMs).catch(() => null);
    if (found === null || found === current) return;
    changes.push({ at: now(), host, from: current, to: found });
    current = found;
  };
  return {
    current: (): string => current,
    /** Notes a fault at an address; resolves with true if connections now go to another one. */
    async hasMoved(code: TransportCode, address: string): Promise<boolean> {
      if (!MOVED.has(code)) return false;
      if (current === address && now() - askedAt >= ASK_AGAIN_MS)
        asking ??= askAgain().finally(() => (asking = null));
      await asking;
      return current !== address;
    },
    changes: (): readonly AddressChange[] => changes,
  };
}

const known = new Map<string, HostAddress>();

/** Returns the address of a URL's host that all connections of this process share. */
export function hostAddressOf(
  url: URL,
  { address, timeoutMs }: { readonly address: string; readonly timeoutMs: number },
): HostAddress {
  const { port } = endpointOf(url);
  const name = `${url.hostname}:${port} ${address}`;
  const one = known.get(name) ?? newHostAddress(url.hostname, port, address, timeoutMs);
  known.set(name, one);
  return one;
}

/** All of this process between two times, Unix ms. */
export const addressChanges = (from: number, to = Infinity): readonly AddressChange[] =>
  [...known.values()].flatMap((one) => one.changes()).filter(({ at }) => at >= from && at <= to);

export const changeWords = ({ host, from, to }: AddressChange): string =>
  `${host} got another address: ${to} in place of ${from}`;
