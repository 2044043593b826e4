/** One entry of a HAR file as text; `too-large` for one whose text is beyond every bound. */
export type ScannedEntry = { readonly kind: 'entry'; readonly text: string } | { readonly kind: 'too-large' };

interface ScanEnd {
  /** True if every object was closed. */
  readonly complete: boolean;
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
 * Scanner of a HAR file in pieces. It returns the texts of the entries that each piece completes. It needs
 * memory for one entry only: of longer strings it keeps the beginning, with `CUT` after it. It does not check
 * the JSON; the parser of an entry does.
 *
 * The entries are the elements of `log.entries`, or of `entries` at the root. Several documents may follow
 * each other.
 */
export class EntryScanner {
  private depth = 0;
  private inString = false;
  /** 1 after a backslash, 2 to 5 in the digits of \u, else 0. */
  private escape = 0;
  /** The last string outside of entries, and the names of the members that enclose the place, by depth. */
  private text: string | null = null;
  private readonly names: string[] = [];
  /** Depth inside the array of entries; null outside. */
  private arrayDepth: number | null = null;
  private parts: string[] | null = null;
  private kept = 0;
  private stringLength = 0;
  private isCutting = false;
  private isTooLarge = false;
  private hasEntries = false;

  constructor(private readonly limits = { string: LONGEST_STRING, entry: LONGEST_ENTRY }) {}

  private keep(piece: string): void {
    if (this.parts === null || piece === '' || this.isTooLarge) return;
    this.parts.push(piece);
    this.kept += piece.length;
    if (this.kept > this.limits.entry) {
      this.isTooLarge = true;
      this.parts = [];
    }
  }

  /** Reads on in a string from `from`; returns the place of its closing quote, or the end of the piece. */
  private throughString(piece: string, from: number): number {
    let at = from;
    for (; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (this.escape === 0 && code === QUOTE) {
        this.inString = false;
        break;
      }
      if (!this.isCutting && this.escape === 0 && this.stringLength >= this.limits.string) {
        this.keep(piece.slice(from, at));
        this.keep(CUT);
        this.isCutting = true;
      }
      this.stringLength += 1;
      if (this.escape === 1) this.escape = code === LETTER_U ? 2 : 0;
      else if (this.escape > 1) this.escape = (this.escape + 1) % 6;
      else if (code === BACKSLASH) this.escape = 1;
    }
    if (!this.isCutting) this.keep(piece.slice(from, at));
    if (this.parts === null && this.text !== null && this.text.length <= LONGEST_NAME)
      this.text += piece.slice(from, Math.min(at, from + LONGEST_NAME + 1));
    return at;
  }

  private open(isArray: boolean): void {
    const isEntries =
      isArray &&
      this.arrayDepth === null &&
      ((this.depth === 1 && this.names[1] === 'entries') ||
        (this.depth === 2 && this.names[1] === 'log' && this.names[2] === 'entries'));
    this.depth += 1;
    this.names[this.depth] = '';
    if (!isEntries) return;
    this.arrayDepth = this.depth;
    this.hasEntries = true;
  }

  push(piece: string): readonly ScannedEntry[] {
    const found: ScannedEntry[] = [];
    let from = 0;
    let at = 0;
    for (; at < piece.length; at += 1) {
      if (this.inString) {
        at = this.throughString(piece, at);
        from = at;
        if (at >= piece.length) break;
        continue;
      }
      const code = piece.charCodeAt(at);
      if (code === QUOTE) {
        this.keep(piece.slice(from, at + 1));
        from = at + 1;
        this.inString = true;
        this.stringLength = 0;
        this.isCutting = false;
        this.text = '';
      } else if (code === COLON) {
        if (this.parts === null && this.text !== null) this.names[this.depth] = this.text;
      } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        if (this.arrayDepth !== null && this.depth === this.arrayDepth && this.parts === null) {
          this.parts = [];
          this.kept = 0;
          this.isTooLarge = false;
          from = at;
        }
        this.open(code === OPEN_ARRAY);
      } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
        this.depth -= 1;
        if (this.parts !== null && this.depth === this.arrayDepth) {
          this.keep(piece.slice(from, at + 1));
          from = at + 1;
          found.push(this.isTooLarge ? { kind: 'too-large' } : { kind: 'entry', text: this.parts.join('') });
          this.parts = null;
        }
        if (this.arrayDepth !== null && this.depth < this.arrayDepth) this.arrayDepth = null;
      }
    }
    if (!this.inString) this.keep(piece.slice(from));
    return found;
  }

  end(): ScanEnd {
    return { complete: this.depth === 0 && !this.inString, hasEntries: this.hasEntries };
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
