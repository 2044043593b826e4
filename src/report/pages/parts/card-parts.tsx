import { capital, listed } from '../../../base/kernel/format.js';
import type { RowView } from '../../rows/row-view.js';
import { Facts, harmless, Items } from '../markup/lists.js';
import { LEVEL_MEANINGS, OUTCOME_LABELS } from '../../../outcome/words/outcomes.js';
import { Text } from './text.js';
import { partTitles } from '../../../base/interface/names.js';
import type { CardProps } from './card.js';
import { AMOUNTS } from '../../amounts.js';

export function Origin({
  row: { level, part, requirement, evidenceWords, evidenceOfSeries },
}: {
  readonly row: RowView;
}) {
  const facts = [
    `Part ${part}, ${requirement?.place || partTitles[part]}`,
    listed(requirement?.operations ?? []),
  ];
  const evidence = evidenceOfSeries.length === 0 && evidenceWords !== '' && (
    <>based on {harmless(evidenceWords)}</>
  );
  return (
    <p class="origin">
      <b>{level}</b> <span class="note on-screen">({LEVEL_MEANINGS[level]})</span>
      {[...facts, evidence].map(
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

interface ReasonProps {
  readonly row: RowView;
  readonly reason: NonNullable<RowView['reason']>;
}

export const ReasonLine = ({ row: { outcome }, reason: { code, text, remedy } }: ReasonProps) => (
  <p class="reason">
    <b>{OUTCOME_LABELS[outcome]}</b>: <Text>{text}</Text> <code class="note">{code}</code>
    {remedy && (
      <span class="note on-screen">
        <br />
        To test it: {remedy}.
      </span>
    )}
  </p>
);

export const Sentences = ({ title, of = [] }: { readonly title: string; readonly of?: readonly string[] }) =>
  of.length > 0 && (
    <>
      <h4>{title}</h4>
      <Items class="sentences" items={of} />
    </>
  );

export const Drawn = ({ charts }: Pick<CardProps, 'charts'>) =>
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

export const Observed = ({ observed }: { readonly observed: NonNullable<RowView['observed']> }) => (
  <>
    <h4>Observed</h4>
    <Facts
      class="observed"
      facts={observed
        .slice(0, AMOUNTS.page.observations)
        .map(({ subject = '', value }) => [harmless(subject || 'seen'), value])}
    />
  </>
);
