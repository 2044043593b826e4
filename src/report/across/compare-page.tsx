import type { VNode } from 'preact';
import type { Outcome } from '../../verdict/verdict.js';
import { FindingView } from '../html/parts/finding.js';
import { Glyph } from '../html/parts/glyph.js';
import { Text } from '../html/parts/text.js';
import { ScrollArea } from '../markup/scroll-area.js';
import { TableHead } from '../markup/table-head.js';
import { CHANGE_KINDS, CHANGE_LABELS } from '../wording/changes.js';
import type { Change, ChangeKind } from '../wording/changes.js';
import { capital, count, counted, duration, ended, moment } from '../wording/format.js';
import { OWN_TITLE } from '../wording/own.js';
import { CompareFigures } from './compare-figures.js';
import { comparisonSentence, trendOf } from './compare-sentence.js';
import type { Trend } from './compare-sentence.js';
import { sideLine, sideWords } from './compare-details.js';
import { verdictOf } from './compare-terminal.js';
import type { BothSides, ComparedRun, Comparison } from './compare.js';
import { Headline, renderPage } from './page-shell.js';
import type { Places } from './places.js';

const TRENDS: Readonly<Record<Trend, readonly [word: string, glyph: Outcome, verdict: string]>> = {
  worse: ['Worse', 'failed', 'non-conformant'],
  'less-known': ['Known less well', 'inconclusive', 'inconclusive'],
  better: ['Better', 'passed', 'conformant'],
  different: ['Different', 'observed', ''],
  alike: ['As before', 'passed', ''],
  unknown: ['Nothing to compare', 'inconclusive', 'inconclusive'],
};

const NOWHERE: Places = { before: null, after: null };

/**
 * Two runs held against each other, as an HTML page. Pure.
 * @param places addresses of the two reports from where the page is to lie
 */
export function comparisonPage(comparison: Comparison, places: Places = NOWHERE): string {
  const { against, run, changes, unchanged, stillFailing, remarks, capacity, sides, own } = comparison;
  const sentence = comparisonSentence(comparison);
  const [word, glyph, verdict] = TRENDS[trendOf(comparison)];
  const failingSides = stillFailing.flatMap((id) => sides.get(id) ?? []);
  return renderPage({
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
              <p>They may differ without a change of the target:</p>
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
                <summary>What each of the two found</summary>
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
              <p class="note">{counted(unchanged, 'requirement')} came out alike.</p>
            </section>
          )}
        </main>
      </>
    ),
  });
}

