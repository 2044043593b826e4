import { harmless } from '../words/harmless.js';

/** A stream that lines go to; the two members tell a terminal from a file. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** Marks for outcomes and for the edges of a line; every one is a single column wide but `cut` and `between`. */
interface Glyphs {
  readonly passed: string;
  readonly failed: string;
  readonly warned: string;
  readonly inconclusive: string;
  readonly 'not-applicable': string;
  readonly observed: string;
  readonly error: string;
  readonly waiting: string;
  /** Stands where a text was cut. */
  readonly cut: string;
  /** Between the facts of one line. */
  readonly between: string;
  readonly barDone: string;
  readonly barLeft: string;
  readonly spinner: readonly string[];
}

/** What the place that is printed to can show. */
export interface Look {
  /** Lines are at most this wide. */
  readonly columns: number;
  readonly colour: boolean;
  readonly glyphs: Glyphs;
  readonly unicode: boolean;
  /** Every row and every request. */
  readonly verbose: boolean;
  /** Lines that a run in which all is well should fit on; Infinity in a file. */
  readonly lines: number;
}

const UNICODE: Glyphs = {
  passed: '✓',
  failed: '✗',
  warned: '!',
  inconclusive: '?',
  'not-applicable': '–',
  observed: '·',
  error: '✗',
  waiting: '…',
  cut: '…',
  between: ' · ',
  barDone: '━',
  barLeft: '─',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
};

const ASCII: Glyphs = {
  passed: '+',
  failed: 'x',
  warned: '!',
  inconclusive: '?',
  'not-applicable': '-',
  observed: '.',
  error: 'x',
  waiting: '~',
  cut: '...',
  between: ', ',
  barDone: '=',
  barLeft: '-',
  spinner: ['|', '/', '-', '\\'],
};

/** Where the width is unknown: what terminals are by old habit, and what CI pages show without scrolling. */
const DEFAULT_COLUMNS = 80;
/** What a terminal has at least, as a rule. */
const LEAST_LINES = 24;
/** Sentences longer than this are hard to read, however wide the window is. */
const WIDEST = 120;
/** Below this no layout holds; the terminal wraps then. */
const NARROWEST = 30;

/** What a stream and an environment allow: colour, Unicode, width. */
export function lookOf(stream: OutputStream, env: NodeJS.ProcessEnv, verbose = false): Look {
  const unicode = isUtf8(env);
  return {
    columns: columnsOf(stream),
    colour: hasColour(stream, env),
    glyphs: unicode ? UNICODE : ASCII,
    unicode,
    verbose,
    lines: stream.isTTY === true ? Math.max(LEAST_LINES, stream.rows ?? 0) : Infinity,
  };
}

/** The width to lay out for, in columns. */
const columnsOf = (stream: OutputStream): number =>
  Math.min(WIDEST, Math.max(NARROWEST, stream.columns || DEFAULT_COLUMNS));

/** Whether the bottom of the screen can be drawn again and again. */
export const canRedraw = (stream: OutputStream, env: NodeJS.ProcessEnv): boolean =>
  stream.isTTY === true && env['TERM'] !== 'dumb';

/** Text of the target or of the kit, safe to print; see `harmless`. */
export const say = (look: Look, text: string): string => harmless(text, look.unicode);

/** NO_COLOR and FORCE_COLOR as https://no-color.org and https://force-color.org have them; else colour on terminals. */
export function hasColour(stream: OutputStream, env: NodeJS.ProcessEnv): boolean {
  if (env['NO_COLOR']) return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  return canRedraw(stream, env);
}

/** POSIX order of precedence; a CI log is read in a browser, so there only an explicit C or POSIX speaks against UTF-8. */
function isUtf8(env: NodeJS.ProcessEnv): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  if (/utf-?8/i.test(locale)) return true;
  return env['CI'] ? !/^(?:C|POSIX)$/.test(locale) : process.platform === 'win32';
}
