/** Environment variable between `run` and the Playwright process of own suites: their rows and files, as JSON (`OwnOrder`). */
export const OWN_VARIABLE = 'PETSTORE_RUN_OWN';

/** Where Playwright may write meanwhile, below its folder of the run. */
export const OWN_FOLDER = 'own';
