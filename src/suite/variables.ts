/** Environment variables between `run` and its Playwright process; what they carry is in no argument list. */

/** The worker's order, as JSON: `WorkerOrder`. */
export const ORDER_VARIABLE = 'PETSTORE_RUN_ORDER';
/** All keys of the target as a JSON array, the suites' own first: the others are there to be redacted. */
export const KEYS_VARIABLE = 'PETSTORE_RUN_KEYS';
/** The ids to state, with commas between; absent for all. */
export const SELECTED_VARIABLE = 'PETSTORE_RUN_SELECTED';
/** The folder that Playwright may write into. */
export const OUTPUT_VARIABLE = 'PETSTORE_RUN_OUTPUT';
/** The target of suites that are started by hand: a name or a file. */
export const TARGET_VARIABLE = 'PETSTORE_TARGET';

/** Environment variable between `run` and the Playwright process of own suites: their rows and files, as JSON (`OwnOrder`). */
export const OWN_VARIABLE = 'PETSTORE_RUN_OWN';

/** Folder for Playwright's temporary output, inside its folder of the run. */
export const OWN_FOLDER = 'own';
