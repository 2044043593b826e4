import { realpathSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, relative, resolve } from 'node:path';
import { isFile } from '../../base/kernel/places.js';
import { shellWord } from '../../base/kernel/visible.js';

const PROGRAM = 'petstore-conformance';

/** Files of the kit that node starts. */
const OWN_FILES: ReadonlySet<string> = new Set(['main.js', 'start.cjs']);

/** The package's folder, from that of such a file. */
const ROOT = '../../../..';

/** Where a command was started: what decides whether a name or a path finds the kit again. */
interface Place {
  /** Working folder, absolute. */
  readonly cwd: string;
  /** Value of PATH. */
  readonly path: string;
  /** The file that the started one links to. */
  readonly real: string;
}

const here = (script: string): Place => ({
  cwd: process.cwd(),
  path: process.env['PATH'] ?? '',
  real: isFile(script) ? realpathSync(script) : script,
});

/**
 * Writes a command so that it works where this one was started: with npx where that finds the program, by its
 * name where that is in PATH, otherwise by its path. Pure, given the place.
 *
 * @param script the started file, absolute
 */
export function asStarted<Command extends string | null>(
  command: Command,
  script: string = process.argv[1] ?? '',
  place: Place = here(script),
): Command | string {
  if (command === null || script === '' || !command.startsWith(`${PROGRAM} `)) return command;
  const rest = command.slice(PROGRAM.length);
  if (isFoundByNpx(script, place.cwd)) return `npx ${command}`;
  const name = basename(script);
  if (OWN_FILES.has(name)) return `node ${shellWord(pathFrom(place.cwd, script))}${rest}`;
  // A program that runs the kit inside itself is not the kit's command.
  if (name !== PROGRAM && !OWN_FILES.has(basename(place.real))) return command;
  if (
    place.path
      .split(delimiter)
      .some((folder) => folder !== '' && resolve(place.cwd, folder) === dirname(script))
  )
    return `${shellWord(name)}${rest}`;
  const path = pathFrom(place.cwd, script);
  return `${shellWord(isAbsolute(path) ? path : `./${path}`)}${rest}`;
}

/**
 * Writes each command in a sentence as `asStarted` does.
 *
 * @param program how the kit was started
 */
export const withCommands = (sentence: string, program = asStarted(`${PROGRAM} `).trimEnd()): string =>
  sentence.replaceAll(/(?<![\w./-]|npx )petstore-conformance(?= [a-z-])/g, () => program);

/**
 * True for a program in npx's own cache, in the `node_modules` of the working folder or of one above it, or
 * of the checkout that is the working folder.
 */
function isFoundByNpx(script: string, cwd: string): boolean {
  if (OWN_FILES.has(basename(script)) && resolve(dirname(script), ROOT) === cwd) return true;
  const [, owner, inside] = /^(.*?)[\\/]node_modules[\\/](.*)$/.exec(script) ?? [];
  if (owner === undefined || inside === undefined) return false;
  const isAbove = cwd === owner || cwd.startsWith(`${owner}/`) || cwd.startsWith(`${owner}\\`);
  return isAbove || /[\\/]_npx[\\/]/.test(script);
}

/** Returns a path that works in a folder: relative below it, otherwise absolute. */
function pathFrom(cwd: string, script: string): string {
  const path = relative(cwd, script);
  return path.startsWith('..') ? script : path;
}

/**
 * Writes a command for a file that others read: with npx where it was started so, otherwise by its name. A
 * path of this machine helps nobody else.
 */
export function asShared(
  command: string,
  script: string = process.argv[1] ?? '',
  place: Place = here(script),
): string {
  const started = asStarted(command, script, place);
  return started.startsWith('npx ') ? started : command;
}
