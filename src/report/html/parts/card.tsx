import type { VNode } from 'preact';
import { partTitles } from '../../../contract/parts.js';
import type { PageInput } from '../input.js';
import type { Card } from '../model/cards.js';
import { isQuiet } from '../model/cards.js';
import { count, counted, listed } from '../../wording/format.js';
import { CHANGE_LABELS } from '../../wording/changes.js';
import { reasonText, remedyOf } from '../../wording/reasons.js';
import { LEVEL_MEANINGS, OUTCOME_LABELS } from '../../wording/outcomes.js';
import { ExchangeView, OtherExchanges } from './exchange.js';
import { areTabular, FindingTable, FindingView } from './finding.js';
import { Glyph } from './glyph.js';
import { Text } from './text.js';
import { IdLink } from './untested.js';

/** Exchanges shown whole on one card; the rest is a line each: three tell as much as thirty. */
const MOST_WHOLE = 3;

/** Findings shown whole on one card. */
const MOST_FINDINGS = 12;

/** Findings that are a line each. */
const MOST_ROWS = 25;

/** Of these so many are worth paper; the print style leaves out the others. */
const MOST_ON_PAPER = 2;
const MOST_ROWS_ON_PAPER = 6;

interface CardProps {
  readonly card: Card;
  readonly curlOf: PageInput['curlOf'];
  /** Whether the kit's own proof is at hand. */
  readonly proven: boolean;
  /** The cards before and after that did not pass either. */
  readonly neighbours: { readonly previous: string | undefined; readonly next: string | undefined } | null;
}

/**
 * One requirement. The id stands inside what folds: a browser opens the card by itself when the address names it,
 * without any script.
 */
