import type { PageInput } from '../input.js';
import { OWN_TITLE, ownClause, ownEffect, problemText } from '../../../outcome/words/own.js';
import type { OwnResults } from '../../../outcome/results/results.js';
import { byPart, cardsOf, isQuiet, type Card } from '../model/cards.js';
import { capital, count, counted } from '../../../base/kernel/format.js';
import { IdLink, Items } from '../markup/lists.js';
import { Table } from '../markup/table.js';
import { CardView } from './card.js';
import { Text } from './text.js';
import { partTitles } from '../../../base/interface/names.js';

/** Most cards printed in full; others print finding and expected value, without exchanges. */
const MOST_IN_FULL = 12;

/** All requirements by part, in the interface's order, as folding cards. */
export function Requirements({ cards, curlOf, proof }: PageInput & { readonly cards: readonly Card[] }) {
  const loud = cards.filter((card) => !isQuiet(card)).map(({ row }) => row.id);
  const next = new Map(loud.map((id, index) => [id, { previous: loud[index - 1], next: loud[index + 1] }]));
  return (
    <section id="requirements" class={loud.length > MOST_IN_FULL ? 'many' : undefined}>
      <h2>The requirements</h2>
      <p class="found-count note" role="status" hidden />
      {byPart(cards).map(([part, members]) => (
        <section class="part" aria-labelledby={`part-${part}`}>
          <h3 id={`part-${part}`}>
            <b>{part}</b> {partTitles[part]}
            <span class="note">{standing(members)}</span>
          </h3>
          {members.map((card) => (
            <CardView card={card} curlOf={curlOf} proven={Boolean(proof)} neighbours={next.get(card.row.id) ?? null} />
          ))}
        </section>
      ))}
    </section>
  );
}

/** Summarizes a part by its musts, with the page's only denominator. */
function standing(cards: readonly Card[]): string {
  const musts = cards.filter(({ row, result }) => row.level === 'must' && result.outcome !== 'not-applicable');
  const held = musts.filter(({ result }) => result.outcome === 'passed').length;
  const others = cards.length - musts.length;
  if (musts.length === 0) return ` none required in scope, ${counted(others, 'other')}`;
  return ` ${count(held)} of ${count(musts.length)} required ${held === 1 ? 'holds' : 'hold'}${others > 0 ? `, ${counted(others, 'other')}` : ''}`;
}

/** Own suites, separate from the interface's requirements: results, and a card each. */
export function Own({ own, ...input }: PageInput & { readonly own: OwnResults }) {
  const rows = input.log.header.own?.rows ?? [];
  const cards = cardsOf({ ...input, rows, proof: null, results: { ...input.results, requirements: own.requirements } });
  return (
    <section id="own">
      <h2>{OWN_TITLE}</h2>
      <p>
        {capital(ownClause(own))}. {capital(ownEffect(own))}.{' '}
        <span class="note">{counted(own.requests, 'request')} of these suites</span>
      </p>
      {own.problems.length > 0 && (
        <Items
          items={own.problems.map((problem) => (
            <span class="ink-failed">
              <Text longest={600}>{problemText(problem)}</Text>
            </span>
          ))}
        />
      )}
      {cards.map((card) => (
        <CardView card={card} curlOf={input.curlOf} proven={false} neighbours={null} />
      ))}
    </section>
  );
}

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
                    <span class="note below"> {row.statement}</span>
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
