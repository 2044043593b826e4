/** Lines of a script that V8 saw run. */

/** A piece of a script and how often it ran; an inner one decides over those around it. */
export interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** What one process saw of a script, in the form of `NODE_V8_COVERAGE`: outer functions first. */
export interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

/** Marks the characters of a script that a process ran, next to those that others ran. */
export function markRun(run: Uint8Array, { functions }: Pick<ScriptCoverage, 'functions'>): void {
  const own = new Uint8Array(run.length);
  for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges))
    own.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  for (let at = 0; at < own.length; at += 1) if (own[at] === 1) run[at] = 1;
}

/** Counts the lines of a script with code, and those of them of which a part ran. */
export function linesOf(text: string, run: Uint8Array): { readonly lines: number; readonly covered: number } {
  let [at, lines, covered] = [0, 0, 0];
  for (const line of text.split('\n')) {
    const isCode = /\w/.test(line) && !/^\s*(?:\/\/|\/\*|\*)/.test(line);
    const from = at + (line.length - line.trimStart().length);
    at += line.length + 1;
    if (!isCode) continue;
    lines += 1;
    if (run.subarray(from, at - 1).includes(1)) covered += 1;
  }
  return { lines, covered };
}
