import { readFileSync } from 'node:fs';

/** Reads a style sheet or script next to this file, for inlining: without its leading comment and indentation. */
const inlined = (name: string): string =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .replace(/^\/\*[\s\S]*?\*\/\n/, '')
    .replaceAll(/\n\s*/g, '\n');

const sheets = (...names: readonly string[]): string => names.map((name) => inlined(`${name}.css`)).join('');

/** Style sheet of a page, and its only script. */
export interface Looks {
  readonly style: string;
  readonly script: string | null;
}

/** Looks of a run's page, as text. */
export const runLooks = (): Looks => ({
  style: sheets('tokens', 'front', 'bar', 'map', 'tables', 'charts', 'cards', 'print'),
  script: inlined('script.js'),
});

/** Looks of a load run's page, whose drawings can be read second by second. */
export const loadLooks = (): Looks => {
  const { style, script } = runLooks();
  return { style, script: `${script}${inlined('seconds.js')}` };
};

/** Looks of a page about several runs, without a script. */
export const runsLooks = (): Looks => ({
  style: sheets('tokens', 'front', 'tables', 'cards', 'runs', 'print'),
  script: null,
});
