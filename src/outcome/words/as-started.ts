import { basename, relative } from 'node:path';
import { shellWord } from '../../base/kernel/visible.js';

const PROGRAM = 'petstore-conformance';

/** Files of the kit that start it. */
const OWN_FILES: ReadonlySet<string> = new Set(['main.js', 'start.cjs']);

/**
 * Writes a command so that it works where this one was started: with npx where the program lies in `node_modules`, with node
 * where its file was named. Pure.
 * @param script the started file, absolute
 */
export function asStarted<Command extends string | null>(command: Command, script: string): Command | string {
  if (command === null || !command.startsWith(`${PROGRAM} `)) return command;
  if (/[\\/]node_modules[\\/]/.test(script)) return `npx ${command}`;
  const path = relative('.', script);
  if (!OWN_FILES.has(basename(script)) || path.startsWith('..')) return command;
  return `node ${shellWord(path)}${command.slice(PROGRAM.length)}`;
}
