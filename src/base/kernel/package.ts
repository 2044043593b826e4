import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from './errors.js';

/**
 * Loads a package that only some runs need, or throws with a hint to install it.
 *
 * @param what sentence that names the missing package
 * @param hint how to install it, and what works without it
 * @throws UsageError not-installed
 */
export async function optionalPackage<Module>(
  load: () => Promise<Module>,
  what: string,
  hint: string,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError('not-installed', what, hint, { cause: error });
  }
}

const PACKAGE_NAME = 'petstore-conformance';

/** Searches the folders above for the package's manifest, so compiled code finds it from any output folder. */
function findManifest(from: string) {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) {
      const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as {
        name?: unknown;
        version?: unknown;
      };
      if (name === PACKAGE_NAME && typeof version === 'string') return { root: folder, version };
    }
    if (folder === dirname(folder))
      throw new Error(`There is no package.json of ${PACKAGE_NAME} above ${from}.`);
  }
}

let manifest: ReturnType<typeof findManifest> | undefined;
const ownManifest = () => (manifest ??= findManifest(import.meta.dirname));

export const packageRoot = (): string => ownManifest().root;

/** Returns a compiled file or folder, by its path in `dist/`: of this build, otherwise of the package. */
export function compiled(path: string): string {
  const beside = join(import.meta.dirname, '../../..', path);
  return existsSync(beside) ? beside : join(packageRoot(), 'dist', path);
}

export const kitVersion = (): string => ownManifest().version;

export const kit = () => ({ name: PACKAGE_NAME, version: kitVersion() });
