import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configPath, PACKAGE_HINT, sha256 } from '../kernel/config-file.js';
import { readText } from '../kernel/yaml-source.js';

/** Files in `config/interface/`, by the name before `.yaml`. */
type InterfaceFile = 'openapi' | 'plans' | 'requirements';

/** Values of these files that the build has parsed and checked. Each process would take 0.3 s for it. */
const BUILT = join(import.meta.dirname, 'built');
const builtFile = (name: InterfaceFile): string => join(BUILT, `${name}.json`);

/** Value of a file, and the SHA-256 of its text. */
interface Read<Value> {
  readonly value: Value;
  readonly hash: string;
  readonly file: string;
}

/**
 * Reads a file of the interface: as the build has parsed it, or anew without a build or after a change.
 * Throws ConfigError.
 */
export function readInterface<Value>(
  name: InterfaceFile,
  parse: (text: string, file: string) => Value,
): Read<Value> {
  const file = configPath('interface', `${name}.yaml`);
  const text = readText(file, PACKAGE_HINT);
  const hash = sha256(text);
  const built = existsSync(builtFile(name))
    ? (JSON.parse(readFileSync(builtFile(name), 'utf8')) as Read<Value>)
    : null;
  return { value: built?.hash === hash ? built.value : parse(text, file), hash, file };
}

/** Reads a file anew, and keeps its value for later processes. Part of the build. */
export function keepBuilt(name: InterfaceFile, read: () => Pick<Read<unknown>, 'value' | 'hash'>): void {
  mkdirSync(BUILT, { recursive: true });
  rmSync(builtFile(name), { force: true });
  const { value, hash } = read();
  writeFileSync(builtFile(name), JSON.stringify({ value, hash }));
}
