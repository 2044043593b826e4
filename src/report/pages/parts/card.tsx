import { capital, count, counted, listed } from '../../../base/kernel/format.js';
import type { PageInput } from '../input.js';
import { shownOutcome } from '../../../outcome/words/required-count.js';
import { isQuiet, type Card } from '../model/cards.js';
import { Behind } from './failures.js';
import { ExchangeView, OtherExchanges } from './exchange.js';
import { areTabular, FindingTable, FindingView } from './finding.js';
import { Facts, harmless, IdLink, Items } from '../markup/lists.js';
import { CHANGES } from '../../../outcome/words/changes.js';
import { LEVEL_MEANINGS, OUTCOME_LABELS, outcomeWordsOf, partlyText } from '../../../outcome/words/outcomes.js';
import { reasonText, remedyOf } from '../../../outcome/words/reasons.js';
import { Glyph } from './glyph.js';
import { Text } from './text.js';
import { partTitles } from '../../../base/interface/names.js';

function Summary({ card: { row, result, evidence, flaws, change } }: { readonly card: Card }) {
  const { outcome, acceptedUntil, observed, partly } = result;
  const message = result.findings[0]?.message ?? null;
  const words = outcomeWordsOf(result);
  const [value] = observed ?? [];
  const [lead, gist] =
    message !== null
      ? [acceptedUntil !== undefined && `accepted until ${acceptedUntil}: `, message]
      : outcome === 'inconclusive' || outcome === 'not-applicable'
        ? [`${words}: `, reasonText(result)]
        : outcome === 'observed' && value
          ? ['', value.subject ? `${value.subject}: ${value.value}` : value.value]
          : partly
            ? [`${words}; not tested: `, partlyText(result)]
            : ['', row.statement];
  return (
    <summary class="row">
      <Glyph outcome={shownOutcome(result)} />
      <span class="title">
        <span class="id">{row.id}</span> <span class="unseen">{`, ${words}. `}</span>
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
            {harmless(evidence || 'held')}
            {flaws.length > 0 && (
              <span class="note">
                {' '}
                · {counted(flaws.length, 'known mistake')} turn{flaws.length === 1 ? 's' : ''} it red
              </span>
            )}
          </>
        )}
      </span>
    </summary>
  );
}

const MOST_WHOLE = 3;
const MOST_FINDINGS = 12;
const MOST_ROWS = 25;
/** Most findings that are printed; the print style hides the rest. */
const MOST_ON_PAPER = 2;
const MOST_ROWS_ON_PAPER = 6;

interface CardProps {
  readonly card: Card;
  readonly curlOf: PageInput['curlOf'];
  readonly proven: boolean;
  readonly neighbours: { readonly previous: string | undefined; readonly next: string | undefined } | null;
}

/** Card of one requirement. The id is inside the folding part: a browser opens the card of the address, without a script. */
export function CardView({ card, curlOf, proven, neighbours }: CardProps) {
  const { row, result, exchanges, cause } = card;
  // Another card leads the rows with this cause.
  const isFollowing = cause !== null && cause.rows[0] !== row.id;
  const whole = isQuiet(card) ? 0 : MOST_WHOLE;
  return (
    <details
      class={`card o-${shownOutcome(result)}${isQuiet(card) ? ' quiet' : ''}${isFollowing ? ' follows' : ''}`}
      data-id={row.id}
    >
      <Summary card={card} />
      <div class="inside" id={row.id} tabindex={-1}>
        <p class="statement">{row.statement}</p>
        <Origin card={card} />
        {result.reason && <ReasonLine card={card} />}
        <Sentences title="Not tested" {...(result.partly && { of: result.partly })} />
        <Findings card={card} />
        {result.observed && <Observed observed={result.observed} />}
        <Sentences title="Evidence" of={card.stands.slice(0, MOST_FINDINGS)} />
        <Drawn charts={card.charts} />
        {exchanges.slice(0, whole).map((exchange) => (
          <ExchangeView exchange={exchange} curl={curlOf(exchange)} folded={exchange !== exchanges[0]} />
        ))}
        {whole > 0 && exchanges.length > 1 && (
          <p class="on-paper note">Also in {names(exchanges.slice(1))}, which are on the page in the browser.</p>
        )}
        <OtherExchanges exchanges={exchanges.slice(whole)} shown={whole > 0 && exchanges.length > 0} />
        <OtherExchanges exchanges={card.keptIn} />
        {(cause !== null || card.heldUp.length > 0) && (
          <p class="reason">
            <Behind card={card} />
          </p>
        )}
        <div class="how">
          <h4>How it is judged</h4>
          <p>{row.how}</p>
        </div>
        {proven && <Catches card={card} />}
        {neighbours && <Neighbours {...neighbours} />}
      </div>
    </details>
  );
}

