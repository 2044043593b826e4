import { type KeyName, keyNames } from '../contract/plan-names.js';
import { pathIn, readKeyFile } from './key-file.js';
import type { RawKeys } from './keys.js';
import type { Place } from './placeholders.js';
import type { WrittenKey, WrittenKeys } from './target-file.js';

/** Keys in clear, and what is doubtful about the files that some of them came from. */
export interface ReadKeys {
  readonly keys: RawKeys;
  readonly warnings: readonly string[];
}

/** Reads the keys that stand in files. Throws ConfigError `key-file`. */
export function readKeySources(
  written: WrittenKeys,
  folder: string,
  placeOf: (name: KeyName) => Place,
  nameOf = (name: KeyName): string => `"keys.${name}"`,
): ReadKeys {
  const warnings: string[] = [];
  const read = (key: WrittenKey, name: KeyName): string => {
    const path = pathIn(key);
    if (path === undefined) return typeof key === 'string' ? key : '';
    const found = readKeyFile(path, nameOf(name), folder, placeOf(name));
    if (found.warning !== undefined) warnings.push(found.warning);
    return found.key;
  };
  const { sacrificial, ...plans } = written;
  const keys: RawKeys = {
    ...Object.fromEntries(
      keyNames.flatMap((name) => {
        const key = name === 'sacrificial' ? undefined : plans[name];
        return key === undefined ? [] : [[name, read(key, name)]];
      }),
    ),
    ...(sacrificial !== undefined && {
      sacrificial:
        typeof sacrificial === 'object' && 'plan' in sacrificial
          ? { key: read('key' in sacrificial ? sacrificial.key : sacrificial, 'sacrificial'), plan: sacrificial.plan }
          : read(sacrificial, 'sacrificial'),
    }),
  };
  return { keys, warnings };
}
