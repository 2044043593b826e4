/** Shortest text that is found, in characters: a shorter one may be part of any word. */
const SHORTEST = 6;

/**
 * Texts that something stands for. They are found by their beginnings: a client may get another token for
 * each request, and most begin as the others do.
 */
export class KnownTexts {
  private readonly shown = new Map<string, string>();
  /** Lengths of the texts of one beginning, the longest first. */
  private readonly lengths = new Map<string, readonly number[]>();

  /** A text that is too short is left out. */
  add(text: string, shown: string): void {
    if (text.length < SHORTEST) return;
    this.shown.set(text, shown);
    const beginning = text.slice(0, SHORTEST);
    const lengths = new Set(this.lengths.get(beginning)).add(text.length);
    this.lengths.set(
      beginning,
      [...lengths].sort((one, other) => other - one),
    );
  }

  /** Replaces the texts by what stands for them; of two that begin alike, the longer one. */
  replacedIn(text: string): string {
    if (this.lengths.size === 0) return text;
    let replaced = '';
    let from = 0;
    for (let at = 0; at + SHORTEST <= text.length; at += 1) {
      const lengths = this.lengths.get(text.slice(at, at + SHORTEST));
      const length = lengths?.find((each) => this.shown.has(text.slice(at, at + each)));
      if (length === undefined) continue;
      replaced += text.slice(from, at) + (this.shown.get(text.slice(at, at + length)) ?? '');
      from = at + length;
      at = from - 1;
    }
    return replaced + text.slice(from);
  }
}
