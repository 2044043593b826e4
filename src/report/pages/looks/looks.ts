import { readFileSync } from 'node:fs';

/** Reads a style sheet or script next to this file, for inlining: without its leading comment and indentation. */
const inlined = (name: string): string =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .replace(/^\/\*[\s\S]*?\*\/\n/, '')
    .replaceAll(/\n\s*/g, '\n');

const RUN = ['tokens', 'front', 'bar', 'map', 'tables', 'charts', 'cards', 'print'];

/** Style sheets and scripts by page. A load run's drawings can be read second by second. */
const LOOKS = {
  run: [RUN, ['script']],
  load: [RUN, ['script', 'seconds']],
  several: [['tokens', 'front', 'tables', 'cards', 'runs', 'print'], []],
} as const;

/**
 * Returns the style sheet of a page about a run, a load run or several runs, and its only script, which may
 * be empty.
 */
export function looksOf(page: keyof typeof LOOKS) {
  const [sheets, scripts] = LOOKS[page];
  return {
    style: sheets.map((name) => inlined(`${name}.css`)).join(''),
    script: scripts.map((name) => inlined(`${name}.js`)).join(''),
  };
}
