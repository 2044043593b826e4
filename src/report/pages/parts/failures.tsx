import type { ComponentChildren } from 'preact';
import type { Results } from '../../../outcome/results/results.js';
import { byPart, havingOutcome, type Card } from '../model/cards.js';
import { acceptedWords, hasOutcome, shownOutcome } from '../../../outcome/words/required-count.js';
import { causeWords } from '../../causes/likely.js';
import { briefly, leadOf } from '../../../outcome/words/findings.js';
import { byReason, type ReasonGroup } from '../../../outcome/words/reasons.js';
import { Glyph } from './glyph.js';
import { Text } from './text.js';
import { harmless, IdLink, Ids } from '../markup/lists.js';
import { partTitles } from '../../../base/interface/names.js';
import { capital, count, counted, ended, grouped } from '../../../base/kernel/format.js';

/** List of what to fix: a line per failure, then warnings, then inconclusive rows with remedies. */
export function FailureList({ cards, results }: { readonly cards: readonly Card[]; readonly results: Results }) {
  const red = havingOutcome(cards, 'error', 'failed');
  const amber = havingOutcome(cards, 'warned');
  const inconclusive = results.requirements.filter((row) => hasOutcome(row, 'inconclusive'));
  const open = byReason(inconclusive.filter(({ heldUpBy }) => !heldUpBy));
  const heldUp = inconclusive.filter(({ heldUpBy }) => heldUpBy).length;
  const broken = red.length;
  const isWhole =
    results.verdict === 'conformant' || (results.verdict === 'non-conformant' && inconclusive.length === 0);
  // An entry without its deviation, for example: the baseline has to be corrected.
  const isMet = results.baseline?.met ?? true;
  return (
    <section id="mend">
      <h2>
        {broken > 0
          ? 'What to fix'
          : !isMet
            ? 'The baseline to correct'
            : isWhole
              ? 'Nothing to fix'
              : 'Nothing found to fix'}
      </h2>
      {broken === 0 && (
        <p>
          {results.counts.passed > 0
            ? `Every required behaviour that was tested holds${results.accepted ? ' or is accepted' : ''}.`
            : 'Nothing failed, because nothing was tested.'}
        </p>
      )}
      <Lines cards={red.filter(isLead)} all={red} />
      {amber.length > 0 && (
        <>
          <h3>
            {counted(amber.length, 'warning')}
            <span class="note"> a recommendation is not followed; this does not affect conformance</span>
          </h3>
          <Lines cards={amber} all={amber} />
        </>
      )}
      {inconclusive.length > 0 && (
        <>
          <h3 id="open">
            {count(inconclusive.length)} inconclusive
            <span class="note">
              {' '}
              in scope, but this run could not determine them
              {heldUp > 0 && `; ${count(heldUp)} of them blocked by what failed above`}
            </span>
          </h3>
          {[...grouped(open, ({ remedy }) => remedy ?? '')].map(([remedy, groups]) => (
            <>
              {remedy !== '' && (
                <p class="part-of-list note">
                  To test {groups.flatMap(({ requirements }) => requirements).length === 1 ? 'it' : 'them'}: {remedy}
                </p>
              )}
              <ul class="lines">
                {groups.map((group) => (
                  <OpenLine group={group} />
                ))}
              </ul>
            </>
          ))}
        </>
      )}
    </section>
  );
}

/** Accepted deviations: expiry, finding and link to the agreement. They do not change the verdict. */
export function Accepted({ cards, accepted = [] }: Pick<Results, 'accepted'> & { readonly cards: readonly Card[] }) {
  const entries = new Map(accepted.map((entry) => [entry.requirement, entry]));
  const lines = cards.flatMap((card) => {
    const entry = entries.get(card.row.id);
    return entry ? [{ card, ...entry }] : [];
  });
  if (lines.length === 0) return null;
  return (
    <section id="accepted">
      <h2>{capital(acceptedWords({ accepted }))}</h2>
      <ul class="lines">
        {lines.map(({ card, reason, link, expires }) => (
          <Line card={card}>
            Accepted until {expires}: {harmless(reason)} (
            <a href={link} rel="noreferrer noopener">
              agreed
            </a>
            )
            <span class="behind note">
              <Headline card={card} />
            </span>
          </Line>
        ))}
      </ul>
    </section>
  );
}

