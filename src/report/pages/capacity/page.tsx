import type { VNode } from 'preact';
import type { Verdict } from '../../../verdict/verdict.js';
import type { CapacityPageInput } from './input.js';
import { renderDocument } from '../document.js';
import { loadLooks } from '../looks/looks.js';
import { Glyph } from '../parts/glyph.js';
import { ExchangeView } from '../parts/exchange.js';
import { Text } from '../parts/text.js';
import { CAPACITY_LABELS } from '../../../words/outcomes.js';
import { sentences, windowsBound } from '../../../words/bounds.js';
import { decoded, percentilesOf, sumOf } from '../../../log/histogram.js';
import { capital, count, duration, ended, latencyText, listed, moment } from '../../../format/format.js';
import { timelineOf } from './model.js';
import { agentTable, phaseTable, statusTable, thresholdTable } from '../../../words/capacity-tables.js';
import { DataTable } from './tables.js';
import { Lane, Legend, TimePlot } from './time-plot.js';
import { capacityClause, capacityRemarks, shareText, shownText, violationKinds } from '../../../words/capacity.js';
import { OverTime } from './over-time.js';

const GLYPHS = {
  conformant: 'passed',
  'non-conformant': 'failed',
  inconclusive: 'inconclusive',
  error: 'error',
} as const satisfies Record<Verdict, string>;

/** Renders a load run as one self-contained HTML file: verdict, doubts, over time, percentiles, violations. Pure. */
export function renderCapacityPage(input: CapacityPageInput): string {
  const { results } = input;
  return renderDocument({
    looks: loadLooks(),
    title: `${CAPACITY_LABELS[results.verdict]}${results.complete ? '' : ' (cut short)'}: ${results.capacity.scenario} on ${results.target.name}, ${moment(results.startedAt)}`,
    description: capacityClause(results),
    body: (
      <>
        <Head input={input} />
        <Contents />
        <main>
          <section id="thresholds">
            <h2>Thresholds</h2>
            {results.capacity.thresholds.length === 0 ? (
              <p class="lead">The scenario has no threshold, so the figures below are not judged.</p>
            ) : (
              <DataTable table={thresholdTable(results.capacity)} class="thresholds" />
            )}
          </section>
          <OverTime input={input} />
          <section id="phases">
            <h2>Phases</h2>
            <p class="lead">
              Latency is from the planned sending of a request to the last byte of its response. So it includes the wait
              behind slow requests. The last column is from the actual sending.
            </p>
            <DataTable table={phaseTable(results.capacity)} class="dense capacity-table" />
            <h3>Responses by status</h3>
            <DataTable table={statusTable(results.capacity)} class="dense" />
          </section>
          <Violations input={input} />
          <Generator input={input} />
          <section id="again">
            <h2>Run it again</h2>
            <pre class="wire copyable" data-copy="command">
              <code>{input.log.header.command}</code>
            </pre>
          </section>
        </main>
      </>
    ),
  });
}

function Head({ input: { results, log } }: { readonly input: CapacityPageInput }): VNode {
  const { capacity } = results;
  const remarks = capacityRemarks(capacity);
  const { p50, p99 } = percentilesOf(
    sumOf(log.capacity.phases.flatMap(({ operations }) => operations.map(({ latency }) => decoded(latency)))),
  );
  const violations = capacity.phases.reduce((sum, phase) => sum + phase.violations, 0);
  // A phone shows little else.
  const facts: readonly (readonly [string, string])[] = [
    ['p50', latencyText(p50)],
    ['p99', latencyText(p99)],
    ['Violations', count(violations)],
    ['Address', results.target.baseUrl],
    ['Started', moment(results.startedAt).replace(/:\d\d UTC$/, ' UTC')],
    ['Duration', duration(results.durationMs)],
    ['Requests', count(results.requests.total)],
    ['Keys', listed(log.capacity.scenario.keys.map(capital))],
    ['Phases', count(log.capacity.scenario.scenario.phases.length)],
  ];
  return (
    <header class={`head verdict-${results.verdict}`}>
      {!results.complete && (
        <div class="cut-short">
          <Glyph outcome="failed" />
          <p>
            <strong>{capacity.problems ? 'This run is incomplete.' : 'This run was cut short.'}</strong>{' '}
            {log.footer === null ? (
              'Its log has no end, as after a crash or a killed process.'
            ) : (
              <Text longest={300}>{ended(capital(log.footer.reason ?? 'it ended early'))}</Text>
            )}{' '}
            The rest shows only the results so far.
          </p>
        </div>
      )}
      <p class="verdict-word">
        <Glyph outcome={GLYPHS[results.verdict]} /> {CAPACITY_LABELS[results.verdict]}
        <span class="judge">
          {results.kit.name} {results.kit.version}
        </span>
      </p>
      <h1>
        <Text longest={600}>{`${capacityClause(results)}.`}</Text>
      </h1>
      {sentences([windowsBound(results)]) !== '' && <p class="bounds">{sentences([windowsBound(results)])}</p>}
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>
              <Text longest={120}>{value}</Text>
            </dd>
          </div>
        ))}
      </dl>
      {remarks.length > 0 && (
        <div class="asides">
          <section>
            <h2>Before you rely on it</h2>
            {remarks.map((remark) => (
              <p>
                <Text longest={400}>{remark}</Text>
              </p>
            ))}
          </section>
        </div>
      )}
    </header>
  );
}

