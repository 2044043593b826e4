import type { Outcome } from '../../../judge/verdict.js';
import type { RowView } from '../../rows/row-view.js';
import type { PageInput } from '../input.js';
import { count } from '../../../base/kernel/format.js';
import { OUTCOME_LABELS, REDUCED, inPart, partlyText } from '../../../outcome/words/outcomes.js';
import { hasOutcome } from '../../../outcome/words/required-count.js';
import { CHANGES } from '../../../outcome/words/changes.js';
import { Glyph } from './glyph.js';

const LEGEND: readonly (readonly [Outcome, meaning: string])[] = [
  ['passed', 'true of every response judged'],
  ['failed', 'a required behaviour is broken'],
  ['warned', 'a recommendation is not followed'],
  ['inconclusive', 'in scope, but could not be determined'],
  ['observed', 'recorded only: the interface leaves it open'],
  ['not-applicable', 'out of scope; the reason is given'],
  ['error', 'the kit itself failed'],
];

export function RequirementMap({ document }: Pick<PageInput, 'document'>) {
  const { rows, parts } = document;
  const accepted = document.accepted.length;
  const changed = rows.filter(({ change }) => change !== null).length;
  const legend = [
    ...LEGEND.map(([outcome, meaning]) => {
      const amount = rows.filter((row) => hasOutcome(row, outcome)).length;
      return [`o-${outcome}`, outcome, amount, OUTCOME_LABELS[outcome], meaning] as const;
    }),
    ['o-warned', 'warned', accepted, 'accepted', 'an agreed deviation, until its last day'] as const,
    [
      'o-passed partly',
      'passed',
      inPart(rows).length,
      REDUCED,
      'some of the passed ones; the card lists the untested parts',
    ] as const,
    ['changed', null, changed, 'changed', 'since the earlier run'] as const,
  ].filter(([, , amount]) => amount > 0);
  return (
    <section id="map">
      <h2>The map</h2>
      <div class="map">
        {parts.map(({ part, title, rows: members }) => (
          <div class="map-row">
            <h3 id={`map-${part}`}>
              <a href={`#part-${part}`}>
                <b>{part}</b> {title}
              </a>
            </h3>
            <ul class="flow" aria-labelledby={`map-${part}`}>
              {members.map((row) => (
                <li>
                  <Cell row={row} />
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

function Cell({ row }: { readonly row: RowView }) {
  const { change, words } = row;
  const since = change === null ? '' : `, ${CHANGES[change.kind].label}`;
  return (
    <a
      class={`cell o-${row.shown}${row.partly ? ' partly' : ''}${change ? ' changed' : ''}`}
      href={`#${row.id}`}
      aria-label={`${row.id}: ${words}${since}`}
      data-id={row.id}
    >
      <Glyph outcome={row.shown} />
      <span class="on-paper" aria-hidden="true">
        {row.id}
      </span>
      <span class="tip on-screen" aria-hidden="true">
        <b class="id">{row.id}</b> <span class={`ink-${row.shown}`}>{words + since}</span>{' '}
        {row.partly ? `Not tested: ${partlyText(row)}.` : row.statement}
      </span>
    </a>
  );
}
