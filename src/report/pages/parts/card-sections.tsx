import { capital, count, listed } from '../../../format/format.js';
import { LEVEL_MEANINGS, OUTCOME_LABELS } from '../../../words/outcomes.js';
import { reasonText, remedyOf } from '../../../words/reasons.js';
import type { Card } from '../model/cards.js';
import { Facts, harmless, Items } from '../markup/lists.js';
import { Text } from './text.js';
import { partTitles } from '../../../contract/names.js';

/** Level, place in the interface, and evidence of the verdict. */
export function Origin({ card: { row, evidence, stands } }: { readonly card: Card }) {
  const facts = [`Part ${row.part}, ${row.place || partTitles[row.part]}`, listed(row.operations)];
  return (
    <p class="origin">
      <b>{row.level}</b> <span class="note">({LEVEL_MEANINGS[row.level]})</span>
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
export function ReasonLine({ card: { result } }: { readonly card: Card }) {
  if (!result.reason) return null;
  const remedy = remedyOf(result);
  return (
    <p class="reason">
      <b>{OUTCOME_LABELS[result.outcome]}</b>: <Text>{reasonText(result)}</Text>{' '}
      <code class="note">{result.reason.code}</code>
      {remedy && (
        <>
          <br />
          <span class="remedy">To test it: {remedy}.</span>
        </>
      )}
    </p>
  );
}

/** Sentences below their heading; nothing without any. */
export const Sentences = ({ title, of = [] }: { readonly title: string; readonly of?: readonly string[] }) =>
  of.length > 0 && (
    <>
      <h4>{title}</h4>
      <Items class="sentences" items={of} />
    </>
  );

/** Links to the charts of its measurements. */
export const Drawn = ({ charts }: { readonly charts: Card['charts'] }) =>
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
export const Observed = ({ observed }: { readonly observed: NonNullable<Card['result']['observed']> }) => (
  <>
    <h4>Observed</h4>
    <Facts
      class="observed"
      facts={observed.slice(0, 40).map(({ subject = '', value }) => [harmless(subject || 'seen'), value])}
    />
  </>
);

/** Broken servers that this check has caught: a check that cannot fail proves nothing. */
export function Catches({ card: { flaws } }: { readonly card: Card }) {
  if (flaws.length === 0) return <p class="note">The kit’s self-test has no broken server for this requirement.</p>;
  return (
    <div class="catches">
      <h4>Broken servers that this check catches</h4>
      <Items
        class="flaws"
        items={flaws.map(({ name, title, caught }) => (
          <>
            {title} <code class="note">{name}</code>
            {!caught && <b class="ink-failed"> not caught</b>}
          </>
        ))}
      />
      <p class="note">{count(flaws.length)} in all. Other faults are possible.</p>
    </div>
  );
}
