import type { Outcome } from '../../../judge/verdict.js';
import { byPart, type Card } from '../model/cards.js';
import { count } from '../../../base/kernel/format.js';
import { OUTCOME_LABELS, REDUCED, inPart, outcomeWordsOf, partlyText } from '../../../outcome/words/outcomes.js';
import { hasOutcome, shownOutcome } from '../../../outcome/words/required-count.js';
import { CHANGES } from '../../../outcome/words/changes.js';
import { Glyph } from './glyph.js';
import { partTitles } from '../../../base/interface/names.js';

const LEGEND: readonly (readonly [Outcome, meaning: string])[] = [
  ['passed', 'true of every response judged'],
  ['failed', 'a required behaviour is broken'],
  ['warned', 'a recommendation is not followed'],
  ['inconclusive', 'in scope, but could not be determined'],
  ['observed', 'recorded only: the interface leaves it open'],
  ['not-applicable', 'out of scope; the reason is given'],
  ['error', 'the kit itself failed'],
];

/** Every requirement as a cell, with the interface's parts as rows: the whole run at a glance. */
export function RequirementMap({ cards }: { readonly cards: readonly Card[] }) {
  const results = cards.map(({ result }) => result);
  const accepted = results.filter(({ acceptedUntil }) => acceptedUntil !== undefined).length;
  const changed = cards.filter(({ change }) => change !== null).length;
  const legend = [
    ...LEGEND.map(([outcome, meaning]) => {
      const amount = results.filter((result) => hasOutcome(result, outcome)).length;
      return [`o-${outcome}`, outcome, amount, OUTCOME_LABELS[outcome], meaning] as const;
    }),
    ['o-warned', 'warned', accepted, 'accepted', 'an agreed deviation, until its last day'] as const,
    [
      'o-passed partly',
      'passed',
      inPart(results).length,
      REDUCED,
      'some of the passed ones; the card lists the untested parts',
    ] as const,
    ['changed', null, changed, 'changed', 'since the earlier run'] as const,
  ].filter(([, , amount]) => amount > 0);
  return (
    <section id="map">
      <h2>The map</h2>
      <div class="map">
        {byPart(cards).map(([part, members]) => (
          <div class="map-row">
            <h3 id={`map-${part}`}>
              <a href={`#part-${part}`}>
                <b>{part}</b> {partTitles[part]}
              </a>
            </h3>
            <ul class="flow" aria-labelledby={`map-${part}`}>
              {members.map((card) => (
                <li>
                  <Cell card={card} />
                </li>
              ))}
            </ul>
          </div>
        ))}
        <p class="map-hint on-screen" aria-hidden="true">
          Point at a cell to read its name. Click it to open its card.
        </p>
      </div>
      <ul class="legend flow note">
        {legend.map(([cell, glyph, amount, label, meaning]) => (
          <li>
            <span class={`cell ${cell}`}>{glyph && <Glyph outcome={glyph} />}</span>
            <span>
              <b>{count(amount)}</b> {label}
              <span class="note below"> {meaning}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Cell({ card: { row, result, change } }: { readonly card: Card }) {
  const outcome = outcomeWordsOf(result);
  const since = change === null ? '' : `, ${CHANGES[change.kind].label}`;
  return (
    <a
      class={`cell o-${shownOutcome(result)}${result.partly ? ' partly' : ''}${change ? ' changed' : ''}`}
      href={`#${row.id}`}
      aria-label={`${row.id}: ${outcome}${since}`}
      data-id={row.id}
    >
      <Glyph outcome={shownOutcome(result)} />
      <span class="on-paper" aria-hidden="true">
        {row.id}
      </span>
      <span class="tip on-screen" aria-hidden="true">
        <b class="id">{row.id}</b> <span class={`ink-${shownOutcome(result)}`}>{outcome + since}</span>{' '}
        {result.partly ? `Not tested: ${partlyText(result)}.` : row.statement}
      </span>
    </a>
  );
}
