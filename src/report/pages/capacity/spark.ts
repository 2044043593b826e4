const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII_BARS = ['_', '.', ':', '-', '=', '+', '*', '#'];

/** The last values as a line of small bars, the largest of them all the height there is. Pure. */
export function sparkLine(values: readonly number[], width: number, unicode: boolean): string {
  const shown = values.slice(-width);
  const most = Math.max(1e-9, ...shown);
  const bars = unicode ? BARS : ASCII_BARS;
  return shown
    .map((value) => bars[Math.min(bars.length - 1, Math.max(0, Math.round((value / most) * (bars.length - 1))))] ?? '')
    .join('');
}
