/** Environment variables between `run` and its Playwright process, which keep data out of argument lists. */

/** The worker's order, as JSON: `WorkerOrder`. */
export const ORDER_VARIABLE = 'PETSTORE_RUN_ORDER';
/** All keys of the target as a JSON array, the suites' own first; the others are for redacting. */
export const KEYS_VARIABLE = 'PETSTORE_RUN_KEYS';
/** Selected ids, separated by commas; absent for all. */
export const SELECTED_VARIABLE = 'PETSTORE_RUN_SELECTED';
/** Folder for Playwright's files. */
export const OUTPUT_VARIABLE = 'PETSTORE_RUN_OUTPUT';
/** Target of suites started without `run`: a name or a file. */
export const TARGET_VARIABLE = 'PETSTORE_TARGET';

/** Environment variable between `run` and the Playwright process of own suites: their rows and files, as JSON (`OwnOrder`). */
export const OWN_VARIABLE = 'PETSTORE_RUN_OWN';

/** Folder for Playwright's temporary output, inside its folder of the run. */
export const OWN_FOLDER = 'own';
