import type { LoggedTraffic } from '../../../log/run-log.js';
import { SCENARIO_WORDS } from '../../../base/interface/names.js';
import { capital, count, counted, duration } from '../../../base/kernel/format.js';
import { remarksOnTraffic } from '../../../outcome/words/traffic.js';
import { timelineOf, type Timeline } from '../../client-timeline.js';
import type { PageInput } from '../input.js';
import { behaviourOf } from '../../../judge/clients/behaviour.js';
import { Facts, Fold, harmless } from '../markup/lists.js';
import { Area, percent } from '../markup/plot.js';

export const trafficTitle = ({ traffic }: PageInput['log']): string =>
  traffic.length === 1 ? 'Traffic' : 'Scenarios';

export const Scenarios = ({ log, document: { results } }: PageInput) => (
  <section id="scenarios">
    <h2>{trafficTitle(log)}</h2>
    <p class="lead">What no requirement binds is only noted.</p>
    {results.traffic && remarksOnTraffic(results.traffic).map((remark) => <p>{harmless(remark)}.</p>)}
    <Facts
      class="facts flow"
      facts={behaviourOf(log.traffic).map(({ subject, value }) => [subject, value])}
    />
    {log.traffic.map((record) => (
      <ScenarioView record={record} />
    ))}
  </section>
);

function ScenarioView({ record }: { readonly record: LoggedTraffic }) {
  const timeline = timelineOf(record);
  const { marks, remarks, ending } = timeline;
  const said = [...remarks, ...(ending === null ? [] : [ending])];
  return (
    <div class="scenario">
      <h3>{timeline.name}</h3>
      {record.scenario !== undefined && <p class="note">{SCENARIO_WORDS.get(record.scenario)}</p>}
      {marks.length === 0 ? <p>The client sent no request.</p> : <TimeLine {...timeline} />}
      {said.length > 0 && <p class="note">{capital(said.join('; '))}.</p>}
      {record.command && record.command.output.trim() !== '' && (
        <Fold title="What the command printed">
          <pre>{harmless(record.command.output)}</pre>
        </Fold>
      )}
    </div>
  );
}

const HEIGHT = 44;
const LINE = 22;

function TimeLine({ marks, rests, spanMs }: Timeline) {
  // Half a percent at each end, so that the outer marks are whole.
  const share = (ms: number): string => percent(0.01 + (0.94 * ms) / spanMs);
  const words = `${counted(marks.length, 'request')}: ${statusWords(marks)}; the line spans ${duration(spanMs)}`;
  return (
    <figure class="timeline">
      <Area height={HEIGHT}>
        {rests.map(({ fromMs, toMs, retryAfter }) => (
          <g>
            <title>{`the key rests for ${duration(toMs - fromMs)}: Retry-After: ${retryAfter}`}</title>
            <rect
              class="fill-warned"
              opacity="0.25"
              x={share(fromMs)}
              width={percent((0.94 * (toMs - fromMs)) / spanMs)}
              y={LINE - 8}
              height="16"
            />
          </g>
        ))}
        <line class="axis" x1="0" x2="100%" y1={LINE} y2={LINE} stroke="currentColor" opacity="0.3" />
        {marks.map(({ atMs, status, state, name }) => (
          <g>
            <title>
              {`${name} after ${duration(atMs)}: ${status ?? 'no response'}${state === 'early' ? ', too early' : ''}`}
            </title>
            <circle class={`fill-${FILLS[state]}`} cx={share(atMs)} cy={LINE} r="5" />
            {state === 'early' && (
              <circle class="ink-failed" cx={share(atMs)} cy={LINE} r="9" fill="none" stroke="currentColor" />
            )}
          </g>
        ))}
      </Area>
      <figcaption class="note">{words}</figcaption>
    </figure>
  );
}

/** Most statuses named below a time line; a recording may have thousands. */
const MOST_STATUSES = 8;

/** Names the statuses in order, equal ones that follow each other once: colours alone tell them apart to few. */
function statusWords(marks: Timeline['marks']): string {
  const runs: { readonly status: string; times: number }[] = [];
  for (const mark of marks) {
    const status = String(mark.status ?? 'no response');
    const last = runs.at(-1);
    if (last?.status === status) last.times += 1;
    else runs.push({ status, times: 1 });
  }
  const named = runs.map(({ status, times }) => (times === 1 ? status : `${count(times)} × ${status}`));
  return `${named.slice(0, MOST_STATUSES).join(', ')}${named.length > MOST_STATUSES ? ' and so on' : ''}`;
}

/** A request too early is red; the others differ by their status codes. */
const FILLS = { served: 'passed', refused: 'warned', early: 'failed', other: 'inconclusive' } as const;
