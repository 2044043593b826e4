import { existsSync } from 'node:fs';
import { clientScenarios, type ClientScenario } from '../../base/interface/names.js';
import { badOption } from '../../base/kernel/errors.js';
import { readText } from '../../base/kernel/yaml-source.js';
import { commandName } from '../../run/command-name.js';
import { MOST_MS, runClient } from '../../run/run-client.js';
import { makeReportDir } from '../../run/report-dir.js';
import { published } from '../../wire/targets/secret.js';
import { commandLine } from './command-line.js';
import type { Arguments } from './command-options.js';
import { finishJudged } from './finish-judged.js';
import { interruption } from './process-end.js';
import { line, type Io } from './io.js';

export async function command(args: Arguments<'client'>, io: Io): Promise<number> {
  const words = args.words ?? [];
  checkUse(args, words);
  const scenarios = scenariosOf(args);
  const name = args.name ?? nameOf(words);
  const directory = makeReportDir(args.reportDir, name, new Date());
  let log;
  {
    using interrupted = interruption();
    log = await runClient({
      name,
      scenarios,
      words: args.listen ? null : words,
      mostMs: MOST_MS,
      directory,
      command: commandLine('client', args),
      env: io.env,
      signal: interrupted.signal,
      onListening({ scenario, baseUrl, key }) {
        if (!args.listen) return;
        // The app needs it, and it is valid only here.
        published(key);
        line(io.out, `listening ${baseUrl}`);
        line(io.out, `scenario  ${scenario}`);
        line(io.out, `key       ${key}`);
        line(io.out, '');
        line(
          io.out,
          `export PETSTORE_BASE_URL=${baseUrl} PETSTORE_API_KEY=${key} PETSTORE_SCENARIO=${scenario}`,
        );
      },
    });
  }
  return finishJudged(directory, log, args, io);
}

function checkUse({ listen, scenario }: Arguments<'client'>, words: readonly string[]): void {
  if (listen && words.length > 0)
    throw badOption('--listen takes no command.', 'Leave out --listen, or the command.');
  if (listen && (scenario?.length ?? 0) > 1)
    throw badOption('--listen plays one scenario.', 'Give one --scenario, or none for "limited".');
  if (!listen && words.length === 0)
    throw badOption(
      'Name the command that starts the client.',
      'Write petstore-conformance client -- npm test, or petstore-conformance client --listen.',
    );
}

function scenariosOf({ scenario, listen }: Arguments<'client'>): readonly ClientScenario[] {
  const asked = scenario ?? (listen ? ['limited'] : clientScenarios);
  return clientScenarios.filter((each) => asked.includes(each));
}

function nameOf(words: readonly string[]): string {
  if (existsSync('package.json')) {
    try {
      const { name } = JSON.parse(readText('package.json', '')) as { readonly name?: unknown };
      if (typeof name === 'string' && name !== '') return name;
    } catch {
      // A broken file is no reason not to judge.
    }
  }
  return commandName(words);
}
