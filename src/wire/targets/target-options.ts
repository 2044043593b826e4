import { nearestName } from '../../base/kernel/nearest-name.js';
import { parseBaseUrl } from './base-url.js';
import { buildTarget } from './build-target.js';
import { type Environment, fillIn, variableIn } from './placeholders.js';
import type { Target } from './target.js';
import { type KeyName, keyNames } from '../../base/interface/names.js';
import { ConfigError } from '../../base/kernel/errors.js';
import { checkNames, keyPlaces } from './keys.js';

/** Options in place of a target file: `--base-url URL --key PLAN=KEY ...`. */
interface TargetOptions {
  readonly baseUrl: string;
  /** Each as PLAN=KEY; the key may be `${NAME}` or `file:PATH`, which hides it from process lists. */
  readonly keys: readonly string[];
  readonly env: Environment;
}

const HINT =
  "Write --key free='${PETSTORE_FREE_KEY}', in single quotes, to keep the key out of process lists.";

/** Builds a target from options, named after its host, with default settings. Throws ConfigError. */
export function targetFromOptions({ baseUrl, keys, env }: TargetOptions): Target {
  const address = parseBaseUrl(baseUrl, {});
  const given = new Map<KeyName, string>();
  const variables = new Map<KeyName, string>();
  for (const option of keys) {
    const [name, key] = splitKey(option);
    if (given.has(name)) {
      throw new ConfigError({ code: 'bad-key-option', message: `--key ${name} is given twice.`, hint: HINT });
    }
    checkNames({ [name]: key }, env, () => ({}));
    given.set(name, fillIn(key, env, {}) ?? '');
    const variable = variableIn(key);
    if (variable !== undefined) variables.set(name, variable);
  }
  const file = { name: nameOf(address), baseUrl: address, keys: Object.fromEntries(given) };
  const target = {
    ...buildTarget(
      file,
      () => ({}),
      '.',
      (name) => `--key ${name}`,
    ),
    keyVariables: Object.fromEntries(variables),
  };
  return { ...target, keyPlaces: keyPlaces(target, file.keys, env, '.') };
}

/** Splits PLAN=KEY. Errors quote the first part only if it resembles a plan: it may be half a key. */
export function splitKey(option: string): readonly [KeyName, string] {
  const at = option.indexOf('=');
  const name = option.slice(0, Math.max(at, 0));
  const known = keyNames.find((candidate) => candidate === name);
  if (known) return [known, option.slice(at + 1)];
  const nearest = at < 0 ? undefined : nearestName(name, keyNames);
  throw new ConfigError({
    code: 'bad-key-option',
    message: nearest === undefined ? '--key needs a plan.' : `--key has an unknown plan: "${name}".`,
    expected: `PLAN=KEY, with one of ${keyNames.join(', ')}`,
    nearest,
    hint: HINT,
  });
}

/** Returns the host and port of an address in a form for folder names. */
export const nameOf = (address: string): string =>
  new URL(address).host
    .replaceAll(/[^A-Za-z0-9.]+/g, '-')
    .replace(/^[-.]+/, '')
    .slice(0, 64) || 'target';
