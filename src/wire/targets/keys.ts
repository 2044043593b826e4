import { relative, resolve } from 'node:path';
import { keyIn, pathIn } from './key-file.js';
import { type Environment, type Place, variablesIn } from './placeholders.js';
import type { KeyPlace, KeyPlaces, Target } from './target.js';
import type { TargetFile, WrittenKeys } from './target-file.js';
import { usualVariable } from './write-target.js';
import { type KeyName, keyNames, planNames } from '../../base/interface/names.js';
import { quotable } from '../../base/kernel/check-shape.js';
import type { YamlPath } from '../../base/kernel/yaml-source.js';
import { ConfigError, type ConfigErrorCode } from '../../base/kernel/errors.js';
import type { PlanName } from '../../base/interface/types.js';
import { decoded } from '../exchange/request-target.js';
import { secret, type Secret } from './secret.js';
import { unfilledKey } from './unfilled.js';

/**
 * Finds the source of each key of a target. A variable counts only if it contains the key; the one in the
 * file comes first.
 *
 * @param written the keys as given, placeholders filled in
 * @param folder base of relative paths
 */
export function keyPlaces(target: Target, written: WrittenKeys, env: Environment, folder: string): KeyPlaces {
  const variables: Readonly<Partial<Record<KeyName, string>>> = target.keyVariables ?? {};
  const keys = new Map(namedKeys(target));
  return Object.fromEntries(
    keyNames.flatMap((name): [KeyName, KeyPlace][] => {
      const given = written[name];
      const path = pathIn(keyIn(given));
      if (path !== undefined) return [[name, { file: relative('.', resolve(folder, path)) }]];
      const key = keys.get(name)?.reveal();
      const candidates = [variables[name], usualVariable(name), ...Object.keys(env)];
      const variable =
        key && candidates.find((candidate) => candidate !== undefined && env[candidate] === key);
      return variable ? [[name, { variable }]] : [];
    }),
  );
}

type PlaceOf = (path: YamlPath) => Place;

/**
 * Refuses a key that is the bare name of a variable which is set: its author meant the value. Throws
 * ConfigError `bad-key`.
 *
 * @param written the keys before placeholders are filled in
 */
export function checkNames(
  written: Readonly<Partial<Record<KeyName, unknown>>>,
  env: Environment,
  placeOf: (name: KeyName) => Place,
): void {
  for (const name of keyNames) {
    const key = keyIn(written[name]);
    if (typeof key !== 'string' || !Object.hasOwn(env, key) || env[key] === '') continue;
    throw new ConfigError({
      code: 'bad-key',
      message: `The ${name} key is the name of an environment variable, not its value.`,
      ...placeOf(name),
      expected: 'the key, or a variable in ${…}',
      hint: `Write \${${key}}, in a shell in single quotes: the kit reads the variable itself.`,
    });
  }
}

/** Shortest key to search inside a text: a shorter one may be part of a word by chance. */
const TELLING = 6;

/**
 * Refuses a variable outside `keys` that serves as a key: reports show it. Throws ConfigError
 * `misplaced-key`.
 */
export function checkVariables({ keys, ...settings }: Partial<TargetFile>, placeOf: PlaceOf): void {
  const variables = new Set(textsIn(keys).flatMap(({ text }) => variablesIn(text)));
  refuse(settings, (text) => variablesIn(text).some((name) => variables.has(name)), placeOf);
}

/** Refuses a key in any setting outside `keys`. Throws ConfigError `misplaced-key`, without the text. */
export function checkTexts(file: TargetFile, keys: readonly string[], placeOf: PlaceOf): void {
  const { keys: _, ...settings } = file;
  refuse(
    settings,
    (text) =>
      keys.some((key) => [text, decoded(text)].some((each) => holds(each.toLowerCase(), key.toLowerCase()))),
    placeOf,
  );
}

const holds = (text: string, key: string): boolean =>
  key.length < TELLING ? text === key : text.includes(key);

function refuse(settings: object, isMisplaced: (text: string) => boolean, placeOf: PlaceOf): void {
  const misplaced = textsIn(settings).find(({ text }) => isMisplaced(text));
  if (misplaced === undefined) return;
  throw new ConfigError({
    code: 'misplaced-key',
    message: `"${misplaced.path.map(quotable).join('.')}" contains a key, or a variable that is used as one.`,
    ...placeOf(misplaced.path),
    expected: 'a key under "keys" only',
    hint: 'Remove the key there, because reports show these settings. If a report already shows it, revoke it.',
  });
}