/** The two runs, a line each: which, of what, and where their reports are. */
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
      {run.obstacle === null && run.musts.inScope > 0 && (
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

/** The outcome that a kind's heading has the glyph and the colour of. */
const GLYPHS: Readonly<Record<ChangeKind, Outcome>> = {
  'newly-failing': 'failed',
  'newly-warned': 'warned',
  'newly-open': 'inconclusive',
  'newly-untested': 'not-applicable',
  'newly-passing': 'passed',
  'newly-tested': 'passed',
  'outcome-changed': 'observed',
  'observation-changed': 'observed',
};

/** What stands below a heading that does not say all by itself. */
const LEADS: Readonly<Partial<Record<ChangeKind, string>>> = {
  'newly-open': 'In scope, and this run could not tell: another run may.',
  'newly-untested': 'Out of this run’s scope, or out of reach for this target.',
  'observation-changed': 'The interface leaves these free: no fault, and worth knowing for whoever relies on them.',
};

interface KindProps {
  readonly kind: ChangeKind;
  readonly changes: readonly Change[];
  readonly sides: Comparison['sides'];
  readonly places: Places;
}

function KindOfChange({ kind, changes, sides, places }: KindProps): VNode | null {
  const all = changes.flatMap(({ id }) => sides.get(id) ?? []);
  if (all.length === 0) return null;
  const glyph = GLYPHS[kind];
  const heading = `${capital(CHANGE_LABELS[kind])} (${changes.length})`;
  return (
    <section>
      <h2 class={`ink-${glyph}`}>{heading}</h2>
      {LEADS[kind] && <p class="lead">{LEADS[kind]}</p>}
      {WHOLE.has(kind) ? (
        all.map((both) => <Block both={both} glyph={glyph} places={places} />)
      ) : (
        <ScrollArea label={heading}>
          <table class="pair">
            <TableHead columns={['Requirement', 'Before', 'Now']} />
            <tbody>
              {all.flatMap((both) =>
                kind === 'observation-changed' ? (
                  <Observed both={both} places={places} />
                ) : (
                  <tr>
                    <th scope="row">
                      <Id both={both} place={places.after} />
                    </th>
                    <td>
                      <Text longest={LONGEST_LINE}>{sideLine(both.before)}</Text>
                    </td>
                    <td>
                      <Text longest={LONGEST_LINE}>{sideLine(both.after)}</Text>
                    </td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </ScrollArea>
      )}
    </section>
  );
}

/** Kinds of which both runs are shown side by side with what they expected and received. */
const WHOLE: ReadonlySet<ChangeKind> = new Set<ChangeKind>(['newly-failing', 'newly-warned']);

const LONGEST_LINE = 300;

/** More of a value than this nobody reads in a table; all of it stands in results.json. */
const LONGEST_VALUE = 2_000;

const Observed = ({ both, places }: { readonly both: BothSides; readonly places: Places }): VNode => (
  <>
    {both.observed.map(({ subject, before, after }) => (
      <tr>
        <th scope="row">
          <Id both={both} place={places.after} />
          {subject !== '' && (
            <div class="note">
              <Text longest={LONGEST_LINE}>{subject}</Text>
            </div>
          )}
        </th>
        <ObservedCell value={before} />
        <ObservedCell value={after} />
      </tr>
    ))}
  </>
);

const ObservedCell = ({ value }: { readonly value: string | null }): VNode =>
  value === null ? (
    <td class="note">not seen</td>
  ) : (
    <td class="value">
      <Text longest={LONGEST_VALUE}>{value}</Text>
    </td>
  );

/** A requirement's id, as a link to its card where a report is known. */
const Id = ({ both: { id }, place }: { readonly both: BothSides; readonly place: string | null }): VNode =>
  place === null ? (
    <span class="id">
      <Text>{id}</Text>
    </span>
  ) : (
    <a class="id" href={`${place}#${encodeURIComponent(id)}`}>
      <Text>{id}</Text>
    </a>
  );

/** One requirement, both runs side by side. */
const Block = ({
  both,
  glyph,
  places,
}: {
  readonly both: BothSides;
  readonly glyph: Outcome;
  readonly places: Places;
}): VNode => (
  <div class="change">
    <h3 class={`o-${glyph}`}>
      <Glyph outcome={glyph} />
      <Id both={both} place={places.after} />
    </h3>
    <p class="statement">
      <Text>{both.statement}</Text>
    </p>
    <div class="sides2">
      <Side label="Before" id={both.id} result={both.before} place={places.before} />
      <Side label="Now" id={both.id} result={both.after} place={places.after} />
    </div>
  </div>
);

function Side({
  label,
  id,
  result,
  place,
}: {
  readonly label: string;
  readonly id: string;
  readonly result: BothSides['before'];
  readonly place: string | null;
}): VNode {
  const { state, reason, findings, left } = sideWords(result);
  return (
    <div>
      <h4>
        {label}
        {place !== null && result !== null && (
          <>
            {', '}
            <a href={`${place}#${encodeURIComponent(id)}`}>its card</a>
          </>
        )}
      </h4>
      <p>
        <span class={`state${result ? ` ink-${result.outcome}` : ''}`}>{state}</span>
        {reason !== '' && (
          <>
            {': '}
            <Text longest={LONGEST_LINE}>{reason}</Text>
          </>
        )}
      </p>
      {findings.map((finding) => (
        <FindingView finding={finding} fault={result?.outcome === 'error'} />
      ))}
      {left > 0 && <p class="note">and {counted(left, 'more finding')} in its report</p>}
    </div>
  );
}
