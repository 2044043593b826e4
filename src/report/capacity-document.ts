import type { CapacityResults, PhaseResult, ThresholdResult } from '../loadkit/capacity-shape.js';
import type { SecondRecord } from '../log/capacity-record.js';
import { count, latencyText, listed, shareText, trimmed } from '../base/kernel/format.js';
import { knownP999 } from '../loadkit/thresholds.js';
import { valueText } from '../wire/scenario/threshold.js';
import type { Outcome } from '../judge/verdict.js';
import {
  capacityClause,
  capacityRemarks,
  driftSentences,
  percentileText,
  THRESHOLD_OUTCOMES,
  violationKinds,
  type CapacityRun,
} from '../outcome/words/capacity.js';
import {
  tableOf,
  type Cell,
  type Column,
  type ReportDocument,
  type Section,
  type Table,
} from './document.js';
import { findSection } from './find-section.js';

export function capacityDocument(results: CapacityRun): ReportDocument {
  const { capacity } = results;
  const { loopLagMs, cpu, saturated } = capacity.generator;
  const violations = violationKinds(capacity, results.exchanges);
  return {
    sentence: `${capacityClause(results)}.`,
    remarks: capacityRemarks(capacity),
    sections: [
      ...(capacity.find ? [findSection(capacity.find)] : []),
      {
        id: 'thresholds',
        title: 'Thresholds',
        ...(capacity.thresholds.length === 0 && {
          lead: capacity.find
            ? 'A search judges each of its steps instead.'
            : 'The scenario has no threshold, so the figures below are not judged.',
        }),
        blocks: [thresholdTable(capacity)],
      },
      ...journeysSection(capacity),
      ...driftSection(capacity),
      { id: 'time', title: 'Over time', blocks: [{ kind: 'series', name: 'over-time' }] },
      {
        id: 'phases',
        title: 'Phases',
        lead: latencyLead(capacity),
        blocks: [phaseTable(capacity)],
      },
      ...sentSection(results),
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
            ? 'The generator was the bottleneck for some time. The figures of that time describe the generator, not the server.'
            : 'The generator kept up, so the figures describe the server.') +
          ` Its event loop was at most ${latencyText(loopLagMs)} late (p99 of a second).` +
          ` It used up to ${shareText(cpu)} of one processor on average in a phase.`,
        blocks: [{ kind: 'series', name: 'generator' }],
      },
    ],
  };
}

/** What latency measures differs between open and closed loop. */
function latencyLead({ phases }: Pick<CapacityResults, 'phases'>): string {
  const closed = phases.flatMap(({ name, closed: waiting }) => (waiting === undefined ? [] : [name]));
  return [
    closed.length === phases.length
      ? ''
      : 'Latency is from the planned sending of a request to the last byte of its response. So it includes the wait ' +
        'behind slow requests. The last column is from the actual sending.',
    closed.length === 0
      ? ''
      : `In closed loop (${listed(closed)}) a connection sends its next request after a response. Nothing is sent while ` +
        'the server stalls, so only the longest wait shows a stall.',
    'Throughput is successful responses within the time of the phase, per second.',
  ]
    .filter(Boolean)
    .join(' ');
}

function journeysSection({ phases }: Pick<CapacityResults, 'phases'>): readonly Section[] {
  const rows = phases.flatMap(({ name: phase, journeys = [] }) =>
    journeys.flatMap(({ journey, started, finished, notShown, latencyMs, steps }) => [
      {
        name: phases.length === 1 ? journey : `${journey} in ${phase}`,
        started: count(started),
        finished: count(finished),
        notShown: count(notShown),
        latencyMs,
      },
      ...steps.map(({ operation, answered, latencyMs: ofStep }, place) => {
        const name = `${place + 1}. ${operation}`;
        return {
          name,
          started: count(answered),
          finished: '',
          notShown: '',
          latencyMs: ofStep,
          isPart: true,
        };
      }),
    ]),
  );
  if (rows.length === 0) return [];
  return [
    {
      id: 'journeys',
      title: 'Journeys',
      lead:
        'A journey is finished when its last step was served; its time is from its planned start, with the time to think. ' +
        'A step’s time is from the moment that the journey planned for it. "Not shown": no listing showed the animal.',
      blocks: [
        tableOf('Journeys', rows, [
          ['Journey', ({ name }) => name],
          latency('p50'),
          latency('p95'),
          latency('p99'),
          ['Sent', ({ started }) => started],
          ['Finished', ({ finished }) => finished],
          ['Not shown', ({ notShown }) => notShown],
        ]),
      ],
    },
  ];
}

