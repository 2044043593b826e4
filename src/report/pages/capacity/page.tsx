import type { CapacityLog } from '../../../log/capacity-record.js';
import type { Exchange } from '../../../wire/exchange/types.js';
import type { RunLog } from '../../../log/run-log.js';
import { measuredIn } from '../../../loadkit/thresholds.js';
import {
  capital,
  count,
  duration,
  listed,
  minute,
  moment,
  sum,
  trimmed,
} from '../../../base/kernel/format.js';
import { sentences, windowsBound } from '../../../outcome/words/bounds.js';
import { percentileText, type CapacityRun } from '../../../outcome/words/capacity.js';
import { confirmedStep, stepRate } from '../../../outcome/words/find.js';
import { CAPACITY_LABELS, VERDICT_GLYPHS } from '../../../outcome/words/outcomes.js';
import { capacityDocument } from '../../capacity-document.js';
import { renderDocument } from '../document.js';
import { BeforeYouRely, Contents, CutShort, Head } from '../markup/head.js';
import { CommandLine, Facts, type Fact } from '../markup/lists.js';
import { Text } from '../parts/text.js';
import { SectionView } from '../sections.js';
import { GeneratorLoad, OverTime } from './charts.js';
import { FindPlot } from './find-plot.js';

interface CapacityPageInput {
  readonly results: CapacityRun;
  readonly log: RunLog & { readonly capacity: CapacityLog };
  readonly curlOf: (exchange: Exchange) => string;
}

export function renderCapacityPage({ results, log, curlOf }: CapacityPageInput): string {
  const { sentence, remarks, sections } = capacityDocument(results);
  const { capacity, kit, verdict, complete, requirements, exchanges } = results;
  const bounds = sentences([windowsBound(results)]);
  const charts = {
    'over-time': () => <OverTime log={log.capacity} />,
    find: () => <FindPlot find={capacity.find} />,
    generator: () => <GeneratorLoad log={log.capacity} />,
  };
  const word = `${CAPACITY_LABELS[verdict]}${complete ? '' : ' (cut short)'}`;
  return renderDocument({
    looks: 'load',
    title: `${word}: ${capacity.scenario} on ${results.target.name}, ${moment(results.startedAt)}`,
    description: sentence,
    body: (
      <>
        <Head
          glyph={VERDICT_GLYPHS[verdict]}
          word={CAPACITY_LABELS[verdict]}
          judge={`${kit.name} ${kit.version}`}
          sentence={<Text longest={600}>{sentence}</Text>}
          above={!complete && <CutShort footer={log.footer} isPartial={capacity.problems !== undefined} />}
        >
          {bounds !== '' && <p class="bounds note">{bounds}</p>}
          <Facts class="facts flow" facts={factsOf(results, log.capacity, log.header.run)} />
          {remarks.length > 0 && (
            <div class="asides">
              <BeforeYouRely remarks={remarks} />
            </div>
          )}
        </Head>
        <Contents sections={sections.map(({ id, title }) => [id, title])} />
        <main>
          {sections.map((section) => (
            <SectionView {...section} context={{ requirements, exchanges, curlOf, charts }} />
          ))}
          <section id="again">
            <h2>Run it again</h2>
            <CommandLine text={log.header.command} />
          </section>
        </main>
      </>
    ),
  });
}

/** Facts of the first screen; a phone shows little but the first. */
function factsOf(
  { capacity, target, startedAt, durationMs, requests, label }: CapacityRun,
  log: CapacityLog,
  run: string,
): readonly Fact[] {
  // In a search, the steps beyond the limit would hide what the rate that it found is like.
  const found = capacity.find && confirmedStep(capacity.find);
  const named = found ? log.phases.filter(({ phase }) => phase === found.phase) : log.phases;
  const at = found ? ` at ${stepRate(found.perSecond)}` : '';
  const { percentile } = measuredIn(named, null);
  const throughput = Math.max(0, ...capacity.phases.map(({ perSecond }) => perSecond));
  return [
    [`p50${at}`, percentileText(percentile('p50') ?? 0)],
    [`p99${at}`, percentileText(percentile('p99') ?? 0)],
    ['Violations', count(sum(capacity.phases, ({ violations }) => violations))],
    ['Throughput', `${trimmed(throughput, 1)}/s${capacity.phases.length > 1 ? ' at most' : ''}`],
    ['Address', target.baseUrl],
    ['Started', minute(startedAt)],
    ['Duration', duration(durationMs)],
    ['Requests', count(requests.total)],
    ['Keys', listed(log.scenario.keys.map(capital))],
    ['Phases', count(log.phases.length)],
    ...(label === undefined ? [] : [['Build', label] satisfies Fact]),
    ['Run', run],
  ];
}
