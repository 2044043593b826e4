import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from './errors.js';

/**
 * Loads a package that only some runs need, or says what is to be installed.
 * @param what the sentence that names what is missing
 * @param hint how to install it, and what goes without
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

interface Manifest {
  readonly root: string;
  readonly version: string;
}

/** Walks up from a folder to the package's own manifest, so that compiled code finds it from any output folder. */
function findManifest(from: string): Manifest {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) {
      const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown; version?: unknown };
      if (name === PACKAGE_NAME && typeof version === 'string') return { root: folder, version };
    }
    if (folder === dirname(folder)) throw new Error(`No package.json of ${PACKAGE_NAME} stands above ${from}.`);
  }
}

let manifest: Manifest | undefined;
const ownManifest = (): Manifest => (manifest ??= findManifest(import.meta.dirname));

/** The folder in which the package's `config/`, `dist/` and `package.json` stand, as an absolute path. */
export const packageRoot = (): string => ownManifest().root;

/** The kit's version, from its `package.json`. */
export const kitVersion = (): string => ownManifest().version;

/** The kit as it names itself in every request. */
export const kit = () => ({ name: 'petstore-conformance', version: kitVersion() });
