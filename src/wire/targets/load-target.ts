import { existsSync, readdirSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { configPath, once } from '../../base/kernel/config-file.js';
import { nearestName } from '../../base/kernel/nearest-name.js';
import { parseYaml, readText } from '../../base/kernel/yaml-source.js';
import { buildTarget } from './build-target.js';
import { type Environment, fillInAll, type Slot, variableIn } from './placeholders.js';
import type { Target } from './target.js';
import { TARGET_FILE, type TargetFile } from './target-file.js';
import { ConfigError } from '../../base/kernel/errors.js';
import { checkShape } from '../../base/kernel/check-shape.js';
import { checkNames, checkVariables, keyPlaces } from './keys.js';

const HINT = 'docs/target-file.md describes the target file, and petstore-conformance init writes one.';

/** Name of the target for which `run` starts the reference server. */
export const EMBEDDED = 'embedded';

export const targetNames = once((): readonly string[] =>
  readdirSync(configPath('targets'))
    .filter((file) => extname(file) === '.yaml')
    .map((file) => file.slice(0, -'.yaml'.length))
    .toSorted(),
);

/**
 * Reads a target by its name in `config/targets/`, or from a YAML or JSON file. Throws ConfigError, with the
 * line if there is one, and never with a key or a variable's value.
 */
export function readTargetFile(nameOrPath: string, env: Environment): Target {
  const file = locate(nameOrPath);
  return parseTarget(readText(file, `Give a file, or one of ${targetNames().join(', ')}.`), file, env);
}

/** Parses the text of a target file; `file` is its name in errors, and the base of relative paths. */
export function parseTarget(text: string, file: string, env: Environment): Target {
  const source = parseYaml(text, file);
  const placeOf = (path: Parameters<typeof source.lineOf>[0]): { file: string; line: number } => ({
    file,
    line: source.lineOf(path),
  });
  const written = source.toValue() as Partial<TargetFile> | null;
  if (written !== null) {
    checkVariables(written, placeOf);
    checkNames(written.keys ?? {}, env, (name) => placeOf(['keys', name]));
  }
  const value = fillInAll(written, TARGET_FILE as Slot, env, placeOf);
  const folder = dirname(resolve(file));
  const checked = checkShape(source, value, TARGET_FILE, HINT);
  const target = { ...buildTarget(checked, placeOf, folder), keyVariables: variablesOf(written?.keys ?? {}) };
  return { ...target, keyPlaces: keyPlaces(target, checked.keys, env, folder) };
}

/** Builds a target from values without placeholders; `file` is its name in errors. Throws ConfigError. */
export function targetFrom(value: TargetFile, file: string): Target {
  const source = parseYaml(JSON.stringify(value), file);
  const placeOf = (): { file: string } => ({ file });
  return buildTarget(checkShape(source, value, TARGET_FILE, HINT), placeOf, dirname(resolve(file)));
}

const variablesOf = (keys: object): NonNullable<Target['keyVariables']> =>
  Object.fromEntries(
    Object.entries(keys).flatMap(([plan, text]) => {
      const variable = variableIn(text);
      return variable === undefined ? [] : [[plan, variable]];
    }),
  );

const ENDINGS = ['.yaml', '.yml', '.json'] as const;

/** Returns the file with the same name and another ending, such as staging.yaml for staging.yml. */
const siblingOf = (path: string): string | undefined =>
  ENDINGS.map((ending) => `${path.replace(/\.(?:ya?ml|json)$/i, '')}${ending}`).find((file) =>
    existsSync(file),
  );

/** Finds a target's file. A name takes precedence over a file; an unknown name gets the nearest one. */
function locate(nameOrPath: string): string {
  if (targetNames().includes(nameOrPath)) return configPath('targets', `${nameOrPath}.yaml`);
  if (existsSync(nameOrPath)) return nameOrPath;
  const sibling = siblingOf(nameOrPath);
  if (!/^[\w-]+$/.test(nameOrPath)) {
    if (sibling === undefined) return nameOrPath;
    throw new ConfigError({
      code: 'unreadable-file',
      message: 'The file cannot be read (the file does not exist).',
      file: nameOrPath,
      nearest: sibling,
      hint: `Write it as --target ${sibling}.`,
    });
  }
  const nearest = sibling ?? nearestName(nameOrPath, targetNames());
  throw new ConfigError({
    code: 'unknown-target',
    message: `There is no target or file "${nameOrPath}".`,
    expected: `a file, or one of ${targetNames().join(', ')}`,
    nearest,
    hint: 'Give the path of a target file, or one of these names.',
  });
}
