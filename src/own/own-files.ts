import { readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { UsageError } from '../contract/usage-error.js';

/** What Playwright takes for a suite in a folder that is named whole. */
const USUAL = '**/*.{spec,test}.{ts,mts,cts,js,mjs,cjs}';

/** Folders that hold nobody's suites, and may be large. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git']);

/**
 * The files that patterns name, each once, absolute and in order: `*` and `?` for characters of a name, `**` for folders,
 * `{a,b}` for alternatives. A folder stands for the suites below it.
 * @throws UsageError `unmatched-suite` for a pattern that names no file
 */
export function ownFiles(patterns: readonly string[]): readonly string[] {
  return [...new Set(patterns.flatMap(filesOf))];
}

function filesOf(pattern: string): readonly string[] {
  const whole = resolve(pattern);
  const stat = statSync(whole, { throwIfNoEntry: false });
  if (stat?.isFile()) return [whole];
  const glob = stat?.isDirectory() ? join(whole, USUAL) : whole;
  const found = filesBelow(baseOf(glob), expressionOf(glob.split(sep).join('/')));
  if (found.length > 0) return found;
  throw new UsageError(
    'unmatched-suite',
    `No file matches --suite ${pattern}.`,
    'Name a file, a folder with *.spec.ts files, or a pattern in single quotes. Nothing was sent.',
  );
}

/** The folder above the first name with a wildcard. */
function baseOf(glob: string): string {
  const at = glob.search(/[*?{]/);
  return at < 0 ? dirname(glob) : dirname(`${glob.slice(0, at)}x`);
}

function filesBelow(folder: string, expression: RegExp): readonly string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that is not there, or is not ours to read, holds no suites.
    return [];
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(path, expression);
      return expression.test(path.split(sep).join('/')) ? [path] : [];
    });
}

/** A pattern as a regular expression over whole paths. */
function expressionOf(glob: string): RegExp {
  let depth = 0;
  const text = glob.replace(/\*\*\/|\*\*|\*|\?|[{},]|[.+^$()|[\]\\]/g, (piece) => {
    switch (piece) {
      case '**/':
        return '(?:[^/]+/)*';
      case '**':
        return '.*';
      case '*':
        return '[^/]*';
      case '?':
        return '[^/]';
      case '{':
        depth += 1;
        return '(?:';
      case '}':
        depth -= 1;
        return ')';
      case ',':
        return depth > 0 ? '|' : ',';
      default:
        return `\\${piece}`;
    }
  });
  if (depth !== 0)
    throw new UsageError('unmatched-suite', `A brace of --suite ${glob} has no partner.`, 'Write {a,b} whole.');
  return new RegExp(`^${text}$`);
}
