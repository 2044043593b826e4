import { ConfigError } from '../contract/config-error.js';
import type { YamlPath } from '../contract/yaml-source.js';
import { type Place, variablesIn } from './placeholders.js';
import type { TargetFile } from './target-file.js';

type PlaceOf = (path: YamlPath) => Place;

/** A shorter key may be part of a word by chance. */
const TELLING = 6;

/**
 * Refuses a variable outside `keys` that serves as a key: every report shows the other settings. Throws ConfigError
 * `misplaced-key`.
 * @param written the file with its placeholders
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
    (text) => keys.some((key) => readingsOf(text).some((each) => holds(each.toLowerCase(), key.toLowerCase()))),
    placeOf,
  );
}

const holds = (text: string, key: string): boolean => (key.length < TELLING ? text === key : text.includes(key));

function refuse(settings: object, isMisplaced: (text: string) => boolean, placeOf: PlaceOf): void {
  const misplaced = textsIn(settings).find(({ text }) => isMisplaced(text));
  if (misplaced === undefined) return;
  throw new ConfigError({
    code: 'misplaced-key',
    message: `"${misplaced.path.join('.')}" holds a key, or a variable that serves as one.`,
    ...placeOf(misplaced.path),
    expected: 'a key under "keys" only',
    hint: 'Reports show all other settings: take the key out. Where it was shown before, replace it.',
  });
}

/** A text as it stands, and as an address with escapes reads. */
function readingsOf(text: string): readonly string[] {
  try {
    return [text, decodeURIComponent(text)];
  } catch {
    return [text];
  }
}

/** All texts of a value, and where they stand. */
function textsIn(value: unknown, path: YamlPath = []): readonly { readonly path: YamlPath; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, [...path, name]));
}
