import type { YamlPath } from '../../base/kernel/yaml-source.js';
import { ConfigError } from '../../base/kernel/errors.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Source of a value: file and line, or nothing for a command-line option. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
}

const PLACEHOLDER = /\$\{([^}]*)\}/g;
const NAME = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/**
 * Fills in the placeholders of a text: `${NAME}` must be set and not empty, `${NAME:-default}` and
 * `${NAME:-}` may be missing. Returns undefined if placeholders are the whole text and all are empty. Throws
 * ConfigError `env-missing` or `bad-placeholder` with the variable's name and never a value.
 */
export function fillIn(text: string, env: Environment, place: Place): string | undefined {
  const filled = text.replace(PLACEHOLDER, (_, inner: string) => {
    const match = NAME.exec(inner);
    if (!match || inner.includes('${')) throw badPlaceholder(place);
    const [, name = '', otherwise] = match;
    const value = env[name];
    if (value !== undefined && value !== '') return value;
    if (otherwise !== undefined) return otherwise;
    throw new ConfigError({
      code: 'env-missing',
      message: `The environment variable ${name} is not set or empty.`,
      ...place,
      expected: `a value in ${name}`,
      hint: `Set ${name}, or write \${${name}:-} if it may be missing.`,
    });
  });
  if (text.replace(PLACEHOLDER, '').includes('${')) throw badPlaceholder(place);
  return filled === '' && text !== '' ? undefined : filled;
}

export const variablesIn = (text: string): readonly string[] =>
  [...text.matchAll(PLACEHOLDER)].flatMap(([, inner = '']) => NAME.exec(inner)?.[1] ?? []);

/** Returns the variable of a text that is only a placeholder; undefined for any other text. */
export const variableIn = (text: unknown): string | undefined =>
  typeof text === 'string' ? /^\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-.*)?\}$/s.exec(text)?.[1] : undefined;

/** A schema's part for one place, as placeholders need it. */
export interface Slot {
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  /** Alternatives for a complete value. */
  readonly anyOf?: readonly { readonly required: readonly string[] }[];
  readonly properties?: Readonly<Record<string, Slot>>;
  readonly items?: Slot;
}

/**
 * Fills in every text of a document. A text from a placeholder becomes a number or a boolean if its slot
 * demands one. Drops a member with an empty placeholder. Also drops an optional map that becomes empty or
 * lacks a required member.
 */
export function fillInAll(
  value: unknown,
  slot: Slot | undefined,
  env: Environment,
  placeOf: (path: YamlPath) => Place,
  path: YamlPath = [],
  needed = true,
): unknown {
  if (typeof value === 'string') {
    const text = fillIn(value, env, placeOf(path));
    return text === undefined || text === value ? text : typed(text, slot);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return slot?.items
      ? value.flatMap((item: unknown, at) => fillInAll(item, slot.items, env, placeOf, [...path, at]) ?? [])
      : value;
  const isNeeded = (name: string): boolean => slot?.required?.includes(name) ?? false;
  const members = Object.entries(value).map(
    ([name, member]) =>
      [
        name,
        fillInAll(member, slot?.properties?.[name], env, placeOf, [...path, name], isNeeded(name)),
      ] as const,
  );
  const kept = members.filter(([, member]) => member !== undefined);
  const isWhole = (required: readonly string[] = []): boolean =>
    required.every((name) => kept.some(([at]) => at === name));
  const useless =
    kept.length < members.length &&
    (kept.length === 0 ||
      !isWhole(slot?.required?.filter((name) => name in value)) ||
      (slot?.anyOf !== undefined && !slot.anyOf.some(({ required }) => isWhole(required))));
  return useless && !needed ? undefined : Object.fromEntries(kept);
}

function typed(text: string, slot: Slot | undefined): unknown {
  const types = [slot?.type].flat();
  if ((types.includes('integer') || types.includes('number')) && /^\d+(\.\d+)?$/.test(text))
    return Number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function badPlaceholder(place: Place): ConfigError {
  return new ConfigError({
    code: 'bad-placeholder',
    message: 'A placeholder is malformed.',
    ...place,
    expected: '${NAME}, ${NAME:-} or ${NAME:-default}',
    hint: 'Names of variables have letters, digits and underscores, and do not start with a digit.',
  });
}
