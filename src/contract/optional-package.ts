import { UsageError } from './usage-error.js';

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
