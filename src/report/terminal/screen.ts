import { sum } from '../../base/kernel/format.js';
import { stripVTControlCharacters } from 'node:util';
import { widthOf } from './lines.js';
import { canRedraw, type Output, type OutputStream } from './look.js';

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const ERASE_BELOW = '\x1b[J';

export function screenOf({ stream, env, reporter }: Output) {
  const live = reporter === 'auto' && canRedraw(stream, env);
  return { live, ...(live ? liveScreen(stream) : plainScreen(stream)) };
}

/** For a file, a pipe or a CI log, where every line stays. */
const plainScreen = (stream: OutputStream): ReturnType<typeof liveScreen> => ({
  print: (lines) => void (lines.length > 0 && stream.write(text(lines))),
  show: () => undefined,
  close: () => undefined,
});

/** For a terminal: printed lines scroll up, shown lines are redrawn below. One write each, against flicker. */
function liveScreen(stream: OutputStream) {
  let shown: readonly string[] = [];
  let hidden = false;
  const giveBack = () => void (hidden && stream.write(SHOW_CURSOR));
  const hide = (): string => {
    if (hidden) return '';
    hidden = true;
    process.once('exit', giveBack);
    return HIDE_CURSOR;
  };
  /** Moves to the start of the shown lines, which a narrower window may have wrapped. */
  const erase = (): string => {
    const rows = sum(shown, (one) => rowsOf(one, stream.columns || Infinity));
    return rows === 0 ? '' : `\x1b[${rows}A\r${ERASE_BELOW}`;
  };
  return {
    print(lines: readonly string[]): void {
      if (lines.length > 0) stream.write(erase() + text(lines) + text(shown));
    },
    /** Shows lines until the next call; does nothing if lines cannot be removed. */
    show(lines: readonly string[]): void {
      if (lines.length === 0 && shown.length === 0) return;
      const start = hide() + erase();
      shown = lines;
      stream.write(start + text(lines));
    },
    close(): void {
      const last = erase();
      shown = [];
      if (hidden) {
        process.removeListener('exit', giveBack);
        stream.write(last + SHOW_CURSOR);
        hidden = false;
      }
    },
  };
}

const text = (lines: readonly string[]): string => lines.map((one) => `${one}\n`).join('');

const rowsOf = (painted: string, columns: number): number =>
  Math.max(1, Math.ceil(widthOf(stripVTControlCharacters(painted)) / columns));