function textsIn(
  value: unknown,
  path: YamlPath = [],
): readonly { readonly path: YamlPath; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, [...path, name]));
}

type WithKeys = Pick<Target, 'keys' | 'sacrificial'>;

/** The sacrificial one last. */
export const namedKeys = ({ keys, sacrificial }: WithKeys): readonly (readonly [KeyName, Secret])[] =>
  keyNames.flatMap((name) => {
    const key = name === 'sacrificial' ? sacrificial?.key : keys[name];
    return key ? [[name, key]] : [];
  });

/** Returns the plans whose own key is given, of the selected ones; no selection leaves out none. */
export const plansWithKey = (
  { keys }: Pick<WithKeys, 'keys'>,
  selected?: readonly PlanName[] | null,
): readonly PlanName[] =>
  planNames.filter((plan) => keys[plan] !== undefined && (selected?.includes(plan) ?? true));

/** In clear, only for finding them in wrong places. */
export const keysIn = (target: WithKeys): readonly string[] =>
  namedKeys(target).map(([, key]) => key.reveal());

/** Characters of one token in an HTTP header: visible ASCII. */
const SENDABLE = /^[\x21-\x7e]+$/;

/**
 * Checks and wraps keys. The suites' key is the requested one, or the largest plan's. Throws ConfigError
 * `no-key`, `bad-key`, `duplicate-key` or `suite-key`, without any part of a key.
 *
 * @param plans requested plan of the suites' key, and plan of the sacrificial key
 */
export function readKeys(
  raw: Readonly<Partial<Record<KeyName, string>>>,
  {
    suiteKey,
    sacrificial: plan = 'free',
  }: { readonly [Key in 'suiteKey' | 'sacrificial']?: PlanName | undefined },
  placeOf: (name: KeyName | 'suiteKey') => Place,
): Pick<Target, 'keys' | 'sacrificial' | 'suiteKey'> {
  const fail = (
    code: ConfigErrorCode,
    name: Parameters<typeof placeOf>[0],
    message: string,
    hint: string,
  ): never => {
    throw new ConfigError({ code, message, ...placeOf(name), hint });
  };
  const holders = new Map<string, KeyName>();
  for (const name of keyNames) {
    const key = raw[name];
    if (key === undefined) continue;
    if (key === '')
      fail('bad-key', name, `The ${name} key is empty.`, 'Give the key, or leave out its name.');
    const unfilled = unfilledKey(key);
    if (unfilled)
      fail('bad-key', name, `The ${name} key cannot be one: it has ${unfilled.what}.`, unfilled.hint);
    if (!SENDABLE.test(key)) {
      fail(
        'bad-key',
        name,
        `The ${name} key contains a character that a header cannot carry.`,
        'A key is visible ASCII. Look for a line break, a space or a typographic quote at its ends.',
      );
    }
    const other = holders.get(key);
    if (other) {
      fail(
        'duplicate-key',
        name,
        `The ${name} key and the ${other} key are the same.`,
        'Give each name its own key.',
      );
    }
    holders.set(key, name);
  }
  const given = planNames.filter((plan) => raw[plan] !== undefined);
  const largest = given.at(-1);
  if (largest === undefined) {
    return fail(
      'no-key',
      'free',
      'No plan has a key.',
      `Add one of ${planNames.join(', ')}: under keys in a target file, or with --key free='\${PETSTORE_FREE_KEY}'.`,
    );
  }
  if (suiteKey !== undefined && !given.includes(suiteKey)) {
    return fail(
      'suite-key',
      'suiteKey',
      `suiteKey is ${suiteKey}, but there is no ${suiteKey} key.`,
      `Keys are given for: ${given.join(', ')}.`,
    );
  }
  return {
    keys: Object.fromEntries(given.map((plan) => [plan, secret(raw[plan] ?? '')])),
    ...(raw.sacrificial !== undefined && { sacrificial: { key: secret(raw.sacrificial), plan } }),
    suiteKey: suiteKey ?? largest,
  };
}
