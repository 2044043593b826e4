/*
 * Preloaded into the process of the kit's suites, which are compiled. Playwright loads its TypeScript compiler at the start, to
 * rewrite snapshots: a sixth of that process's time, and 10 MB. Here it gets one that loads itself when something is used.
 */
import Module = require('node:module');

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

type Compiler = Readonly<Record<string, unknown>>;

/** Names that the compiler's file exports, and that Playwright uses as functions. */
const FUNCTIONS = ['babelParse', 'babelTransform', 'declare', 'traverse'] as const;

/** Puts a compiler that loads itself late in place of the one in a file. */
function standInFor(file: string): void {
  let loaded: Compiler | undefined;
  const compiler = (): Compiler => {
    if (loaded === undefined) {
      delete require.cache[file];
      loaded = require(file) as Compiler;
    }
    return loaded;
  };

  const late: object = {
    types: new Proxy({}, { get: (_, name) => (compiler()['types'] as Record<PropertyKey, unknown>)[name] }),
  };
  for (const name of FUNCTIONS)
    Object.defineProperty(late, name, { enumerable: true, get: () => compiler()[name] });
  const standIn = new Module(file);
  standIn.filename = file;
  standIn.loaded = true;
  standIn.exports = late;
  require.cache[file] = standIn;
}

const { dependencies } = require('petstore-conformance/package.json') as Manifest;
const { version } = require('@playwright/test/package.json') as Manifest;
// Another version, as by `overrides`, may have other files: it keeps its compiler.
if (version === dependencies['@playwright/test'])
  standInFor(
    Module.createRequire(require.resolve('@playwright/test/cli')).resolve(
      'playwright/lib/transform/babelBundle',
    ),
  );
