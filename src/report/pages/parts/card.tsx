import { isUnselected } from '../../../outcome/words/reasons.js';
import { capital, counted, listedUpTo } from '../../../base/kernel/format.js';
import type { PageInput } from '../input.js';
import { AMOUNTS } from '../../amounts.js';
import { isOfClient } from '../../../outcome/words/client-rows.js';
import { type RowView } from '../../rows/row-view.js';
import { questionsOf } from '../../../drive/limits/select.js';
import type { RowChart } from '../model/row-charts.js';
import { acceptedLead, behindRow } from '../../rows/blocks.js';
import { Gist } from './blocks.js';
import { ExchangeView, OtherExchanges } from './exchange.js';
import { areTabular, FindingTable, FindingView } from './finding.js';
import { harmless, IdLink, Items } from '../markup/lists.js';
import { CHANGES } from '../../../outcome/words/changes.js';
import { partlyText, LOUD } from '../../../outcome/words/outcomes.js';
import { Glyph } from './glyph.js';
import { Origin, ReasonLine, Sentences, Drawn, Observed } from './card-parts.js';

export const isQuiet = ({ outcome }: RowView): boolean => !LOUD.has(outcome);

/** The gist may come from the target. */
function gistOf({ findings: [finding], reason, observed, outcome, words, ...row }: RowView) {
  if (finding) return { lead: acceptedLead(row), gist: finding.message };
  if (outcome === 'inconclusive' || outcome === 'not-applicable')
    return { lead: `${words}: `, gist: reason?.text ?? '' };
  const [seen] = observed ?? [];
  if (outcome === 'observed' && seen)
    return { lead: '', gist: seen.subject ? `${seen.subject}: ${seen.value}` : seen.value };
  if (row.partly) return { lead: `${words}; not tested: `, gist: partlyText(row) };
  return { lead: '', gist: row.statement };
}

function Summary({ row }: { readonly row: RowView }) {
  const { outcome, provenBy, change } = row;
  const { lead, gist } = gistOf(row);
  return (
    <summary class="row">
      <Glyph outcome={row.shown} />
      <span class="title">
        <span class="id">{row.id}</span> <span class="unseen">{`, ${row.words}. `}</span>
        {row.level !== 'must' && <span class="level">{row.level}</span>}
      </span>
      <span class="gist">
        {lead}
        {harmless(gist)}
      </span>
      <span class="stands-on">
        {change && <span class="level change">{CHANGES[change.kind].label}</span>}{' '}
        {outcome === 'passed' && (
          <>
            {harmless(row.evidenceWords || 'held')}
            {provenBy.length > 0 && (
              <span class="note">
                {' '}
                · {counted(provenBy.length, 'known mistake')} turn{provenBy.length === 1 ? 's' : ''} it red
              </span>
            )}
          </>
        )}
      </span>
    </summary>
  );
}

const MOST = AMOUNTS.page;

export interface CardProps {
  readonly row: RowView;
  readonly charts: readonly RowChart[];
  readonly curlOf: PageInput['curlOf'];
  readonly proven: boolean;
  readonly neighbours: { readonly previous: string | undefined; readonly next: string | undefined } | null;
}

/**
 * Card of one requirement. The id is inside the folding part: a browser opens the card of the address,
 * without a script.
 */
