import type { CapacityResults, OperationResult, PhaseResult } from '../capacity/results.js';
import type { SecondRecord } from '../log/capacity-record.js';
import { count, latencyText, trimmed } from '../format/format.js';
import { AGENT_COLUMNS, agentColumns, valueText } from './capacity.js';

/** Meaning of a cell's figure. */
export type Tone = 'met' | 'missed' | 'inconclusive' | 'failed' | 'warned' | 'note';

/** A cell: its text, which may come from a target or a scenario, and its tone. */
export interface Cell {
  readonly text: string;
  readonly tone?: Tone;
}

/** A table of a load run, for page and Markdown. The first cell of a row names it. */
export interface Table {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly cells: readonly Cell[]; readonly isPart?: boolean }[];
}

const cell = (text: string, tone?: Tone): Cell => (tone === undefined ? { text } : { text, tone });
const bad = (amount: number, tone: Tone): Cell => cell(count(amount), amount > 0 ? tone : undefined);

/** Thresholds, each with its figure. */
export const thresholdTable = ({ thresholds }: Pick<CapacityResults, 'thresholds'>): Table => {
  const hasReasons = thresholds.some(({ reason }) => reason !== undefined);
  return {
    label: 'Thresholds',
    columns: ['Threshold', 'Measured', 'Outcome', ...(hasReasons ? ['Reason'] : [])],
    rows: thresholds.map((threshold) => ({
      cells: [
        cell(threshold.text),
        cell(valueText(threshold)),
        cell(threshold.outcome, threshold.outcome),
        ...(hasReasons ? [cell(threshold.reason ?? '', 'note')] : []),
      ],
    })),
  };
};

/** Results of phases and operations. The deciding columns come first: a phone shows three. */
export const phaseTable = ({ phases }: Pick<CapacityResults, 'phases'>): Table => ({
  label: 'Phases and operations',
  columns: [
    'Phase',
    'p50',
    'p99',
    'Violations',
    'Errors',
    'Sent',
    'Served',
    'per second',
    'Dropped',
    'p90',
    'p95',
    'p99.9',
    'Longest',
    'p99 service',
  ],
  rows: phases.flatMap((phase) => [
    { cells: figures(phase, trimmed(phase.perSecond, 1), count(phase.dropped)) },
    ...(phase.operations.length > 1
      ? phase.operations.map((operation) => ({
          cells: figures({ ...operation, name: operation.operation }, '', ''),
          isPart: true,
        }))
      : []),
  ]),
});

const figures = (
  of: (PhaseResult | OperationResult) & { readonly name: string },
  perSecond: string,
  dropped: string,
): readonly Cell[] => [
  cell(of.name),
  cell(latencyText(of.latencyMs.p50)),
  cell(latencyText(of.latencyMs.p99)),
  bad(of.violations, 'failed'),
  bad(of.errors, 'warned'),
  cell(count(of.sent)),
  cell(count(of.served)),
  cell(perSecond),
  cell(dropped),
  cell(latencyText(of.latencyMs.p90)),
  cell(latencyText(of.latencyMs.p95)),
  cell(latencyText(of.latencyMs.p999)),
  cell(latencyText(of.latencyMs.max)),
  cell(latencyText(of.serviceMs.p99)),
];

const statusWords = (status: string): string => (status === 'none' ? 'no response' : status);

/** Responses by status code in all phases. */
export const statusTable = ({ phases }: Pick<CapacityResults, 'phases'>): Table => {
  const all = statusesIn(phases);
  return {
    label: 'Responses by status',
    columns: ['Phase', ...all.map(statusWords)],
    rows: phases.map(({ name, byStatus }) => ({
      cells: [cell(name), ...all.map((status) => cell(byStatus[status] === undefined ? '' : count(byStatus[status])))],
    })),
  };
};

const statusesIn = (all: readonly { readonly byStatus: Readonly<Record<string, number>> }[]): readonly string[] =>
  [...new Set(all.flatMap(({ byStatus }) => Object.keys(byStatus)))].toSorted();

/** Agents and their shares, where there are several. */
export const agentTable = ({ agents }: Pick<CapacityResults, 'agents'>): Table => ({
  label: 'Agents',
  columns: AGENT_COLUMNS,
  rows: agents.map((agent) => {
    const texts = agentColumns(agent);
    const tone = agent.problem === null && !agent.saturated ? 'note' : 'warned';
    return { cells: texts.map((text, at) => cell(text, at === texts.length - 1 ? tone : undefined)) };
  }),
});

/** Figures per second, or per few seconds merged. A second is named by its end, counted from the start. */
export const secondTable = (seconds: readonly SecondRecord[], startAt: number): Table => {
  const all = statusesIn(seconds);
  return {
    label: 'Figures of each second',
    columns: [
      'Until',
      'Phase',
      'p50',
      'p99',
      'Violations',
      'Errors',
      'Sent',
      'In flight',
      ...all.map(statusWords),
      'Dropped',
      'p90',
      'Longest',
    ],
    rows: seconds.map((second) => ({
      cells: [
        cell(`${trimmed((second.at - startAt) / 1000, 1)} s`),
        cell(second.phase),
        cell(latencyText(second.p50)),
        cell(latencyText(second.p99)),
        bad(second.violations, 'failed'),
        bad(second.errors, 'warned'),
        cell(count(second.sent)),
        cell(count(second.underWay)),
        ...all.map((status) => cell(count(second.byStatus[status] ?? 0))),
        cell(count(second.dropped)),
        cell(latencyText(second.p90)),
        cell(latencyText(second.max)),
      ],
    })),
  };
};
