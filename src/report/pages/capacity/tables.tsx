import { Fragment, type VNode } from 'preact';
import type { CapacityResults, OperationResult, PhaseResult } from '../../../capacity/results.js';
import { Glyph } from '../parts/glyph.js';
import { Text } from '../parts/text.js';
import { ScrollTable } from '../markup/scroll-table.js';
import { count, milliseconds, trimmed } from '../../../format/format.js';
import { AGENT_COLUMNS, agentColumns, valueText } from '../../words/capacity.js';

const OUTCOMES = { met: 'passed', missed: 'failed', inconclusive: 'inconclusive' } as const;
const WORDS = { met: 'met', missed: 'missed', inconclusive: 'not established' } as const;

/** The thresholds, each with its figure. */
export function Thresholds({ thresholds }: Pick<CapacityResults, 'thresholds'>): VNode {
  if (thresholds.length === 0)
    return <p class="lead">The scenario names no threshold: the figures below are told, and held against nothing.</p>;
  const hasReasons = thresholds.some(({ reason }) => reason !== undefined);
  return (
    <ScrollTable
      label="Thresholds"
      class="thresholds"
      columns={['Threshold', 'Figure', 'Outcome', ...(hasReasons ? ['Because'] : [])]}
    >
      <tbody>
        {thresholds.map((threshold) => (
          <tr>
            <th scope="row">
              <Text longest={200}>{threshold.text}</Text>
            </th>
            <td>{valueText(threshold)}</td>
            <td class={`o-${OUTCOMES[threshold.outcome]}`}>
              <Glyph outcome={OUTCOMES[threshold.outcome]} />
              {WORDS[threshold.outcome]}
            </td>
            {hasReasons && <td class="note">{threshold.reason}</td>}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

/** Phases and their operations: what was sent, what came of it, and how long it took. */
export function PhaseTable({ phases }: Pick<CapacityResults, 'phases'>): VNode {
  return (
    <ScrollTable
      label="Phases and operations"
      class="dense capacity-table"
      columns={[
        'Phase',
        'Sent',
        'Served',
        'a second',
        'Errors',
        'Violations',
        'Dropped',
        'p50',
        'p90',
        'p95',
        'p99',
        'p99.9',
        'Longest',
        'p99 service',
      ]}
    >
      <tbody>
        {phases.map((phase) => (
          <Fragment key={phase.name}>
            <Row
              name={phase.name}
              of={phase}
              dropped={count(phase.dropped)}
              perSecond={trimmed(phase.perSecond, 1)}
              whole
            />
            {phase.operations.length > 1 &&
              phase.operations.map((operation) => (
                <Row key={operation.operation} name={operation.operation} of={operation} dropped="" perSecond="" />
              ))}
          </Fragment>
        ))}
      </tbody>
    </ScrollTable>
  );
}

interface RowProps {
  readonly name: string;
  readonly of: PhaseResult | OperationResult;
  readonly dropped: string;
  readonly perSecond: string;
  readonly whole?: boolean;
}

const Row = ({ name, of, dropped, perSecond, whole }: RowProps): VNode => (
  <tr class={whole ? 'whole' : 'part'}>
    <th scope="row">{name}</th>
    <td>{count(of.sent)}</td>
    <td>{count(of.served)}</td>
    <td>{perSecond}</td>
    <td class={of.errors > 0 ? 'ink-warned' : ''}>{count(of.errors)}</td>
    <td class={of.violations > 0 ? 'ink-failed' : ''}>{count(of.violations)}</td>
    <td>{dropped}</td>
    <td>{milliseconds(of.latencyMs.p50)}</td>
    <td>{milliseconds(of.latencyMs.p90)}</td>
    <td>{milliseconds(of.latencyMs.p95)}</td>
    <td>{milliseconds(of.latencyMs.p99)}</td>
    <td>{milliseconds(of.latencyMs.p999)}</td>
    <td>{milliseconds(of.latencyMs.max)}</td>
    <td>{milliseconds(of.serviceMs.p99)}</td>
  </tr>
);

/** Who sent what, where several did. */
export function AgentTable({ agents }: Pick<CapacityResults, 'agents'>): VNode {
  return (
    <ScrollTable label="Agents" class="dense" columns={AGENT_COLUMNS}>
      <tbody>
        {agents.map((agent) => {
          const [name = '', ...cells] = agentColumns(agent);
          const health = cells.pop();
          return (
            <tr>
              <th scope="row">
                <Text longest={80}>{name}</Text>
              </th>
              {cells.map((cell) => (
                <td>{cell}</td>
              ))}
              <td class={agent.problem === null && !agent.saturated ? 'note' : 'ink-warned'}>
                <Text longest={200}>{health ?? ''}</Text>
              </td>
            </tr>
          );
        })}
      </tbody>
    </ScrollTable>
  );
}

/** Answers by status in all phases. */
export function StatusTable({ phases }: Pick<CapacityResults, 'phases'>): VNode {
  const all = [...new Set(phases.flatMap(({ byStatus }) => Object.keys(byStatus)))].toSorted();
  return (
    <ScrollTable
      label="Answers by status"
      class="dense"
      columns={['Phase', ...all.map((status) => (status === 'none' ? 'no answer' : status))]}
    >
      <tbody>
        {phases.map(({ name, byStatus }) => (
          <tr>
            <th scope="row">{name}</th>
            {all.map((status) => (
              <td>{byStatus[status] === undefined ? '' : count(byStatus[status])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}
