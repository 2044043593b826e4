import { EMBEDDED, readTargetFile } from '../../wire/targets/load-target.js';
import { targetFromOptions } from '../../wire/targets/target-options.js';
import type { Target } from '../../wire/targets/target.js';
import type { Arguments } from './command-options.js';
import { line, type Io } from './io.js';
import { badOption } from '../../base/kernel/errors.js';

type TargetArguments = Pick<Arguments<'doctor'>, 'target' | 'baseUrl' | 'key'>;

/** Returns the named target, or null for the embedded server; prints warnings about its key files. */
export function namedTarget(args: TargetArguments, io: Io): Target | null {
  const target = read(args, io.env);
  for (const warning of target?.warnings ?? []) line(io.err, `warning         ${warning}`);
  return target;
}

export async function openTarget(args: TargetArguments, io: Io, how: { readonly underLoad: boolean }) {
  const target = namedTarget(args, io);
  if (target) return { target, embedded: false, [Symbol.asyncDispose]: async () => undefined };
  const { startEmbedded } = await import('../../run/embedded.js');
  return { ...(await startEmbedded(io.env, how)), embedded: true };
}

function read({ target, baseUrl, key }: TargetArguments, env: NodeJS.ProcessEnv): Target | null {
  if (target !== undefined && baseUrl !== undefined)
    throw badOption('--target and --base-url both name a target.', 'Give one of them.');
  if (baseUrl !== undefined) return targetFromOptions({ baseUrl, keys: key, env });
  if (key.length > 0)
    throw badOption(
      '--key works only with --base-url.',
      'Give the address of the server with --base-url, or put the keys into a target file.',
    );
  return target === undefined || target === EMBEDDED ? null : readTargetFile(target, env);
}
