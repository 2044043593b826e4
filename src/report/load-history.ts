import { count, latencyText, minute } from '../base/kernel/format.js';
import { loadTrends, slowestOf, type LoadRun, type LoadTrend } from '../outcome/acceptance/load-history.js';
import { percentileText } from '../outcome/words/capacity.js';
import { CAPACITY_LABELS } from '../outcome/words/outcomes.js';
import { safeText } from '../outcome/words/safe-text.js';
import { AMOUNTS } from './amounts.js';
import { runName } from './history.js';

export const loadVerdict = ({ verdict, complete, isStarted }: LoadRun): string =>
  isStarted ? `${CAPACITY_LABELS[verdict].toLowerCase()}${complete ? '' : ', cut short'}` : 'never started';

/**
 * Describes a load run in figures: what a search found, otherwise the throughput and the p99 of its slowest
 * phase; empty without any.
 */
export function figureWords(run: LoadRun): string {
  if (run.search) {
    const { words, perSecond, conditions } = run.search;
    return perSecond === null ? words : `capacity ${words} with ${conditions}`;
  }
  const slowest = slowestOf(run);
  return slowest
    ? `in ${slowest.name} throughput ${count(slowest.throughput)}/s, p99 ${percentileText(slowest.p99 ?? 0)}`
    : '';
}

export const trendValue = ({ unit }: Pick<LoadTrend, 'unit'>, value: number): string =>
  unit === 'ms' ? latencyText(value) : `${count(value)}/s`;

/** “p99 of hold, evening on staging”. */
export const trendName = ({ figure, phase, of }: LoadTrend): string =>
  `${figure}${phase === '' ? '' : ` of ${phase}`}, ${of}`;

const SHOWN_OF_TREND = 8;

export const trendWords = (trend: LoadTrend): string =>
  trend.values
    .slice(-SHOWN_OF_TREND)
    .map(({ run, value, words }) => `${words ?? trendValue(trend, value)} (${runName(run)})`)
    .join(', ');

const MOST = AMOUNTS.terminal.historyLines;

/** Newest first; older ones are counted. */
export function loadRunLines(runs: readonly LoadRun[]): readonly string[] {
  const shown = runs.toReversed().slice(0, MOST);
  const rest = runs.length - shown.length;
  const lines = [
    ...(runs.length > 0 ? ['load runs, each with its slowest phase'] : []),
    ...shown.map((run) => {
      const of = `${run.scenario} on ${run.target}${run.label === null ? '' : `, ${runName(run)}`}`;
      const what = [loadVerdict(run), figureWords(run)].filter(Boolean).join('; ');
      return `  ${minute(run.startedAt)}  ${of}: ${what}`;
    }),
    ...(rest > 0 ? [`  and ${count(rest)} earlier`] : []),
    ...loadTrends(runs).map((trend) => `  ${trendName(trend)}: ${trendWords(trend)}`),
  ];
  return lines.map((text) => safeText(text, true));
}
