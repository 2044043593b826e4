/*
 * Preloaded into the process of the kit's suites, which are compiled. Playwright loads its TypeScript compiler at the start, to
 * rewrite snapshots: a sixth of that process's time, and 10 MB. Here it gets one that loads itself when something is used.
 */
import Module = require('node:module');

type Compiler = Readonly<Record<string, unknown>>;

/** Names that the compiler's file exports, and that Playwright uses as functions. */
const FUNCTIONS = ['babelParse', 'babelTransform', 'declare', 'traverse'] as const;

/** The file belongs to the exact version of Playwright that package.json names. */
const file = Module.createRequire(require.resolve('@playwright/test/cli')).resolve(
  'playwright/lib/transform/babelBundle',
);

let loaded: Compiler | undefined;

function compiler(): Compiler {
  if (loaded === undefined) {
    delete require.cache[file];
    loaded = require(file) as Compiler;
  }
  return loaded;
}

const late: object = {
  types: new Proxy({}, { get: (_, name) => (compiler()['types'] as Record<PropertyKey, unknown>)[name] }),
};
for (const name of FUNCTIONS) Object.defineProperty(late, name, { enumerable: true, get: () => compiler()[name] });

const standIn = new Module(file);
standIn.filename = file;
standIn.loaded = true;
standIn.exports = late;
require.cache[file] = standIn;
