import type * as Yaml from 'yaml';
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { count, size } from './format.js';
import { once } from './config-file.js';
import { ConfigError } from './errors.js';
import { checkRegular } from './places.js';
import { decodedText } from './text-encoding.js';

/** Loaded with the first file: a run with an address needs none. */
const library = once(() => createRequire(import.meta.url)('yaml') as typeof Yaml);

export type YamlPath = readonly (string | number)[];

/** Maximum bytes of a handwritten file or a run's results; a longer one is a mistake. */
const MOST_BYTES = 256 * 2 ** 20;

/**
 * Reads a regular file as UTF-8 or UTF-16; a pipe may never have data. Throws the system's error, or ENXIO,
 * or EFBIG.
 */
export function readRegularFile(file: string, mostBytes = MOST_BYTES): string {
  const stats = statSync(file);
  checkRegular(stats);
  if (stats.size > mostBytes) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
  return decodedText(readFileSync(file));
}

/** Reads a file as `readRegularFile` does. Throws ConfigError `unreadable-file`. */
export function readText(file: string, hint: string): string {
  try {
    return readRegularFile(file);
  } catch (cause) {
    throw new ConfigError({
      code: 'unreadable-file',
      message: `The file cannot be read (${whyUnreadable(cause)}).`,
      file,
      hint,
      cause,
    });
  }
}

export function whyUnreadable(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  return REASONS.get(code) ?? code;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'the file does not exist'],
  ['EEXIST', 'a file has that name'],
  ['EACCES', 'permission denied'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ELOOP', 'its links form a loop'],
  ['ENXIO', 'it is a pipe, a socket or a device'],
  ['EFBIG', 'it is too large'],
  ['EROFS', 'the disk is read-only'],
  ['ENOSPC', 'the disk is full'],
]);

/**
 * Maximum characters, names and tokens of a text: the kit's files are much smaller, and a map takes quadratic
 * time.
 */
const MOST_CHARACTERS = 4 * 2 ** 20;
const MOST_NAMES = 5_000;
const MOST_SIGNS = 200_000;

/**
 * True for a text that would take minutes to parse. A short one is not counted, because counting takes as
 * long as parsing.
 */
function isTooLarge(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return true;
  // A token has a character, or stands before one as a mark.
  if (text.length <= MOST_SIGNS / 2 && text.split(':').length - 1 <= MOST_NAMES) return false;
  let [names, signs] = [0, 0];
  for (const sign of new (library().Lexer)().lex(text)) {
    signs += 1;
    if (sign === ':') names += 1;
    if (names > MOST_NAMES || signs > MOST_SIGNS) return true;
  }
  return false;
}

/**
 * Most values inside each other: the kit's files have ten. The parser recurses, and Node aborts where its
 * stack ends.
 */
const MOST_NESTED = 200;

/** Marks of nested blocks: a line of them, or its indentation, which the parser follows as brackets. */
const NESTED_BLOCKS = new RegExp(`(?:[-?:][ \\t]+){${MOST_NESTED / 4}}|^[ \\t]{${2 * MOST_NESTED}}`, 'm');

/** True for a text with too many brackets open at the same time, whether or not a quoted text has them. */
function isTooDeep(text: string): boolean {
  let open = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open = Math.max(0, open + (bracket === '[' || bracket === '{' ? 1 : -1));
    if (open > MOST_NESTED) return true;
  }
  return NESTED_BLOCKS.test(text);
}

/** Rejects a text that would take minutes to parse, or end the process. */
function checkExtent(text: string, file: string): void {
  const isDeep = isTooDeep(text);
  if (!isDeep && !isTooLarge(text)) return;
  throw new ConfigError({
    code: 'too-large',
    message: isDeep ? 'The file is nested too deeply.' : 'The file is too large.',
    file,
    expected: isDeep
      ? `at most ${MOST_NESTED} values inside each other`
      : `at most ${count(MOST_NAMES)} names and ${size(MOST_CHARACTERS)}`,
    hint: 'Check that it is the right file.',
  });
}

