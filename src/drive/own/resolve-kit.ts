import module from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Loaded before own suites, to give them the running kit and Playwright: a second copy would not know the
 * first.
 */

const require = module.createRequire(import.meta.url);
const PLACES: Readonly<Record<string, string>> = {
  'petstore-conformance': join(import.meta.dirname, '../../index.js'),
  '@playwright/test': require.resolve('@playwright/test'),
};

type Resolve = (request: string, ...rest: readonly unknown[]) => string;
/** Node's internal name of the resolver for `require`. */
const RESOLVE = '_resolveFilename';
const loader = module as unknown as Record<typeof RESOLVE, Resolve>;
const resolveAsUsual = loader[RESOLVE];
loader[RESOLVE] = function (this: unknown, request, ...rest) {
  return PLACES[request] ?? resolveAsUsual.call(this, request, ...rest);
};

/** Redirects `import` too, on the thread where Node resolves it. */
const hook = `
const places = ${JSON.stringify(
  Object.fromEntries(
    Object.entries({
      ...PLACES,
      '@playwright/test': join(dirname(PLACES['@playwright/test'] ?? ''), 'index.mjs'),
    }).map(([name, path]) => [name, pathToFileURL(path).href]),
  ),
)};
export const resolve = (specifier, context, next) =>
  places[specifier] ? { url: places[specifier], shortCircuit: true } : next(specifier, context);
`;

module.register(`data:text/javascript,${encodeURIComponent(hook)}`);
