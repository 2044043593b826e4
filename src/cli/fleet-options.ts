import { badOption } from '../contract/usage-error.js';
import type { LoadArguments } from './command-table.js';

/** A slice has a number, and Redis is asked for all of them at once. */
const MOST_AGENTS = 1000;

const PREFIX = /^[\w.:{}-]{1,64}$/;

/** The prefix of all names in Redis. Throws UsageError. */
export function prefixOf(prefix: string): string {
  if (PREFIX.test(prefix)) return prefix;
  throw badOption(
    '--redis-prefix takes up to 64 letters, digits, dots, colons and dashes.',
    'Give the same to all agents and to load.',
  );
}

/** What of `load` speaks of several machines. */
type FleetArguments = Pick<LoadArguments, 'agents' | 'redis' | 'slice' | 'startAt'>;

/** How many agents and at which Redis; null where one process sends. Throws UsageError for what does not fit together. */
export function fleetOf({
  agents,
  redis,
  slice,
  startAt,
}: FleetArguments): { readonly agents: number; readonly redis: string } | null {
  if (agents === undefined && redis === undefined) return null;
  if (agents === undefined || redis === undefined)
    throw badOption(
      agents === undefined
        ? '--redis is given, and not how many agents there are.'
        : '--agents is given, and no Redis that they are at.',
      'Give both, e.g. --agents 4 --redis redis://host:6379; or --slice I/N, which needs no Redis.',
    );
  if (slice !== undefined || startAt !== undefined)
    throw badOption(
      `--agents and --${slice === undefined ? 'start-at' : 'slice'} do not go together: agents get their slices and their start by themselves.`,
      'Leave one of them out.',
    );
  if (!Number.isInteger(agents) || agents < 1 || agents > MOST_AGENTS)
    throw badOption(`--agents takes a whole number from 1 to ${MOST_AGENTS}.`, 'Give one for each machine.');
  return { agents, redis };
}
