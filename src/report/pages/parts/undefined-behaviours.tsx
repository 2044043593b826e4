import type { VNode } from 'preact';
import type { Card } from '../model/cards.js';
import { counted } from '../../../format/format.js';
import { IdLink } from '../markup/lists.js';
import { Table } from '../markup/table.js';
import { Text } from './text.js';

/** One observation of something that the interface leaves open. */
interface Observation {
  readonly card: Card;
  readonly subject: string;
  readonly value: string;
  readonly exchanges: readonly string[];
  /** Number of rows of a requirement, on its first row; 0 on the others. */
  readonly rows: number;
}

/** The target's behaviour where the interface is silent: never a fault, but often the reason why a client breaks. */
export function UndefinedBehaviours({ cards }: { readonly cards: readonly Card[] }): VNode {
  const free = cards.filter(({ row }) => row.level === 'may' || row.level === 'open');
  const beside = cards.filter(({ row }) => row.level === 'must' || row.level === 'should');
  const observations = [...free.flatMap(observationsOf), ...beside.flatMap(observationsOf)];
  return (
    <section id="left-free">
      <h2>What the interface leaves open</h2>
      {observations.length === 0 ? (
        <p>Nothing was recorded.</p>
      ) : (
        <>
          <p class="lead">
            {counted(observations.length, 'observation')} on{' '}
            {counted(observations.filter(({ rows }) => rows > 0).length, 'question')} that the interface leaves open.
            None is a fault, and all may change without notice.
          </p>
          <Table
            label="Observations"
            class="observations"
            columns={['Question', 'Asked', 'What the target does', 'Seen in']}
          >
            <tbody>
              {observations.map((observation) => (
                <ObservationRow observation={observation} />
              ))}
            </tbody>
          </Table>
        </>
      )}
    </section>
  );
}

function ObservationRow({
  observation: { card, subject, value, exchanges, rows },
}: {
  readonly observation: Observation;
}) {
  return (
    <tr class={rows > 0 ? 'first' : undefined}>
      {rows > 0 && (
        <th scope="rowgroup" rowspan={rows}>
          <IdLink id={card.row.id} />
          <span class="note"> {card.row.statement}</span>
        </th>
      )}
      <td>
        <Text longest={240}>{subject}</Text>
      </td>
      <td>
        <Text longest={600}>{value}</Text>
      </td>
      <td class="note">
        {exchanges.length > 3
          ? counted(exchanges.length, 'exchange')
          : exchanges.length > 0
            ? exchanges.join(', ')
            : 'under load'}
      </td>
    </tr>
  );
}

const observationsOf = (card: Card): readonly Observation[] =>
  (card.result.observed ?? []).map(({ subject, value, exchanges }, index, all) => ({
    card,
    subject: subject ?? '',
    value,
    exchanges,
    rows: index === 0 ? all.length : 0,
  }));
