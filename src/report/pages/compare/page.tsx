import type { VNode } from 'preact';
import type { Outcome } from '../../../verdict/verdict.js';
import { Glyph } from '../parts/glyph.js';
import { Text } from '../parts/text.js';
import { TableHead } from '../markup/table-head.js';
import { CHANGE_KINDS } from '../../../words/changes.js';
import { count, counted, duration, ended, moment } from '../../../format/format.js';
import { OWN_TITLE } from '../../../words/own.js';
import { comparisonSentence, trendOf, verdictOf, type Trend } from '../../runs/compare-sentence.js';
import type { ComparedRun, Comparison } from '../../../acceptance/compare.js';
import { renderDocument } from '../document.js';
import { runsLooks } from '../looks/looks.js';
import { Headline } from '../parts/headline.js';
import type { Places } from '../places.js';
import { KindOfChange, Block } from './changes.js';
import { ScrollTable } from '../markup/scroll-table.js';
import type { CapacityComparison } from '../../../acceptance/compare-capacity.js';

/** Figures of two load runs. */
const CompareFigures = ({
  comparison: { figures, thresholds },
}: {
  readonly comparison: CapacityComparison;
}): VNode => (
  <>
    {thresholds.length > 0 && (
      <section>
        <h2>Thresholds with another outcome ({thresholds.length})</h2>
        <ScrollTable label="Thresholds" class="pair" columns={['Threshold', 'Before', 'Now']}>
          <tbody>
            {thresholds.map(({ text, before, after, isNewlyMissed }) => (
              <tr>
                <th scope="row">
                  <Text longest={200}>{text}</Text>
                </th>
                <td>{before}</td>
                <td class={isNewlyMissed ? 'ink-failed' : undefined}>{after}</td>
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      </section>
    )}
    <section>
      <h2>Figures side by side</h2>
      <ScrollTable label="Figures" class="dense" columns={['Phase', ['Figure', 'left'], 'Before', 'Now', 'Change']}>
        <tbody>
          {figures.map(({ phase, figure, before, after, change }, at) => (
            <tr>
              <th scope="row">
                {at > 0 && figures[at - 1]?.phase === phase ? '' : <Text longest={120}>{phase}</Text>}
              </th>
              <td class="left">{figure}</td>
              <td>{before}</td>
              <td>{after}</td>
              <td>{change}</td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  </>
);

const TRENDS: Readonly<Record<Trend, readonly [word: string, glyph: Outcome, verdict: string]>> = {
  worse: ['Worse', 'failed', 'non-conformant'],
  'less-known': ['Less certain', 'inconclusive', 'inconclusive'],
  better: ['Better', 'passed', 'conformant'],
  different: ['Different', 'observed', ''],
  alike: ['Unchanged', 'passed', ''],
  unknown: ['Nothing to compare', 'inconclusive', 'inconclusive'],
};

const NOWHERE: Places = { before: null, after: null };

/**
 * Renders a comparison of two runs as an HTML page. Pure.
 * @param places addresses of the two reports, relative to the page
 */
export function comparisonPage(comparison: Comparison, places: Places = NOWHERE): string {
  const { against, run, changes, unchanged, stillFailing, remarks, capacity, sides, own } = comparison;
  const sentence = comparisonSentence(comparison);
  const [word, glyph, verdict] = TRENDS[trendOf(comparison)];
  const failingSides = stillFailing.flatMap((id) => sides.get(id) ?? []);
  return renderDocument({
    looks: runsLooks(),
    title: `${word}: ${sentence}`,
    description: sentence,
    body: (
      <>
        <header class={`head verdict-${verdict}`}>
          <p class="verdict-word">
            <Glyph outcome={glyph} /> {word}
            <span class="judge">Comparison of two runs</span>
          </p>
          <h1>
            <Headline text={sentence} />
          </h1>
          <TwoRuns before={against} after={run} places={places} />
          {remarks.length > 0 && (
            <div class="remarks">
              <p>Reasons for differences other than the target:</p>
              <ul class="reasons">
                {remarks.map((remark) => (
                  <li>
                    <Text longest={400}>{ended(remark)}</Text>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </header>
        <main>
          {CHANGE_KINDS.map((kind) => (
            <KindOfChange
              kind={kind}
              changes={changes.filter((change) => change.kind === kind)}
              sides={sides}
              places={places}
            />
          ))}
          {capacity && <CompareFigures comparison={capacity} />}
          {failingSides.length > 0 && (
            <section>
              <h2 class="ink-failed">Failing in both ({count(failingSides.length)})</h2>
              <details class="fold">
                <summary>Findings of both runs</summary>
                {failingSides.map((both) => (
                  <Block both={both} glyph="failed" places={places} />
                ))}
              </details>
            </section>
          )}
          {own.length > 0 && (
            <section>
              <h2>
                {OWN_TITLE} ({count(own.length)})
              </h2>
              <ul class="reasons">
                {own.map(({ id, before, after }) => (
                  <li>
                    <Text>{id}</Text>: <Text longest={400}>{before}</Text>, now <Text longest={400}>{after}</Text>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {!capacity && unchanged > 0 && (
            <section>
              <p class="note">{counted(unchanged, 'requirement')} with the same outcome.</p>
            </section>
          )}
        </main>
      </>
    ),
  });
}

/** Both runs, a line each: run, target and report. */
function TwoRuns({
  before,
  after,
  places,
}: {
  readonly before: ComparedRun;
  readonly after: ComparedRun;
  readonly places: Places;
}): VNode {
  const hasBuilds = before.label !== null || after.label !== null;
  return (
    <table class="two-runs">
      <TableHead columns={['Run', 'Started', 'Target', ...(hasBuilds ? ['Build'] : []), 'Verdict', 'Requests']} />
      <tbody>
        <Run label="Before" run={before} place={places.before} hasBuilds={hasBuilds} />
        <Run label="Now" run={after} place={places.after} hasBuilds={hasBuilds} />
      </tbody>
    </table>
  );
}

const Run = ({
  label,
  run,
  place,
  hasBuilds,
}: {
  readonly label: string;
  readonly run: ComparedRun;
  readonly place: string | null;
  readonly hasBuilds: boolean;
}): VNode => (
  <tr>
    <th scope="row">{label}</th>
    <td>{place === null ? moment(run.startedAt) : <a href={place}>{moment(run.startedAt)}</a>}</td>
    <td>
      <Text longest={120}>{run.name}</Text>
    </td>
    {hasBuilds && (
      <td>{run.label === null ? <span class="note">build not named</span> : <Text longest={80}>{run.label}</Text>}</td>
    )}
    <td>
      {verdictOf(run)}
      {run.obstacle === null && !run.isLoad && run.musts.inScope > 0 && (
        <span class="note">
          , {count(run.musts.passed)} of {counted(run.musts.inScope, 'required behaviour')} passed
        </span>
      )}
    </td>
    <td>
      {count(run.requests)} <span class="note">in {duration(run.durationMs)}</span>
    </td>
  </tr>
);