function driftSection(capacity: CapacityResults): readonly Section[] {
  const texts = driftSentences(capacity);
  if (texts.length === 0) return [];
  return [{ id: 'drift', title: 'Drift', blocks: texts.map((text) => ({ kind: 'text', text }) as const) }];
}

/** What the scenario asked for, and of which build; results of older kits do not contain it. */
function sentSection({ capacity: { asked }, label, scope }: CapacityRun): readonly Section[] {
  if (asked === undefined) return [];
  const rows = [
    ...asked.phases.map((text) => ({ what: 'Phase', text })),
    ...asked.operations.map((text) => ({ what: 'Operation', text })),
    { what: 'Plans', text: listed(asked.keys) },
    ...asked.rules.map((text) => ({ what: 'Rule', text })),
    ...(label === undefined ? [] : [{ what: 'Build', text: label }]),
    ...(scope.writes ? [] : [{ what: 'Writes', text: 'off' }]),
  ];
  return [
    {
      id: 'sent',
      title: 'What was sent',
      blocks: [
        tableOf('What was sent', rows, [
          ['Setting', ({ what }) => what],
          ['Value', ({ text }) => text],
        ]),
      ],
    },
  ];
}

const latency = (
  figure: keyof Latencies,
  name: string = figure,
): Column<{ readonly latencyMs: Latencies }> => [name, ({ latencyMs }) => percentileText(latencyMs[figure])];
type Latencies = PhaseResult['latencyMs'];

const bad = (amount: number, ink: Outcome): Cell => ({ text: count(amount), ...(amount > 0 && { ink }) });

const thresholdTable = ({ thresholds }: Pick<CapacityResults, 'thresholds'>): Table => ({
  ...tableOf('Thresholds', thresholds, [
    ['Threshold', ({ text }) => text],
    ['Measured', valueText],
    ['Outcome', ({ outcome }) => ({ text: outcome, glyph: THRESHOLD_OUTCOMES[outcome] })],
    ...(thresholds.some(({ reason }) => reason !== undefined)
      ? [['Reason', ({ reason = '' }) => ({ text: reason, ink: 'note' })] satisfies Column<ThresholdResult>]
      : []),
  ]),
  brief: [0, 1, 2],
});

/** The deciding columns come first: a phone shows three. */
const phaseTable = ({ phases }: Pick<CapacityResults, 'phases'>): Table =>
  tableOf(
    'Phases and operations',
    phases.flatMap((phase) => [
      { ...phase, rate: `${count(phase.perSecond)}/s`, left: count(phase.dropped) },
      ...(phase.operations.length > 1
        ? phase.operations.map((one) => ({ ...one, name: one.operation, rate: '', left: '', isPart: true }))
        : []),
    ]),
    [
      ['Phase', ({ name }) => name],
      latency('p50'),
      latency('p99'),
      ['Violations', ({ violations }) => bad(violations, 'failed')],
      latency('p95'),
      // Of fewer requests, it is only the longest.
      ['p99.9', (phase) => percentileText(knownP999(phase))],
      ['Errors', ({ errors }) => bad(errors, 'warned')],
      ['Sent', ({ sent }) => count(sent)],
      ['Served', ({ served }) => count(served)],
      ['Throughput', ({ rate }) => rate],
      ['Dropped', ({ left }) => left],
      latency('p90'),
      latency('max', 'Longest'),
      ['p99 service', ({ serviceMs }) => percentileText(serviceMs.p99)],
    ],
  );

