import { relative, resolve } from 'node:path';
import { type KeyName, keyNames } from '../contract/plan-names.js';
import { pathIn } from './key-file.js';
import type { Environment } from './placeholders.js';
import type { WrittenKeys } from './target-file.js';
import type { Target } from './target.js';
import { usualVariable } from './write-target.js';

/** Where a shell finds a key again: a variable of the environment, or a file by its path from the folder of the run. */
export type KeyPlace = { readonly variable: string } | { readonly file: string };

/** The places by key; a key that was given in clear, and that no variable holds, has none. */
export type KeyPlaces = Readonly<Partial<Record<KeyName, KeyPlace>>>;

/**
 * Finds each key of a target again. A variable counts only if it holds the key; the one that was written comes first.
 * @param written the keys as given, placeholders filled in
 * @param folder where relative paths start
 */
export function keyPlaces(target: Target, written: WrittenKeys, env: Environment, folder: string): KeyPlaces {
  const variables: Readonly<Partial<Record<KeyName, string>>> = target.keyVariables ?? {};
  return Object.fromEntries(
    keyNames.flatMap((name): [KeyName, KeyPlace][] => {
      const given = written[name];
      const path = pathIn(typeof given === 'object' && 'key' in given ? given.key : given);
      if (path !== undefined) return [[name, { file: relative('.', resolve(folder, path)) }]];
      const key = (name === 'sacrificial' ? target.sacrificial?.key : target.keys[name])?.reveal();
      const candidates = [variables[name], usualVariable(name), ...Object.keys(env)];
      const variable = key && candidates.find((candidate) => candidate !== undefined && env[candidate] === key);
      return variable ? [[name, { variable }]] : [];
    }),
  );
}