function Findings({ card: { findings, result } }: { readonly card: Card }) {
  const tabular = areTabular(findings) && result.outcome !== 'error';
  const shown = findings.slice(0, tabular ? MOST_ROWS : MOST_FINDINGS);
  const onPaper = tabular ? MOST_ROWS_ON_PAPER : MOST_ON_PAPER;
  return (
    <>
      {tabular ? (
        <FindingTable findings={shown} />
      ) : (
        shown.map((finding) => <FindingView finding={finding} fault={result.outcome === 'error'} />)
      )}
      {findings.length > onPaper && (
        <p class="on-paper note">and {counted(findings.length - onPaper, 'more finding')} on the page in the browser</p>
      )}
      {findings.length > shown.length && (
        <p class="note on-screen">{counted(findings.length - shown.length, 'more finding')} in results.json.</p>
      )}
    </>
  );
}

const names = (exchanges: Card['exchanges']): string =>
  `${exchanges
    .slice(0, 8)
    .map(({ id }) => id)
    .join(', ')}${exchanges.length > 8 ? ` and ${count(exchanges.length - 8)} more` : ''}`;

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

/** Level, place in the interface, and evidence of the verdict. */
function Origin({ card: { row, evidence, stands } }: { readonly card: Card }) {
  const facts = [`Part ${row.part}, ${row.place || partTitles[row.part]}`, listed(row.operations)];
  return (
    <p class="origin">
      <b>{row.level}</b> <span class="note on-screen">({LEVEL_MEANINGS[row.level]})</span>
      {[...facts, stands.length === 0 && evidence !== '' && <>based on {harmless(evidence)}</>].map(
        (fact) =>
          fact && (
            <>
              <span class="sep"> · </span>
              {fact}
            </>
          ),
      )}
    </p>
  );
}

/** Reason why it was not judged, and the remedy. */
function ReasonLine({ card: { result } }: { readonly card: Card }) {
  if (!result.reason) return null;
  const remedy = remedyOf(result);
  return (
    <p class="reason">
      <b>{OUTCOME_LABELS[result.outcome]}</b>: <Text>{reasonText(result)}</Text>{' '}
      <code class="note">{result.reason.code}</code>
      {remedy && (
        <span class="note on-screen">
          <br />
          To test it: {remedy}.
        </span>
      )}
    </p>
  );
}

/** Sentences below their heading; nothing without any. */
const Sentences = ({ title, of = [] }: { readonly title: string; readonly of?: readonly string[] }) =>
  of.length > 0 && (
    <>
      <h4>{title}</h4>
      <Items class="sentences" items={of} />
    </>
  );

/** Links to the charts of its measurements. */
const Drawn = ({ charts }: { readonly charts: Card['charts'] }) =>
  charts.length > 0 && (
    <p class="drawn on-screen">
      Charts above:{' '}
      {charts.map(({ id, plan }, index) => (
        <>
          {index > 0 && ', '}
          <a href={`#${id}`}>{capital(plan)}</a>
        </>
      ))}
    </p>
  );

/** Observations of a may row. */
const Observed = ({ observed }: { readonly observed: NonNullable<Card['result']['observed']> }) => (
  <>
    <h4>Observed</h4>
    <Facts
      class="observed"
      facts={observed.slice(0, 40).map(({ subject = '', value }) => [harmless(subject || 'seen'), value])}
    />
  </>
);

/** Broken servers that this check has caught: a check that cannot fail proves nothing. */
function Catches({ card: { flaws } }: { readonly card: Card }) {
  if (flaws.length === 0) return <p class="note">The kit’s self-test has no broken server for this requirement.</p>;
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
        {counted(flaws.length, 'kind')} of mistake in all, each shown on a broken server before release. None of them
        was found in this server.
      </p>
    </div>
  );
}
