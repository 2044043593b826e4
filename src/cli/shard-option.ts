import { parseSlice, type Slice } from '../scenario/slice.js';
import { badOption } from '../contract/usage-error.js';
import type { RunArguments } from './command-table.js';

type Shardable = Pick<
  RunArguments,
  'shard' | 'target' | 'baseUrl' | 'only' | 'replay' | 'lastFailed' | 'baseline' | 'certify' | 'notify'
>;

/**
 * Which part of a run was asked for; undefined for a whole one, and for the one part of one.
 * @throws UsageError for what is no part, and for what a part by itself cannot have
 */
export function shardFrom(args: Shardable): Slice | undefined {
  if (args.shard === undefined) return undefined;
  const shard = parseSlice(args.shard);
  if (!shard)
    throw badOption(
      `--shard takes I/N, and “${args.shard}” is none.`,
      'E.g. --shard 1/3, --shard 2/3 and --shard 3/3.',
    );
  if (shard.count === 1) return undefined;
  if (args.target === undefined && args.baseUrl === undefined)
    throw badOption(
      'Without a target each part would start an embedded server of its own.',
      'Name one server with --target or --base-url.',
    );
  if (args.only === 'load' || args.replay !== undefined)
    throw badOption(
      `--shard shares the suites out, and --${args.only === 'load' ? 'only load' : 'replay'} leaves them out.`,
      'Leave out one of the two.',
    );
  if (args.lastFailed)
    throw badOption(
      'A part does not know what the others left open.',
      'Name the requirements with --requirement, or leave out --shard.',
    );
  const whole = (['baseline', 'certify', 'notify'] as const).find(
    (name) => args[name] !== undefined && args[name] !== false,
  );
  if (whole)
    throw badOption(
      `--${whole} is about a whole run, and a part is none.`,
      `Give --${whole} to merge, which judges the whole.`,
    );
  return shard;
}
