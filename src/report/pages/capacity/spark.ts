const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII_BARS = ['_', '.', ':', '-', '=', '+', '*', '#'];

/** Draws the last values as small bars, scaled to the largest. Pure. */
export function sparkLine(values: readonly number[], width: number, unicode: boolean): string {
  const shown = values.slice(-width);
  const most = Math.max(1e-9, ...shown);
  const bars = unicode ? BARS : ASCII_BARS;
  return shown
    .map((value) => bars[Math.min(bars.length - 1, Math.max(0, Math.round((value / most) * (bars.length - 1))))] ?? '')
    .join('');
}