export function CardView({ row, charts, curlOf, proven, neighbours }: CardProps) {
  const { id, exchanges, cause } = row;
  // Another card says the cause.
  const isFollowing = cause !== null && cause.saidAt !== id;
  const behind = behindRow(row);
  const whole = isQuiet(row) ? 0 : MOST.wholeExchanges;
  return (
    <details
      class={`card o-${row.shown}${isQuiet(row) ? ' quiet' : ''}${isFollowing ? ' follows' : ''}`}
      data-id={id}
    >
      <Summary row={row} />
      <div class="inside" id={id} tabindex={-1}>
        <p class="statement">{row.statement}</p>
        <Origin row={row} />
        <Questions row={id} />
        {row.reason && <ReasonLine row={row} reason={row.reason} />}
        <Sentences title="Not tested" {...(row.partly && { of: row.partly })} />
        <Findings row={row} />
        <Sentences title="To fix" of={row.advice} />
        {row.observed && <Observed observed={row.observed} />}
        <Sentences title="Evidence" of={row.evidenceOfSeries.slice(0, MOST.findings)} />
        <Drawn charts={charts} />
        {exchanges.slice(0, whole).map((exchange) => (
          <ExchangeView
            exchange={exchange}
            curl={isOfClient(id) ? null : curlOf(exchange)}
            folded={exchange !== exchanges[0]}
          />
        ))}
        {whole > 0 && exchanges.length > 1 && (
          <p class="on-paper note">
            Also in{' '}
            {listedUpTo(
              exchanges.slice(1).map(({ id }) => id),
              MOST.ids,
            )}
            , which are on the page in the browser.
          </p>
        )}
        <OtherExchanges exchanges={exchanges.slice(whole)} shown={whole > 0 && exchanges.length > 0} />
        <OtherExchanges exchanges={row.keptIn} />
        {behind.length > 0 && (
          <p class="reason">
            <Gist blocks={behind} />
          </p>
        )}
        {!isUnselected(row) && row.requirement && (
          <div class="how">
            <h4>How it is judged</h4>
            <p>{row.requirement.how}</p>
          </div>
        )}
        {!isUnselected(row) && proven && (
          <ProvenBy flaws={row.provenBy} hasPassed={row.outcome === 'passed'} />
        )}
        {neighbours && <Neighbours {...neighbours} />}
      </div>
    </details>
  );
}

function Findings({ row }: { readonly row: RowView }) {
  const { findings, outcome } = row;
  const tabular = areTabular(findings) && outcome !== 'error';
  const shown = findings.slice(0, tabular ? MOST.findingRows : MOST.findings);
  const onPaper = tabular ? AMOUNTS.paper.findingRows : AMOUNTS.paper.findings;
  return (
    <>
      {tabular ? (
        <FindingTable row={row} findings={shown} />
      ) : (
        shown.map((finding) => <FindingView row={row} finding={finding} />)
      )}
      {findings.length > onPaper && (
        <p class="on-paper note">
          and {counted(findings.length - onPaper, 'more finding')} on the page in the browser
        </p>
      )}
      {findings.length > shown.length && (
        <p class="note on-screen">
          {counted(findings.length - shown.length, 'more finding')} in results.json.
        </p>
      )}
    </>
  );
}

const Neighbours = ({ previous, next }: NonNullable<CardProps['neighbours']>) => (
  <p class="neighbours flow note on-screen">
    {previous && (
      <span>
        Previous that did not pass: <IdLink id={previous} />
      </span>
    )}
    {next && (
      <span>
        Next that did not pass: <IdLink id={next} />
      </span>
    )}
  </p>
);

/** What is asked of a plan's limiter to decide a row; nothing for rows that single responses decide. */
const Questions = ({ row }: { readonly row: string }) =>
  questionsOf(row).length > 0 && (
    <div class="asked">
      <h4>What is asked</h4>
      <Items
        class="sentences"
        items={questionsOf(row).map(({ title, profile, asks, state, sends, only }) => (
          <>
            {capital(title)} ({profile}): {asks}
            <span class="note behind">
              {only !== null && <>Asked only {only}. </>}
              Before it: {state}. Sent: {sends}.
            </span>
          </>
        ))}
      />
    </div>
  );

/** Broken servers that this check has caught: a check that cannot fail proves nothing. */
function ProvenBy({
  flaws,
  hasPassed,
}: {
  readonly flaws: RowView['provenBy'];
  readonly hasPassed: boolean;
}) {
  if (flaws.length === 0)
    return <p class="note">The kit’s self-test has no broken server for this requirement.</p>;
  return (
    <div class="on-screen">
      <h4>Mistakes that are known to turn this row red</h4>
      <Items
        class="flaws"
        items={flaws.map(({ name, title, caught }) => (
          <>
            {title} <code class="note">{name}</code>
            {!caught && <b class="ink-failed"> not caught</b>}
          </>
        ))}
      />
      <p class="note">
        {counted(flaws.length, 'kind')} of mistake in all, each shown on a broken server before release.
        {hasPassed && ' None of them was found in this server.'}
      </p>
    </div>
  );
}
