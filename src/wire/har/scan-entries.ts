/** One entry of a HAR file as text; `too-large` for one whose text is beyond every bound. */
export type ScannedEntry = { readonly kind: 'entry'; readonly text: string } | { readonly kind: 'too-large' };

/** End of a scanned text. */
interface ScanEnd {
  /** True if every object was closed. */
  readonly complete: boolean;
  /** True if an array of entries was found. */
  readonly hasEntries: boolean;
}

/**
 * Longest string that is kept whole, in characters. The service's largest page has 20 kB; videos and scripts
 * are longer.
 */
const LONGEST_STRING = 2 ** 20;
/** Longest text of an entry whose strings are cut, in characters. */
const LONGEST_ENTRY = 8 * 2 ** 20;
/** Longest name of a member that is compared. */
const LONGEST_NAME = 16;

/** End of a string that was cut. It is a character for private use, and no recorder writes two. */
export const CUT = '\uE000\uE000cut';

/**
 * Scans a HAR file in pieces, and returns the texts of the entries that each piece completes. It needs memory
 * for one entry only: of longer strings it keeps the beginning, with `CUT` after it. It does not check the
 * JSON; whoever parses an entry does.
 *
 * The entries are the elements of `log.entries`, or of `entries` at the root. Several documents may follow
 * each other.
 */
export function entryScanner(limits = { string: LONGEST_STRING, entry: LONGEST_ENTRY }) {
  let depth = 0;
  let inString = false;
  /** 1 after a backslash, 2 to 5 in the digits of \u, else 0. */
  let escape = 0;
  /** The last string outside of entries, and the names of the members that enclose the place, by depth. */
  let text: string | null = null;
  const names: string[] = [];
  /** Depth inside the array of entries; null outside. */
  let arrayDepth: number | null = null;
  let parts: string[] | null = null;
  let kept = 0;
  let stringLength = 0;
  let isCutting = false;
  let isTooLarge = false;
  let hasEntries = false;

  const keep = (piece: string): void => {
    if (parts === null || piece === '' || isTooLarge) return;
    parts.push(piece);
    kept += piece.length;
    if (kept > limits.entry) {
      isTooLarge = true;
      parts = [];
    }
  };

  /** Reads on in a string from `from`; returns the place of its closing quote, or the end of the piece. */
  function throughString(piece: string, from: number): number {
    let at = from;
    for (; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (escape === 0 && code === QUOTE) {
        inString = false;
        break;
      }
      if (!isCutting && escape === 0 && stringLength >= limits.string) {
        keep(piece.slice(from, at));
        keep(CUT);
        isCutting = true;
      }
      stringLength += 1;
      if (escape === 1) escape = code === LETTER_U ? 2 : 0;
      else if (escape > 1) escape = (escape + 1) % 6;
      else if (code === BACKSLASH) escape = 1;
    }
    if (!isCutting) keep(piece.slice(from, at));
    if (parts === null && text !== null && text.length <= LONGEST_NAME)
      text += piece.slice(from, Math.min(at, from + LONGEST_NAME + 1));
    return at;
  }

  function open(isArray: boolean): void {
    const isEntries =
      isArray &&
      arrayDepth === null &&
      ((depth === 1 && names[1] === 'entries') ||
        (depth === 2 && names[1] === 'log' && names[2] === 'entries'));
    depth += 1;
    names[depth] = '';
    if (!isEntries) return;
    arrayDepth = depth;
    hasEntries = true;
  }

  return {
    /** Takes the next piece; returns the entries that it completes. */
    push(piece: string): readonly ScannedEntry[] {
      const found: ScannedEntry[] = [];
      let from = 0;
      let at = 0;
      for (; at < piece.length; at += 1) {
        if (inString) {
          at = throughString(piece, at);
          from = at;
          if (at >= piece.length) break;
          continue;
        }
        const code = piece.charCodeAt(at);
        if (code === QUOTE) {
          keep(piece.slice(from, at + 1));
          from = at + 1;
          inString = true;
          stringLength = 0;
          isCutting = false;
          text = '';
        } else if (code === COLON) {
          if (parts === null && text !== null) names[depth] = text;
        } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
          if (arrayDepth !== null && depth === arrayDepth && parts === null) {
            parts = [];
            kept = 0;
            isTooLarge = false;
            from = at;
          }
          open(code === OPEN_ARRAY);
        } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
          depth -= 1;
          if (parts !== null && depth === arrayDepth) {
            keep(piece.slice(from, at + 1));
            from = at + 1;
            found.push(isTooLarge ? { kind: 'too-large' } : { kind: 'entry', text: parts.join('') });
            parts = null;
          }
          if (arrayDepth !== null && depth < arrayDepth) arrayDepth = null;
        }
      }
      if (!inString) keep(piece.slice(from));
      return found;
    },
    /** Returns how the text ended. */
    end: (): ScanEnd => ({ complete: depth === 0 && !inString, hasEntries }),
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
