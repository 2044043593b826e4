import { hostname } from 'node:os';
import { secretIn } from '../capacity/fleet/order.js';
import { AGENT_NAME } from '../capacity/fleet/state.js';
import { TARGETS_VARIABLE } from '../capacity/fleet/take-order.js';
import { openRedis } from '../capacity/fleet/redis.js';
import { SECRET_VARIABLE } from '../capacity/fleet/seal.js';
import { prefixOf } from './fleet-command.js';
import { interruption } from './process-end.js';
import type { AgentArguments } from './command-table.js';
import { line, type Io } from './io.js';
import { badOption } from '../contract/errors.js';

/** `agent`: takes slices of load runs from Redis and sends them, one at a time, until an interrupt. */
export async function agentCommand(args: AgentArguments, io: Io): Promise<number> {
  const name = args.name ?? `${hostname().replaceAll(/[^\w.-]+/g, '-')}-${process.pid}`;
  if (!AGENT_NAME.test(name))
    throw badOption('--name takes up to 64 letters, digits, dots and dashes.', 'Give a name such as agent-1.');
  if (args.redis === undefined)
    throw badOption(
      '--redis is missing: an agent gets its work from Redis.',
      'Give the same address to all agents and to load, e.g. --redis redis://host:6379.',
    );
  const prefix = prefixOf(args.redisPrefix);
  const isVouched = secretIn(io.env) !== null || Boolean(io.env[TARGETS_VARIABLE]) || args.allowLoopback;
  const interrupted = interruption();
  const link = await openRedis(args.redis, io.env);
  try {
    const { runAgent } = await import('../run/run-agent.js');
    line(io.out, `agent ${name} waits for work at ${link.shown} (${prefix}); Ctrl-C ends it`);
    if (!isVouched)
      line(
        io.out,
        `agent ${name} has no permitted target: set the same ${SECRET_VARIABLE} as for load, list addresses in ${TARGETS_VARIABLE}, or allow its own machine with --allow-loopback`,
      );
    await runAgent({
      link,
      prefix,
      name,
      env: io.env,
      allowLoopback: args.allowLoopback,
      signal: interrupted.signal,
      say: (text) => line(io.out, `${new Date().toISOString()}  ${text}`),
    });
    return 0;
  } finally {
    link.close();
    interrupted.release();
  }
}
