import { once } from 'node:events';
import { startReference } from '../reference/index.js';
import { UsageError } from '../run/usage-error.js';
import { interruption } from './interruption.js';
import { line } from './io.js';
import type { Io } from './io.js';

/** What `serve` was asked for. */
export interface ServeArguments {
  readonly port: number;
  readonly flaw: readonly string[];
  readonly variant: readonly string[];
  readonly minute: number;
  readonly day: number;
}

/** `serve`: runs the reference server until it is interrupted; prints its address and its keys, which are its own. */
export async function serveCommand({ port, flaw, variant, minute, day }: ServeArguments, io: Io): Promise<number> {
  const reference = await startReference({
    port,
    flaws: flaw,
    variants: variant,
    minuteSeconds: minute,
    daySeconds: day,
  }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new UsageError(
        'port-in-use',
        `Port ${port} is taken.`,
        'Name another with --port, or leave it out for a free one.',
        { cause: error },
      );
    throw error;
  });
  line(io.out, `listening ${reference.baseUrl}`);
  for (const [plan, key] of Object.entries(reference.keys)) line(io.out, `${plan.padEnd(12)} ${key}`);
  const { signal, release } = interruption();
  if (!signal.aborted) await once(signal, 'abort');
  release();
  await reference.close();
  return 0;
}
