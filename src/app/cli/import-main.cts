/*
 * Loads the command, which is an ECMAScript module. A separate file, because an old Node cannot read `import()`. If the module
 * cannot be loaded, Node would exit with 1, which would mean non-conformant.
 */

/** Open files that loading the kit takes at most. */
const LEAST_FILES = 128;
/** Exit code of errors that are no verdict. */
const EXIT_ERROR = 2;

/** True if this process may open too few files to load the kit: Node then reports a missing module. */
function hasFewFiles(error: unknown): boolean {
  if (error instanceof Error && 'code' in error && error.code === 'EMFILE') return true;
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
  };
  return Number(userLimits?.open_files?.soft) < LEAST_FILES;
}

import('./main.js').catch((error: unknown) => {
  const [fault, hint] = hasFewFiles(error)
    ? ['usage           This process may open too few files to start.', 'Raise `ulimit -n` to 1024 or more.']
    : [
        `kit             ${error instanceof Error ? error.message : String(error)}`,
        'Install the package again.',
      ];
  process.stderr.write(`${fault}\nwhat to do      ${hint}\n`);
  process.exitCode = EXIT_ERROR;
});
