import { readFileSync } from 'node:fs';

/**
 * A style sheet or script that stands beside this file, as a page takes it in: without what it says of itself at its head,
 * and without indentation.
 */
const inlined = (name: string): string =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .replace(/^\/\*[\s\S]*?\*\/\n/, '')
    .replaceAll(/\n\s*/g, '\n');

const sheets = (...names: readonly string[]): string => names.map((name) => inlined(`${name}.css`)).join('');

/** What a page looks like, and the one script that it may run. */
export interface Looks {
  readonly style: string;
  readonly script: string | null;
}

/** The looks of a run's page, as text of its style sheet and script. */
export const runLooks = (): Looks => ({
  style: sheets('tokens', 'front', 'bar', 'map', 'tables', 'charts', 'capacity', 'cards', 'print'),
  script: inlined('script.js'),
});

/** The looks of a load run's page: its drawings can be read second by second. */
export const loadLooks = (): Looks => {
  const { style, script } = runLooks();
  return { style, script: `${script}${inlined('seconds.js')}` };
};

/** The looks of a page about several runs, which runs no script. */
export const runsLooks = (): Looks => ({
  style: sheets('tokens', 'front', 'tables', 'cards', 'runs'),
  script: null,
});
