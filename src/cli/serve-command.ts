import { once } from 'node:events';
import { flaws, startReference, variants } from '../reference/index.js';
import { wrapped } from '../report/words/wrapped.js';
import { UsageError } from '../contract/usage-error.js';
import { interruption } from './interruption.js';
import { line, type Io } from './io.js';

/** What `serve` was asked for. */
export interface ServeArguments {
  readonly list: boolean;
  readonly port: number;
  readonly flaw: readonly string[];
  readonly variant: readonly string[];
  readonly minute: number;
  readonly day: number;
}

/** Every mistake with what it turns red, and every conformant way to differ. */
const names = (): readonly string[] => [
  `flaws (--flaw NAME), ${flaws.length}`,
  ...flaws.flatMap(({ name, title, turns }) => wrapped('  ', `${name}: ${title} Turns red: ${turns.join(', ')}.`)),
  '',
  `conformant ways to differ (--variant NAME), ${variants.length}`,
  ...variants.flatMap(({ name, title }) => wrapped('  ', `${name}: ${title}`)),
];

/** `serve`: runs the reference server until it is interrupted; prints its address and its keys, which are its own. */
export async function serveCommand(
  { list, port, flaw, variant, minute, day }: ServeArguments,
  io: Io,
): Promise<number> {
  if (list) {
    for (const text of names()) line(io.out, text);
    return 0;
  }
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
