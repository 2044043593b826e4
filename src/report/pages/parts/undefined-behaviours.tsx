import type { Card } from '../model/cards.js';
import { counted } from '../../../format/format.js';
import { IdLink } from '../markup/lists.js';
import { Table } from '../markup/table.js';
import { Text } from './text.js';

/** The target's behaviour where the interface is silent: never a fault, but often the reason why a client breaks. */
export function UndefinedBehaviours({ cards }: { readonly cards: readonly Card[] }) {
  const asked = [...cards.filter(isFree), ...cards.filter((card) => !isFree(card))].flatMap(
    ({ row, result: { observed = [] } }) => (observed.length > 0 ? [{ row, observed }] : []),
  );
  const amount = asked.reduce((sum, { observed }) => sum + observed.length, 0);
  return (
    <section id="left-free">
      <h2>What the interface leaves open</h2>
      {amount === 0 ? (
        <p>Nothing was recorded.</p>
      ) : (
        <>
          <p class="lead">
            {counted(amount, 'observation')} on {counted(asked.length, 'question')} that the interface leaves open. None
            is a fault, and all may change without notice.
          </p>
          <Table
            label="Observations"
            class="observations"
            columns={['Question', 'Asked', 'What the target does', ['Seen in', 'note']]}
            rows={asked.flatMap(({ row, observed }) =>
              observed.map(({ subject = '', value, exchanges }, at) => [
                at > 0 ? null : (
                  <th scope="rowgroup" rowspan={observed.length}>
                    <IdLink id={row.id} />
                    <span class="note"> {row.statement}</span>
                  </th>
                ),
                subject,
                <Text longest={600}>{value}</Text>,
                exchanges.length > 3 ? counted(exchanges.length, 'exchange') : exchanges.join(', ') || 'under load',
              ]),
            )}
          />
        </>
      )}
    </section>
  );
}

const isFree = ({ row }: Card): boolean => row.level === 'may' || row.level === 'open';
