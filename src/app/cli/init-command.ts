import { asStarted } from '../../outcome/words/as-started.js';
import { existsSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { shellWord } from '../../base/kernel/visible.js';
import { wrapped } from '../../outcome/words/safe-text.js';
import { pathIn } from '../../wire/targets/key-file.js';
import { variableIn, type Environment } from '../../wire/targets/placeholders.js';
import { targetText, type TargetDraft } from '../../wire/targets/write-target.js';
import { EXIT_CODES } from '../../judge/verdict.js';
import { badOption, badPlace, type UsageError } from '../../base/kernel/errors.js';
import { writeAsked } from './named-files.js';
import { canAsk, terminalAsker, askAddress, askFigures, askSources, askWhether } from './init-questions.js';
import type { Arguments } from './command-options.js';
import { checkDraft, figuresOf, schemaFor, sourcesIn, sourcesOf, targetName } from './draft-target.js';
import { line, print, type Io } from './io.js';

export async function command(args: Arguments<'init'>, io: Io): Promise<number> {
  checkPlace(args);
  const said = canAsk(io) ? await askedFor(args, io) : saidBy(args, io.env);
  if (said === null) {
    line(io.out);
    line(io.out, 'Nothing was written.');
    return EXIT_CODES.inconclusive;
  }
  const { file, force } = args;
  const draft = { ...said, name: targetName(file, said.baseUrl), schema: schemaFor(file) };
  checkDraft(draft);
  writeAsked(
    file,
    targetText(draft),
    'Name another file.',
    force ? undefined : (cause) => isThere(file, cause),
  );
  print(io.out, afterwards(file, draft, io.env));
  return 0;
}

type Said = Omit<TargetDraft, 'name' | 'schema'>;

/** Returns the settings from the options only. Throws UsageError if the address is missing. */
function saidBy(args: Arguments<'init'>, env: Environment): Said {
  if (args.baseUrl === undefined)
    throw badOption(
      'No address is given, and there is no terminal for a question.',
      'Give it with --base-url, ending with /v1. Nothing was written.',
    );
  const enterprise = figuresOf(args.enterprise);
  checkEnterprise(args);
  return {
    baseUrl: args.baseUrl,
    keys: sourcesOf(args) ?? sourcesIn(env),
    ...(enterprise && { enterprise }),
    production: args.production,
    writes: !args.readOnly,
  };
}

/** Asks for the settings that no option gives; null if the user leaves. */
async function askedFor(args: Arguments<'init'>, io: Io): Promise<Said | null> {
  const given = sourcesOf(args);
  let enterprise = figuresOf(args.enterprise);
  const asker = terminalAsker(io);
  try {
    const baseUrl = await askAddress(asker, args.baseUrl);
    const where = 'Where is the key of each plan? Enter an environment variable, file:PATH, or - for no key.';
    if (!given) print(io.out, wrapped('  ', where));
    let keys = given ?? (await askSources(asker, io.env));
    while (keys.enterprise !== undefined && enterprise === undefined) {
      enterprise = (await askFigures(asker)) ?? undefined;
      if (enterprise) break;
      const { enterprise: _, ...others } = keys;
      keys = Object.keys(others).some((name) => name !== 'sacrificial')
        ? others
        : await askSources(asker, io.env);
    }
    const production =
      args.production || (await askWhether(asker, 'Do real clients depend on this server?', false));
    const writes =
      !args.readOnly &&
      (await askWhether(asker, 'May each run create up to 25 animals that stay there?', !production));
    return { baseUrl, keys, ...(enterprise && { enterprise }), production, writes };
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return null;
    throw error;
  } finally {
    asker.close();
  }
}

function checkEnterprise({ plan, key, enterprise }: Arguments<'init'>): void {
  if (
    enterprise !== undefined ||
    !(plan.includes('enterprise') || key.some((one) => one.startsWith('enterprise=')))
  )
    return;
  throw badOption(
    'There is an Enterprise key but no limits for its plan, which are custom.',
    'Give the agreed limits, e.g. --enterprise 2400/500000. Nothing was written.',
  );
}

/** Checks the file's place before any question. Throws UsageError. */
function checkPlace({ file, force }: Arguments<'init'>): void {
  if (extname(file) === '.json')
    throw badOption('init writes YAML, which allows comments.', 'Name a file such as target.yaml.');
  if (existsSync(file) && !force) throw isThere(file);
  if (!existsSync(dirname(resolve(file))))
    throw badPlace(`The folder of ${file} does not exist.`, 'Create it, or name another file.');
}

const isThere = (file: string, cause?: unknown): UsageError =>
  badPlace(
    `${file} already exists.`,
    'Name another file, or overwrite this one with --force. Nothing was written.',
    cause,
  );

function afterwards(file: string, { keys, name, baseUrl }: TargetDraft, env: Environment): readonly string[] {
  const sources = Object.values(keys);
  const unset = sources.flatMap((source) => {
    const variable = variableIn(source);
    return variable !== undefined && !source.endsWith(':-}') && !env[variable] ? [variable] : [];
  });
  const missing = sources.flatMap((source) => {
    const path = pathIn(source);
    return path !== undefined && !existsSync(resolve(dirname(file), path)) ? [path] : [];
  });
  return [
    ...wrapped('written         ', `${file}: ${name}, ${baseUrl}, keys for ${Object.keys(keys).join(', ')}`),
    ...unset.flatMap((variable) =>
      wrapped('to do           ', `${variable} is not set: export it with the key`),
    ),
    ...missing.flatMap((path) =>
      wrapped('to do           ', `${path} does not exist: write the key into it and run chmod 600`),
    ),
    '',
    `next            ${asStarted(`petstore-conformance doctor --target ${shellWord(file)}`)}`,
  ];
}
