import type { CapacityResults, OperationResult, PhaseResult } from '../capacity/results.js';
import type { SecondRecord } from '../log/capacity-record.js';
import { count, latencyText, trimmed } from '../format/format.js';
import type { Outcome } from '../verdict/verdict.js';
import {
  capacityClause,
  capacityRemarks,
  shareText,
  THRESHOLD_OUTCOMES,
  valueText,
  violationKinds,
  type CapacityRun,
} from '../words/capacity.js';
import type { Cell, ReportDocument, Section, Table } from './document.js';

/** Returns what is said of a load run. */
export function capacityDocument(results: CapacityRun): ReportDocument {
  const { capacity } = results;
  const { loopLagMs, cpu, saturated } = capacity.generator;
  const violations = violationKinds(capacity, results.exchanges);
  return {
    sentence: `${capacityClause(results)}.`,
    remarks: capacityRemarks(capacity),
    sections: [
      {
        id: 'thresholds',
        title: 'Thresholds',
        ...(capacity.thresholds.length === 0 && {
          lead: 'The scenario has no threshold, so the figures below are not judged.',
        }),
        blocks: [thresholdTable(capacity)],
      },
      { id: 'time', title: 'Over time', blocks: [{ kind: 'series', name: 'over-time' }] },
      {
        id: 'phases',
        title: 'Phases',
        lead:
          'Latency is from the planned sending of a request to the last byte of its response. So it includes the ' +
          'wait behind slow requests. The last column is from the actual sending.',
        blocks: [phaseTable(capacity)],
      },
      { id: 'statuses', title: 'Responses by status', blocks: [statusTable(capacity)] },
      {
        id: 'violations',
        title: 'Violations',
        ...(violations.length === 0 && {
          lead: 'No response violated a requirement. Every response was checked as in a conformance run.',
        }),
        blocks: [{ kind: 'violations', violations }],
      },
      ...(capacity.agents.length === 0 ? [] : [agentsSection(capacity)]),
      {
        id: 'generator',
        title: 'Generator',
        lead:
          (saturated
            ? 'The generator was the bottleneck for some time. The figures of that time describe this machine, not the server.'
            : 'The generator kept up, so the figures describe the server.') +
          ` Its event loop was at most ${latencyText(loopLagMs)} late (p99 of a second). It used up to ${shareText(cpu)} of one processor on average in a phase.`,
        blocks: [{ kind: 'series', name: 'generator' }],
      },
    ],
  };
}

const cell = (text: string): Cell => ({ text });
const bad = (amount: number, ink: Outcome): Cell => ({ text: count(amount), ...(amount > 0 && { ink }) });

const thresholdTable = ({ thresholds }: Pick<CapacityResults, 'thresholds'>): Table => {
  const hasReasons = thresholds.some(({ reason }) => reason !== undefined);
  return {
    kind: 'table',
    label: 'Thresholds',
    columns: ['Threshold', 'Measured', 'Outcome', ...(hasReasons ? ['Reason'] : [])],
    brief: [0, 1, 2],
    rows: thresholds.map((threshold) => ({
      cells: [
        cell(threshold.text),
        cell(valueText(threshold)),
        { text: threshold.outcome, glyph: THRESHOLD_OUTCOMES[threshold.outcome] },
        ...(hasReasons ? [{ text: threshold.reason ?? '', ink: 'note' as const }] : []),
      ],
    })),
  };
};

/** Results of phases and operations. The deciding columns come first: a phone shows three. */
const phaseTable = ({ phases }: Pick<CapacityResults, 'phases'>): Table => ({
  kind: 'table',
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

const statusTable = ({ phases }: Pick<CapacityResults, 'phases'>): Table => {
  const all = statusesIn(phases);
  return {
    kind: 'table',
    label: 'Responses by status',
    columns: ['Phase', ...all.map(statusWords)],
    rows: phases.map(({ name, byStatus }) => ({
      cells: [cell(name), ...all.map((status) => cell(byStatus[status] === undefined ? '' : count(byStatus[status])))],
    })),
  };
};

const statusesIn = (all: readonly { readonly byStatus: Readonly<Record<string, number>> }[]): readonly string[] =>
  [...new Set(all.flatMap(({ byStatus }) => Object.keys(byStatus)))].toSorted();

const agentsSection = (capacity: CapacityResults): Section => ({
  id: 'agents',
  title: 'Agents',
  lead: 'Each agent sent its part of the schedule. Clock: shared clock minus the agent’s clock.',
  blocks: [agentTable(capacity)],
});

const agentTable = ({ agents }: Pick<CapacityResults, 'agents'>): Table => ({
  kind: 'table',
  label: 'Agents',
  columns: ['Agent', 'Part', 'Clock', 'Sent', 'Dropped', 'Loop lag', 'Processor', ''],
  brief: [0, 2, 3, 7],
  rows: agents.map(({ name, part, offsetMs, errorMs, sent, dropped, loopLagMs, cpu, problem, saturated }) => ({
    cells: [
      cell(name),
      cell(String(part)),
      cell(
        offsetMs === null ? '–' : `${offsetMs > 0 ? '+' : ''}${trimmed(offsetMs, 1)} ±${trimmed(errorMs ?? 0, 1)} ms`,
      ),
      cell(count(sent)),
      cell(count(dropped)),
      cell(latencyText(loopLagMs)),
      cell(shareText(cpu)),
      problem === null && !saturated
        ? { text: 'kept up', ink: 'note' }
        : { text: problem ?? 'was saturated', ink: 'warned' },
    ],
  })),
});

/** Figures per second, or per few seconds merged. A second is named by its end, counted from the start. */
export const secondTable = (seconds: readonly SecondRecord[], startAt: number): Table => {
  const all = statusesIn(seconds);
  return {
    kind: 'table',
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