const SECTIONS = [
  ['thresholds', 'Thresholds'],
  ['time', 'Over time'],
  ['phases', 'Phases'],
  ['violations', 'Violations'],
  ['generator', 'Generator'],
] as const;

const Contents = (): VNode => (
  <nav class="contents" aria-label="Sections of this report">
    <ul>
      {SECTIONS.map(([id, name]) => (
        <li>
          <a href={`#${id}`}>{name}</a>
        </li>
      ))}
    </ul>
    <div class="tools" hidden>
      <button id="theme" type="button">
        Theme
      </button>
    </div>
  </nav>
);

function Violations({ input: { results, curlOf } }: { readonly input: CapacityPageInput }): VNode {
  const violations = violationKinds(results.capacity, results.exchanges);
  const exchanges = new Map(results.exchanges.map((exchange) => [exchange.id, exchange]));
  const findingOf = (id: string, message: string) =>
    results.requirements.find((row) => row.id === id)?.findings.find((finding) => finding.message === message);
  return (
    <section id="violations">
      <h2>Violations</h2>
      {violations.length === 0 ? (
        <p class="lead">No response violated a requirement. Every response was checked as in a conformance run.</p>
      ) : (
        violations.map((kind) => {
          const { requirement, message, exchange } = kind;
          const shown = exchanges.get(exchange);
          const finding = findingOf(requirement, message);
          return (
            <article class="violation">
              <h3 class="o-failed">
                <Glyph outcome="failed" /> <code>{requirement}</code> <span class="note">{shownText(kind)}</span>
              </h3>
              <p>
                <Text longest={600}>{ended(capital(message))}</Text>
              </p>
              {finding?.expected !== undefined && (
                <p class="note">
                  Expected <Text longest={300}>{finding.expected}</Text>, received{' '}
                  <Text longest={300}>{finding.actual ?? ''}</Text>
                </p>
              )}
              {shown && <ExchangeView exchange={shown} curl={curlOf(shown)} folded />}
            </article>
          );
        })
      )}
    </section>
  );
}

function Generator({ input: { results, log } }: { readonly input: CapacityPageInput }): VNode {
  const timeline = timelineOf(log.capacity);
  const { loopLagMs, cpu, saturated } = results.capacity.generator;
  return (
    <section id="generator">
      <h2>Health of the generator</h2>
      <p class="lead">
        {saturated
          ? 'The generator was the bottleneck for some time. The figures of that time describe this machine, not the server.'
          : 'The generator kept up, so the figures describe the server.'}{' '}
        Its event loop was at most {latencyText(loopLagMs)} late (p99 of a second). It used up to {shareText(cpu)} of
        one processor on average in a phase.
      </p>
      {results.capacity.agents.length > 0 && (
        <>
          <h3>Agents</h3>
          <p class="lead">Each agent sent its part of the schedule. Clock: shared clock minus the agent’s clock.</p>
          <DataTable table={agentTable(results.capacity)} class="dense" />
        </>
      )}
      <div class="figure">
        <TimePlot
          timeline={timeline}
          label="Load of the generator"
          scale="linear"
          text={(value) => shareText(value)}
          series={[
            { name: 'served', label: 'busy', dots: timeline.line(({ busy }) => busy), filled: true },
            { name: 'sent', label: 'processor', dots: timeline.line((second) => second.cpu) },
          ]}
        />
        <Lane timeline={timeline} name="behind" label="behind" dots={timeline.line(({ behind }) => (behind ? 1 : 0))} />
        <Legend
          entries={[
            ['series-sent', 'share of one processor'],
            ['series-served', 'share of time with a busy event loop'],
          ]}
        />
      </div>
    </section>
  );
}