/** Columns of the responses by status code; one that did not come is empty or 0. */
const statusColumns = <Row extends Pick<PhaseResult, 'byStatus'>>(rows: readonly Row[], none: string) =>
  [...new Set(rows.flatMap(({ byStatus }) => Object.keys(byStatus)))]
    .toSorted()
    .map((status): Column<Row> => [
      status === 'none' ? 'no response' : status,
      ({ byStatus: { [status]: amount } }) => (amount === undefined ? none : count(amount)),
    ]);

const statusTable = ({ phases }: Pick<CapacityResults, 'phases'>): Table =>
  tableOf('Responses by status', phases, [['Phase', ({ name }) => name], ...statusColumns(phases, '')]);

/** Only agents have clocks to compare; workers are named as parts. */
function agentsSection({ agents }: CapacityResults): Section {
  const haveClocks = agents.some(({ offsetMs }) => offsetMs !== null);
  const lead = haveClocks
    ? 'Each agent sent its part of the schedule. Clock: shared clock minus the agent’s clock.'
    : 'Each part of the schedule was sent by its own process.';
  const title = haveClocks ? 'Agents' : 'Parts';
  return { id: 'agents', title, lead, blocks: [agentTable(agents, title)] };
}

/** Of a sender whose log is missing, no figure is known. */
const unlessLost = (amount: number, problem: string | null): string =>
  amount === 0 && problem !== null ? '–' : count(amount);

const agentTable = (agents: CapacityResults['agents'], title: string): Table => ({
  ...tableOf(title, agents, [
    [title === 'Agents' ? 'Agent' : 'Sent by', ({ name }) => name],
    ['Part', ({ part }) => String(part)],
    [
      'Clock',
      ({ offsetMs, errorMs }) =>
        offsetMs === null
          ? '–'
          : `${offsetMs > 0 ? '+' : ''}${trimmed(offsetMs, 1)} ±${trimmed(errorMs ?? 0, 1)} ms`,
    ],
    ['Sent', ({ sent, problem }) => unlessLost(sent, problem)],
    ['Dropped', ({ dropped, problem }) => unlessLost(dropped, problem)],
    ['Loop lag', ({ loopLagMs }) => latencyText(loopLagMs)],
    ['Processor', ({ cpu }) => shareText(cpu)],
    [
      '',
      ({ problem, saturated }) =>
        problem === null && !saturated
          ? { text: 'kept up', ink: 'note' }
          : // The remarks on the run have the reason.
            { text: problem === null ? 'was saturated' : 'incomplete', ink: 'warned' },
    ],
  ]),
  brief: [0, 2, 3, 7],
});

/** Figures per second, or per few seconds merged. A second is named by its end, counted from the start. */
export const secondTable = (seconds: readonly SecondRecord[], startAt: number): Table =>
  tableOf('Figures of each second', seconds, [
    ['Until', ({ at }) => `${trimmed((at - startAt) / 1000, 1)} s`],
    ['Phase', ({ phase }) => phase],
    ['p50', ({ p50 }) => percentileText(p50)],
    ['p99', ({ p99 }) => percentileText(p99)],
    ['Violations', ({ violations }) => bad(violations, 'failed')],
    ['Errors', ({ errors }) => bad(errors, 'warned')],
    ['Sent', ({ sent }) => count(sent)],
    ['In flight', ({ underWay }) => count(underWay)],
    ...statusColumns(seconds, '0'),
    ['Dropped', ({ dropped }) => count(dropped)],
    ['p90', ({ p90 }) => percentileText(p90)],
    ['Longest', ({ max }) => percentileText(max)],
  ]);