const Line = ({ card: { row, result }, children }: { readonly card: Card; readonly children: ComponentChildren }) => (
  <li class={`row o-${shownOutcome(result)}`}>
    <Glyph outcome={shownOutcome(result)} />
    <IdLink id={row.id} />
    <span class="says">{children}</span>
  </li>
);

/** Lines grouped by part where there are several, so that a team can divide a long list. */
const Lines = ({ cards, all }: { readonly cards: readonly Card[]; readonly all: readonly Card[] }) => (
  <>
    {byPart(cards).map(([part, own], _, parts) => (
      <>
        {parts.length > 1 && (
          <p class="part-of-list note">
            <b>{part}</b> {partTitles[part]}
            {own.length > 3 && <span class="note"> · {count(own.length)}</span>}
          </p>
        )}
        <ul class="lines">
          {own.map((card) => (
            <Line card={card}>
              {card.result.outcome === 'error' && 'The kit itself failed: '}
              <Headline card={card} />
              {card.findings.length > 1 && <span class="note">; and {count(card.findings.length - 1)} more</span>}
              <ShowsIn cards={showsOf(card, all)} />
              <Behind card={card} />
            </Line>
          ))}
        </ul>
      </>
    ))}
  </>
);

/** True for a card that stands for its fault. */
const isLead = ({ row, fault }: Card): boolean => fault === null || fault.lead === row.id;

/** Returns the cards in which the fault of a leading card shows too, the plainest evidence first. */
const showsOf = (card: Card, all: readonly Card[]): readonly Card[] =>
  isLead(card) ? (card.fault?.shows ?? []).flatMap((id) => all.find(({ row }) => row.id === id) ?? []) : [];

/** Further rows of a family in which the fault shows, each with its finding. */
const ShowsIn = ({ cards }: { readonly cards: readonly Card[] }) =>
  cards.length === 0 ? null : (
    <>
      <span class="behind note">The same fault shows in:</span>
      {cards.map((card) => (
        <span class="behind note">
          <IdLink id={card.row.id} /> <Headline card={card} />
        </span>
      ))}
    </>
  );

const MOST_HELD_UP = 8;

/** Likely cause, and rows that it blocks; the first of several rows with one cause shows it. */
export function Behind({ card: { row, cause, heldUp, fault } }: { readonly card: Card }) {
  const [leads = '', ...rest] = cause?.rows ?? [];
  const isFirst = leads === row.id;
  const inFamily = (id: string): boolean => fault !== null && [fault.lead, ...fault.shows].some((row) => row === id);
  const others = rest.filter((id) => !inFamily(id));
  const lines = [
    fault && fault.lead !== row.id && (
      <>
        The same fault as in <IdLink id={fault.lead} />
      </>
    ),
    cause && (isFirst || fault?.lead === row.id) && (
      <>
        Looks like: <Text>{causeWords(cause)}</Text>
      </>
    ),
    cause && !isFirst && fault === null && (
      <>
        Same cause as <IdLink id={leads} />
      </>
    ),
    isFirst && others.length > 0 && (
      <>
        Same cause: <Ids ids={others} most={MOST_HELD_UP} />
      </>
    ),
    heldUp.length > 0 && (
      <>
        It also blocks: <Ids ids={heldUp} most={MOST_HELD_UP} />
      </>
    ),
  ];
  return <>{lines.map((line) => line && <span class="behind note">{line}</span>)}</>;
}

/** First finding in a line: the problem, with expected and actual where short. */
function Headline({ card: { findings, row } }: { readonly card: Card }) {
  const [finding] = findings;
  const more = finding ? briefly(finding) : '';
  return (
    <>
      {harmless(!finding ? row.statement : more === '' ? finding.message : leadOf(finding))}
      {more !== '' && <span class="note">: {harmless(more)}</span>}
    </>
  );
}

const MOST_NAMED = 8;

const OpenLine = ({ group: { text, requirements } }: { readonly group: ReasonGroup }) => (
  <li class="row o-inconclusive open-line">
    <Glyph outcome="inconclusive" />
    <span class="says">{harmless(capital(ended(text)))}</span>
    <span class="names note">
      <Ids ids={requirements.map(({ id }) => id)} most={MOST_NAMED} between=" " />
    </span>
  </li>
);