export function CardView({ card, curlOf, proven, neighbours }: CardProps): VNode {
  const { row, result, exchanges } = card;
  const whole = isQuiet(card) ? 0 : MOST_WHOLE;
  return (
    <details class={`card o-${result.outcome}${isQuiet(card) ? ' quiet' : ''}`} data-id={row.id}>
      <Summary card={card} />
      <div class="inside" id={row.id} tabindex={-1}>
        <p class="statement">{row.statement}</p>
        <Origin card={card} />
        {result.reason && <ReasonLine card={card} />}
        <Findings card={card} />
        {result.observed && <Observed observed={result.observed} />}
        <StandsOn sentences={card.stands} />
        {exchanges.slice(0, whole).map((exchange) => (
          <ExchangeView exchange={exchange} curl={curlOf(exchange)} folded={exchange !== exchanges[0]} />
        ))}
        {whole > 0 && exchanges.length > 1 && (
          <p class="on-paper note">Also in {names(exchanges.slice(1))}, which are on the page itself.</p>
        )}
        <OtherExchanges exchanges={exchanges.slice(whole)} shown={whole > 0 && exchanges.length > 0} />
        <OtherExchanges exchanges={card.keptIn} shown={false} />
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

function Findings({ card: { findings, result } }: { readonly card: Card }): VNode {
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
        <p class="on-paper note">and {counted(findings.length - onPaper, 'more finding')} on the page itself</p>
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

/** The folded card: one line for what passed, the first finding under it for what did not. */
function Summary({ card: { row, result, evidence, flaws, change } }: { readonly card: Card }): VNode {
  const message = result.findings[0]?.message ?? null;
  const words = OUTCOME_LABELS[result.outcome];
  const value = result.observed?.[0];
  return (
    <summary>
      <Glyph outcome={result.outcome} />
      <span class="title">
        <span class="id">{row.id}</span> <span class="unseen">{`, ${words}. `}</span>
        {row.level !== 'must' && <span class="level">{row.level}</span>}
      </span>
      <span class="gist">
        {message !== null ? (
          <Text longest={240}>{message}</Text>
        ) : result.outcome === 'inconclusive' || result.outcome === 'not-applicable' ? (
          <>
            {words}: <Text longest={240}>{reasonText(result)}</Text>
          </>
        ) : result.outcome === 'observed' && value ? (
          <Text longest={160}>{value.subject ? `${value.subject}: ${value.value}` : value.value}</Text>
        ) : (
          row.statement
        )}
      </span>
      <span class="stands-on">
        {change && <span class="level change">{CHANGE_LABELS[change.kind]}</span>}{' '}
        {result.outcome === 'passed' && (
          <>
            <Text longest={120}>{evidence || 'held'}</Text>
            {flaws.length > 0 && <span class="note"> · catches {counted(flaws.length, 'flaw')}</span>}
          </>
        )}
      </span>
    </summary>
  );
}

function Origin({ card: { row, link, evidence, stands } }: { readonly card: Card }): VNode {
  const place = `Part ${row.part}, ${row.place || partTitles[row.part]}`;
  return (
    <p class="origin">
      <b>{row.level}</b> <span class="note">({LEVEL_MEANINGS[row.level]})</span>
      <span class="sep"> · </span>
      {link === null ? (
        place
      ) : (
        <a href={link} rel="noreferrer noopener">
          {place}
        </a>
      )}
      {row.operations.length > 0 && (
        <>
          <span class="sep"> · </span>
          {listed(row.operations)}
        </>
      )}
      {evidence !== '' && stands.length === 0 && (
        <>
          <span class="sep"> · </span>
          stands on <Text longest={240}>{evidence}</Text>
        </>
      )}
    </p>
  );
}

function ReasonLine({ card: { result } }: { readonly card: Card }): VNode | null {
  if (!result.reason) return null;
  const remedy = remedyOf(result);
  return (
    <p class="reason">
      <b>{OUTCOME_LABELS[result.outcome]}</b>: <Text>{reasonText(result)}</Text>{' '}
      <code class="note">{result.reason.code}</code>
      {remedy && (
        <>
          <br />
          <span class="remedy">To establish it: {remedy}.</span>
        </>
      )}
    </p>
  );
}

/** What the recorded series showed, a sentence each. */
function StandsOn({ sentences }: { readonly sentences: readonly string[] }): VNode | null {
  if (sentences.length === 0) return null;
  return (
    <>
      <h4>What it stands on</h4>
      <ul class="sentences">
        {sentences.slice(0, 12).map((sentence) => (
          <li>
            <Text longest={240}>{sentence}</Text>
          </li>
        ))}
      </ul>
    </>
  );
}

function Observed({ observed }: { readonly observed: NonNullable<Card['result']['observed']> }): VNode {
  return (
    <>
      <h4>Observed</h4>
      <dl class="observed">
        {observed.slice(0, 40).map(({ subject, value }) => (
          <div>
            <dt>{subject ? <Text longest={240}>{subject}</Text> : 'seen'}</dt>
            <dd>
              <Text longest={400}>{value}</Text>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The broken servers that this check has been seen to catch: a check that cannot fail proves nothing. */
function Catches({ card: { flaws } }: { readonly card: Card }): VNode {
  if (flaws.length === 0) return <p class="note">No broken server of the kit’s own proof is declared for this row.</p>;
  return (
    <div class="catches">
      <h4>Broken servers that it is known to catch</h4>
      <ul class="flaws">
        {flaws.map(({ name, title, caught }) => (
          <li>
            {title} <code class="note">{name}</code>
            {!caught && <b class="ink-failed"> not caught</b>}
          </li>
        ))}
      </ul>
      <p class="note">{count(flaws.length)} in all; this is what it can catch, not all that could be wrong.</p>
    </div>
  );
}

function Neighbours({ previous, next }: { readonly previous: string | undefined; readonly next: string | undefined }) {
  return (
    <p class="neighbours">
      {previous && (
        <span>
          Before it: <IdLink id={previous} />
        </span>
      )}
      {next && (
        <span>
          Next that did not pass: <IdLink id={next} />
        </span>
      )}
    </p>
  );
}
