import type { PageInput } from '../input.js';
import { OWN_TITLE, ownClause, ownEffect, problemText } from '../../../outcome/words/own.js';
import type { OwnResults } from '../../../outcome/results/results.js';
import { AMOUNTS } from '../../amounts.js';
import type { RowView } from '../../rows/row-view.js';
import { chartsOfRow } from '../model/row-charts.js';
import { capital, count, counted, sum } from '../../../base/kernel/format.js';
import { IdLink, Items } from '../markup/lists.js';
import { Table } from '../markup/table.js';
import { CardView, isQuiet } from './card.js';
import { heldWords } from './held.js';
import { Text } from './text.js';

export function Requirements({ document, log, curlOf, proof }: PageInput) {
  const loud = document.parts.flatMap(({ rows }) => rows.filter((row) => !isQuiet(row))).map(({ id }) => id);
  const next = new Map(loud.map((id, index) => [id, { previous: loud[index - 1], next: loud[index + 1] }]));
  return (
    <section id="requirements" class={loud.length > AMOUNTS.paper.wholeCards ? 'many' : undefined}>
      <h2>The requirements</h2>
      <p class="found-count note" role="status" hidden />
      {document.parts.map(({ part, title, rows }) => (
        <section class="part" aria-labelledby={`part-${part}`}>
          <h3 id={`part-${part}`}>
            <b>{part}</b> {title}
            <span class="note">{partSummary(rows, heldWords(log))}</span>
          </h3>
          {rows.map((row) => (
            <CardView
              row={row}
              charts={chartsOfRow(row, log)}
              curlOf={curlOf}
              proven={Boolean(proof)}
              neighbours={next.get(row.id) ?? null}
            />
          ))}
        </section>
      ))}
    </section>
  );
}

/** Counts only musts, with the page's only denominator. */
function partSummary(rows: readonly RowView[], words: (amount: number) => string): string {
  const musts = rows.filter(({ level, outcome }) => level === 'must' && outcome !== 'not-applicable');
  const held = musts.filter(({ outcome }) => outcome === 'passed').length;
  const others = rows.length - musts.length;
  if (musts.length === 0) return ` none required in scope, ${counted(others, 'other')}`;
  const beside = others > 0 ? `, ${counted(others, 'other')}` : '';
  return ` ${count(held)} of ${count(musts.length)} required ${words(held)}${beside}`;
}

export function Own({ own, document, curlOf }: PageInput & { readonly own: OwnResults }) {
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
      {(document.own?.rows ?? []).map((row) => (
        <CardView row={row} charts={[]} curlOf={curlOf} proven={false} neighbours={null} />
      ))}
    </section>
  );
}

/**
 * The target's behaviour where the interface is silent: never a fault, but often the reason why a client
 * breaks.
 */
export function UndefinedBehaviours({ document: { rows } }: Pick<PageInput, 'document'>) {
  const asked = [...rows.filter(isFree), ...rows.filter((row) => !isFree(row))].flatMap(
    ({ observed = [], ...row }) => (observed.length > 0 ? [{ row, observed }] : []),
  );
  const amount = sum(asked, ({ observed }) => observed.length);
  return (
    <section id="left-open">
      <h2>What the interface leaves open</h2>
      {amount === 0 ? (
        <p>Nothing was recorded.</p>
      ) : (
        <>
          <p class="lead">
            {counted(amount, 'observation')} on {counted(asked.length, 'question')} that the interface leaves
            open. None is a fault, and all may change without notice.
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
                exchanges.length > 3
                  ? counted(exchanges.length, 'exchange')
                  : exchanges.join(', ') || 'under load',
              ]),
            )}
          />
        </>
      )}
    </section>
  );
}

const isFree = ({ level }: RowView): boolean => level === 'may' || level === 'open';
