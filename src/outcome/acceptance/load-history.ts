import { grouped } from '../../base/kernel/format.js';
import type { Results } from '../results/results.js';
import { confirmedStep, rangeOf, rateWords } from '../words/find.js';
import { ofAnyRun } from './any-run.js';

/**
 * Returns the part of a scenario that a run sent, as `1/4`; null for the whole. Logs of workers and agents
 * are parts. Older kits also ran parts on their own, and named them in the selection.
 */
export function partIn({ scope, capacity }: Pick<Results, 'scope' | 'capacity'>): string | null {
  const part = capacity?.part;
  return part ? `${part.index}/${part.count}` : (scope.selection?.part ?? null);
}

export type LoadRun = ReturnType<typeof loadRun>;

/** See `historyRun`. */
export function loadRun(folder: string, results: Results, base?: string) {
  const { capacity } = results;
  const found = capacity?.find && confirmedStep(capacity.find);
  const phases = (capacity?.phases ?? [])
    .filter(({ name }) => found === undefined || name === found.phase)
    .map(({ name, perSecond, latencyMs }) => ({
      name,
      throughput: perSecond,
      // Where no request succeeded there is no latency, and results hold 0.
      p99: latencyMs.p99 > 0 ? latencyMs.p99 : null,
    }));
  return {
    ...ofAnyRun(folder, results, base),
    scenario: results.scope.selection?.scenario ?? '',
    part: partIn(results),
    isStarted: capacity !== undefined,
    /**
     * Of each phase: successful responses per second, and p99, ms, null without any. Of a search only the
     * step that confirmed its rate.
     */
    phases,
    search: capacity?.find
      ? {
          conditions: capacity.find.conditions.join(' and '),
          words: rateWords(capacity.find),
          /** Rate that surely held, per second; null where none can be named. */
          perSecond: rangeOf(capacity.find)?.low ?? null,
        }
      : null,
  };
}

export const slowestOf = ({ phases }: Pick<LoadRun, 'phases'>) =>
  phases.toSorted((a, b) => (b.p99 ?? 0) - (a.p99 ?? 0)).at(0);

/** One figure of like load runs, oldest first. */
export interface LoadTrend {
  /** Scenario and target. */
  readonly of: string;
  readonly figure: 'p99' | 'throughput' | 'capacity';
  /** Phase that the figure is of; empty for a capacity. */
  readonly phase: string;
  readonly unit: 'ms' | 'per second';
  /** `words`: the value as the search says it, e.g. “at least 40/s”. */
  readonly values: readonly { readonly run: LoadRun; readonly value: number; readonly words?: string }[];
}

const FEWEST = 2;

/**
 * Returns the trends of load runs of one scenario against one target: p99 and throughput of the phase that
 * was slowest in the newest run, and what searches with the same conditions found. Pure.
 *
 * @param runs oldest first
 */
export function loadTrends(runs: readonly LoadRun[]): readonly LoadTrend[] {
  const series = grouped(
    runs.filter(({ isStarted, part }) => isStarted && part === null),
    ({ target, scenario, search }) => JSON.stringify([target, scenario, search?.conditions ?? null]),
  );
  return [...series.values()].flatMap((own) => {
    const newest = own.at(-1);
    if (newest === undefined) return [];
    const phase = slowestOf(newest)?.name ?? '';
    const inPhase = (figure: 'p99' | 'throughput') =>
      own.flatMap((run) => {
        const value = run.phases.find(({ name }) => name === phase)?.[figure];
        return typeof value === 'number' ? [{ run, value }] : [];
      });
    const of = `${newest.scenario} on ${newest.target}`;
    const capacities = own.flatMap((run) =>
      typeof run.search?.perSecond === 'number'
        ? [{ run, value: run.search.perSecond, words: run.search.words }]
        : [],
    );
    const trends: readonly LoadTrend[] = newest.search
      ? [{ of, figure: 'capacity', phase: '', unit: 'per second', values: capacities }]
      : [
          { of, figure: 'p99', phase, unit: 'ms', values: inPhase('p99') },
          { of, figure: 'throughput', phase, unit: 'per second', values: inPhase('throughput') },
        ];
    return trends.filter(({ values }) => values.length >= FEWEST);
  });
}
