import { once } from 'node:events';
import { shellWord } from '../../base/kernel/visible.js';
import { startReference } from '../../reference/index.js';
import { wrapped } from '../../outcome/words/safe-text.js';
import { readKeys } from '../../wire/targets/keys.js';
import { published } from '../../wire/targets/secret.js';
import { usualVariable } from '../../wire/targets/write-target.js';
import { type KeyName, keyNames } from '../../base/interface/names.js';
import { interruption } from './process-end.js';
import type { Arguments } from './command-options.js';
import { line, print, type Io } from './io.js';
import { portError } from './listening.js';

type Flaw = Readonly<Record<'name' | 'title', string> & Record<'turns' | 'families', readonly string[]>>;

const wordsOf = ({ name, title, turns, families }: Flaw): string =>
  `${name}: ${title} Breaks: ${(turns.length > 0 ? turns : families).join(', ')}.`;

async function names(): Promise<readonly string[]> {
  const { flaws, variants } = await import('../../proof/index.js');
  return [
    `flaws (--flaw NAME), ${flaws.length}`,
    ...flaws.flatMap((flaw) => wrapped('  ', wordsOf(flaw))),
    '',
    `conformant variants (--variant NAME), ${variants.length}`,
    ...variants.flatMap(({ name, title }) => wrapped('  ', `${name}: ${title}`)),
  ];
}

const SOUND = { alterations: [], lines: [] } as const;

/** Returns what alters the server, and lines that say what that is. Throws UsageError for an unknown name. */
async function alteredBy(asked: Readonly<Record<'flaws' | 'variants', readonly string[]>>) {
  const { changesOf, flaws, rareFlaws, variants } = await import('../../proof/index.js');
  const alterations = changesOf(asked);
  const lines = [
    ...variants
      .filter(({ name }) => asked.variants.includes(name))
      .flatMap(({ name, title }) => wrapped('variant      ', `${name}: ${title}`)),
    ...[...flaws, ...rareFlaws]
      .filter(({ name }) => asked.flaws.includes(name))
      .flatMap((flaw) => wrapped('flaw         ', wordsOf(flaw))),
  ];
  return { alterations, lines };
}

/**
 * Returns the keys in the usual variables. Throws ConfigError for one that no header can carry, and for a
 * repeated one.
 */
function keysIn(env: NodeJS.ProcessEnv): Readonly<Partial<Record<KeyName, string>>> {
  const keys = Object.fromEntries(
    keyNames.flatMap((name) => {
      const key = env[usualVariable(name)];
      return key ? [[name, key]] : [];
    }),
  );
  // Checks with a substitute for Free, because the server makes the missing keys.
  readKeys({ free: '-', ...keys }, {}, () => ({}));
  for (const key of Object.values(keys)) published(key);
  return keys;
}

/**
 * `serve`: runs the reference server until an interrupt; prints its address, its keys, and lines to export
 * them.
 */
export async function command(args: Arguments<'serve'>, io: Io): Promise<number> {
  const { list, port, flaw, variant, minute, day, keysFromEnv } = args;
  if (list) {
    print(io.out, await names());
    return 0;
  }
  // A run of the sound server starts it as a process, and the flaws take ten times as long to load.
  const { alterations, lines } =
    flaw.length + variant.length === 0 ? SOUND : await alteredBy({ flaws: flaw, variants: variant });
  const options = {
    port,
    minuteSeconds: minute,
    daySeconds: day,
    ...(keysFromEnv && { keys: keysIn(io.env) }),
  };
  // Who sees the address or a key may send a signal right away.
  using interrupted = interruption();
  await using reference = await startReference(options, alterations).catch((error: unknown) => {
    throw portError(error, port);
  });
  line(io.out, `listening ${reference.baseUrl}`);
  print(io.out, lines);
  const keys = keyNames.map((name) => [name, reference.keys[name]] as const);
  for (const [name, key] of keys) line(io.out, `${name.padEnd(12)} ${key}`);
  line(io.out, '');
  for (const [name, key] of keys) line(io.out, `export ${usualVariable(name)}=${shellWord(key)}`);
  if (!interrupted.signal.aborted) await once(interrupted.signal, 'abort');
  return 0;
}
