import { safeText } from '../../outcome/words/safe-text.js';

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export type OutputStream = NodeJS.WritableStream & Terminal;

export interface Look {
  readonly columns: number;
  readonly colour: boolean;
  readonly glyphs: Glyphs;
  readonly unicode: boolean;
  readonly verbose: boolean;
  /** True for a terminal, which shows each part when it is settled; a file has everything in order. */
  readonly isScreen: boolean;
}

/** Marks with and without Unicode, one column wide except `cut`, the mark of a cut text, and `between` facts. */
const MARKS = {
  passed: ['✓', '+'],
  failed: ['✗', 'x'],
  warned: ['!', '!'],
  inconclusive: ['?', '?'],
  'not-applicable': ['–', '-'],
  observed: ['·', '.'],
  error: ['✗', 'x'],
  waiting: ['…', '~'],
  cut: ['…', '...'],
  between: [' · ', ', '],
  barDone: ['━', '='],
  barLeft: ['─', '-'],
  /** One picture after the other. */
  spinner: ['⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏', '|/-\\'],
} as const;

type Glyphs = Readonly<Record<keyof typeof MARKS, string>>;

const glyphsOf = (unicode: boolean) =>
  Object.fromEntries(
    Object.entries(MARKS).map(([name, [mark, ascii]]) => [name, unicode ? mark : ascii]),
  ) as Glyphs;

/** Default width, as on old terminals and in CI pages without scrolling. */
const DEFAULT_COLUMNS = 80;
/** Maximum width: longer lines are hard to read. */
const WIDEST = 120;
/** Minimum width of the layout; a narrower terminal wraps. */
const NARROWEST = 30;

export function lookOf(stream: Terminal, env: NodeJS.ProcessEnv, verbose = false): Look {
  const unicode = isUtf8(env);
  return {
    columns: Math.min(WIDEST, Math.max(NARROWEST, stream.columns || DEFAULT_COLUMNS)),
    colour: hasColour(stream, env),
    glyphs: glyphsOf(unicode),
    unicode,
    verbose,
    isScreen: stream.isTTY === true,
  };
}

/** Returns the abilities of a text that may go to a terminal or a file. */
export const plainLook = (colour: boolean): Look => ({ ...lookOf({}, { LANG: 'UTF-8' }), colour });

export const canRedraw = (stream: Terminal, env: NodeJS.ProcessEnv): boolean =>
  stream.isTTY === true && env['TERM'] !== 'dumb';

export interface Output {
  readonly stream: OutputStream;
  readonly env: NodeJS.ProcessEnv;
  /**
   * `auto`: live on a terminal, plain elsewhere, with annotations on GitHub. `list`: plain. `quiet`: one
   * sentence.
   */
  readonly reporter: 'auto' | 'list' | 'github' | 'quiet';
}

export const isGithub = ({ reporter, env, stream }: Output): boolean =>
  reporter === 'github' || (reporter === 'auto' && env['GITHUB_ACTIONS'] === 'true' && stream.isTTY !== true);

export const say = (look: Look, text: string): string => safeText(text, look.unicode);

/**
 * Is true for colour: by NO_COLOR and FORCE_COLOR (https://no-color.org, https://force-color.org), or else on
 * terminals.
 */
export function hasColour(stream: Terminal, env: NodeJS.ProcessEnv): boolean {
  if (env['NO_COLOR']) return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  return canRedraw(stream, env);
}

/** POSIX order of precedence. A CI log is read in a browser, so only an explicit C or POSIX excludes UTF-8. */
function isUtf8(env: NodeJS.ProcessEnv): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  if (/utf-?8/i.test(locale)) return true;
  return env['CI'] ? !/^(?:C|POSIX)$/.test(locale) : process.platform === 'win32';
}
