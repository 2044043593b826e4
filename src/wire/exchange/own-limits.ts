import type { Fault } from './transport-error.js';

/*
 * Limits of this machine that keep it from connecting. They say nothing about the server: a run that meets one is inconclusive.
 */

/** True for a limit of this machine: its files, ports, memory, or its resolver. */
export const isOwnLimit = ({ code }: Pick<Fault, 'code'>): boolean =>
  code === 'exhausted' || code === 'resolver';

interface Limit {
  /** Follows the name of the machine. */
  readonly words: string;
  readonly remedy: string;
}

const FILES: Limit = {
  words: 'has no file descriptor left for a connection',
  remedy: 'Raise `ulimit -n`, and run again.',
};
const RESOLVER: Limit = {
  words: 'got no answer from its resolver',
  remedy: 'Check its DNS, and run again.',
};

const LIMITS: ReadonlyMap<string, Limit> = new Map([
  ['EMFILE', FILES],
  ['ENFILE', FILES],
  [
    'EADDRNOTAVAIL',
    {
      words: 'has no port left for a connection',
      remedy: 'Widen its port range (net.ipv4.ip_local_port_range), or wait a minute, and run again.',
    },
  ],
  ['EAI_AGAIN', RESOLVER],
  ['EAI_FAIL', RESOLVER],
  ['EAI_SYSTEM', RESOLVER],
]);

/** Describes a limit by the system's error code, and names a remedy. */
export const ownLimit = (cause = ''): Limit =>
  LIMITS.get(cause) ?? {
    words: `cannot open a connection${cause === '' ? '' : ` (${cause})`}`,
    remedy: 'Free its memory and connections, and run again.',
  };