/** Control characters that neither YAML nor JSON allows. */
const NO_TEXT = /[^\P{Cc}\s\u0085]/u;

const notText = (file: string): ConfigError =>
  new ConfigError({
    code: 'yaml-syntax',
    message: 'The file is not text.',
    file,
    expected: 'YAML or JSON',
    hint: 'Check that it is the right file.',
  });

export type YamlSource = ReturnType<typeof parseYaml>;

/**
 * Parses YAML, a superset of JSON. Throws ConfigError `yaml-syntax` with the first fault's line, or
 * `too-large`.
 */
export function parseYaml(text: string, file: string) {
  if (NO_TEXT.test(text)) throw notText(file);
  checkExtent(text, file);
  const { LineCounter, parseDocument } = library();
  const lines = new LineCounter();
  // Pretty errors quote the source, which may contain a key.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const [fault] = document.errors;
  if (fault) throw syntaxError(file, lineAt(fault.pos[0]), fault.code, file.endsWith('.json'));
  return {
    file,
    toValue: (): unknown => {
      try {
        const value: unknown = document.toJS();
        if (holdsItself(value)) throw new Error('a value contains itself');
        return value;
      } catch {
        throw syntaxError(file, 1, 'BAD_ALIAS');
      }
    },
    /** Returns the line, from 1, of the value at a path, or of its nearest existing ancestor. */
    lineOf: (path: YamlPath): number => lineAt(offsetOf(document, path)),
  };
}

/** Is true if a value contains itself, by an alias to its ancestor: walking it would never end. */
function holdsItself(value: unknown, above: ReadonlySet<unknown> = new Set()): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const path = new Set(above).add(value);
  return above.has(value) || Object.values(value).some((part) => holdsItself(part, path));
}

/** Phrases the parser's code: its message may quote the source. */
function syntaxError(file: string, line: number, code: string, isJson = false): ConfigError {
  const why = FAULTS.get(code) ?? code.toLowerCase().replaceAll('_', ' ');
  return new ConfigError({
    code: 'yaml-syntax',
    message: `The file is not well-formed ${isJson ? 'JSON' : 'YAML or JSON'} (${why}).`,
    file,
    line,
    hint: REMEDIES.get(code) ?? (isJson ? JSON_REMEDY : YAML_REMEDY),
  });
}

const FAULTS: ReadonlyMap<string, string> = new Map([
  ['DUPLICATE_KEY', 'a name stands twice in the same place'],
  ['MISSING_CHAR', 'a quote, a bracket, a comma or a colon is missing'],
  ['BAD_INDENT', 'wrong indentation'],
  ['TAB_AS_INDENT', 'a tab as indentation'],
  ['MULTIPLE_DOCS', 'several documents'],
]);

const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['DUPLICATE_KEY', 'Remove one of the two.'],
  ['TAB_AS_INDENT', 'Indent with spaces.'],
  ['MULTIPLE_DOCS', 'Leave one document: remove the line "---" and what follows.'],
]);
const YAML_REMEDY = 'Check indentation, quotes and brackets there. Inside { } a ${NAME} needs quotes.';
const JSON_REMEDY = 'Check quotes, commas and brackets there, or copy the file again: it may be cut short.';

function offsetOf(document: Yaml.Document.Parsed, path: YamlPath): number {
  const { isAlias, isMap, isNode, isScalar, isSeq } = library();
  let node: unknown = document.contents;
  let offset = isNode(node) ? startOf(node, 0) : 0;
  for (const step of path) {
    const holder: unknown = isAlias(node) ? node.resolve(document) : node;
    if (isMap(holder)) {
      const pair = holder.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(step));
      if (!pair) return offset;
      if (isNode(pair.key)) offset = startOf(pair.key, offset);
      node = pair.value;
    } else if (isSeq(holder)) {
      node = holder.items[Number(step)];
      if (isNode(node)) offset = startOf(node, offset);
    } else return offset;
  }
  return offset;
}

const startOf = (node: Yaml.Node, otherwise: number): number => node.range?.[0] ?? otherwise;
