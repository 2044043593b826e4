import type { VNode } from 'preact';
import type { Outcome } from '../../../verdict/verdict.js';
import { byPart, type Card } from '../model/cards.js';
import { count } from '../../../format/format.js';
import { OUTCOME_LABELS, OUTCOME_MEANINGS } from '../../../words/outcomes.js';
import { hasOutcome, shownOutcome } from '../../../words/accepted.js';
import { REDUCED, inPart, outcomeWordsOf, partlyText } from '../../../words/partly.js';
import { CHANGE_LABELS } from '../../../words/changes.js';
import { Glyph } from './glyph.js';
import { partTitles } from '../../../contract/names.js';

const LEGEND: readonly Outcome[] = [
  'passed',
  'failed',
  'warned',
  'inconclusive',
  'observed',
  'not-applicable',
  'error',
];

/** Every requirement as a cell, with the interface's parts as rows: the whole run at a glance. */
export function RequirementMap({ cards }: { readonly cards: readonly Card[] }): VNode {
  const present = new Set(LEGEND.filter((outcome) => cards.some(({ result }) => hasOutcome(result, outcome))));
  const accepted = cards.filter(({ result }) => result.acceptedUntil !== undefined).length;
  const partly = inPart(cards.map(({ result }) => result));
  const changed = cards.some(({ change }) => change !== null);
  return (
    <section id="map">
      <h2>The map</h2>
      <div class="map">
        {byPart(cards).map(({ part, cards: members }) => (
          <div class="map-row">
            <h3 id={`map-${part}`}>
              <a href={`#part-${part}`}>
                <b>{part}</b> {partTitles[part]}
              </a>
            </h3>
            <ul aria-labelledby={`map-${part}`}>
              {members.map((card) => (
                <li>
                  <Cell card={card} />
                </li>
              ))}
            </ul>
          </div>
        ))}
        <p class="map-hint" aria-hidden="true">
          Point at a cell to read its name. Click it to open its card.
        </p>
      </div>
      <ul class="legend">
        {LEGEND.filter((outcome) => present.has(outcome)).map((outcome) => (
          <li>
            <span class={`cell o-${outcome}`}>
              <Glyph outcome={outcome} />
            </span>
            <span>
              <b>{count(cards.filter(({ result }) => hasOutcome(result, outcome)).length)}</b> {OUTCOME_LABELS[outcome]}
              <span class="note"> {OUTCOME_MEANINGS[outcome]}</span>
            </span>
          </li>
        ))}
        {accepted > 0 && (
          <li>
            <span class="cell o-warned">
              <Glyph outcome="warned" />
            </span>
            <span>
              <b>{count(accepted)}</b> accepted
              <span class="note"> an agreed deviation, until its last day</span>
            </span>
          </li>
        )}
        {partly.length > 0 && (
          <li>
            <span class="cell o-passed partly">
              <Glyph outcome="passed" />
            </span>
            <span>
              <b>{count(partly.length)}</b> {REDUCED}
              <span class="note"> some of the passed ones; the card lists the untested parts</span>
            </span>
          </li>
        )}
        {changed && (
          <li>
            <span class="cell changed" />
            <span>
              <b>{count(cards.filter(({ change }) => change !== null).length)}</b> changed
              <span class="note"> since the earlier run</span>
            </span>
          </li>
        )}
      </ul>
    </section>
  );
}

function Cell({ card: { row, result, change } }: { readonly card: Card }): VNode {
  const outcome = outcomeWordsOf(result);
  const since = change === null ? '' : `, ${CHANGE_LABELS[change.kind]}`;
  return (
    <a
      class={`cell o-${shownOutcome(result)}${result.partly ? ' partly' : ''}${change ? ' changed' : ''}`}
      href={`#${row.id}`}
      aria-label={`${row.id}: ${outcome}${since}`}
      data-id={row.id}
    >
      <Glyph outcome={shownOutcome(result)} />
      <span class="tip" aria-hidden="true">
        <b class="id">{row.id}</b> <span class={`ink-${shownOutcome(result)}`}>{outcome + since}</span>{' '}
        {result.partly ? `Not tested: ${partlyText(result)}.` : row.statement}
      </span>
    </a>
  );
}
