import type { ComponentChildren, VNode } from 'preact';
import type { Exchange } from '../../wire/exchange/types.js';
import { capital, counted, ended } from '../../base/kernel/format.js';
import type { RequirementResult } from '../../outcome/results/results.js';
import { shownText, type ViolationKind } from '../../outcome/words/capacity.js';
import { sameFaultWords } from '../rows/blocks.js';
import type { RowView } from '../rows/row-view.js';
import { stateWords } from '../../outcome/words/changes.js';
import { partlyText } from '../../outcome/words/outcomes.js';
import { AMOUNTS } from '../amounts.js';
import type { Places } from '../comparison.js';
import type { Block, Cell, Pair, Section, SideLabels, Table as TableOf } from '../document.js';
import { Fold, harmless } from './markup/lists.js';
import { Table } from './markup/table.js';
import { ExchangeView } from './parts/exchange.js';
import { FindingView } from './parts/finding.js';
import { Glyph } from './parts/glyph.js';
import { Text } from './parts/text.js';

interface Context {
  readonly places?: Places;
  readonly requirements?: readonly RequirementResult[];
  readonly exchanges?: readonly Exchange[];
  readonly curlOf?: (exchange: Exchange) => string;
  readonly charts?: Readonly<Record<(Block & { kind: 'series' })['name'], () => VNode>>;
}

export const SectionView = ({
  id,
  title,
  glyph,
  lead,
  blocks,
  context,
}: Section & { readonly context: Context }) => (
  <section id={id}>
    {title !== '' && <h2 class={glyph && `ink-${glyph}`}>{title}</h2>}
    {lead && <p class="lead">{lead}</p>}
    {blocks.map((block) => blockOf(id, block, context))}
  </section>
);

function blockOf(id: string, block: Block, context: Context): ComponentChildren {
  switch (block.kind) {
    case 'text':
      return <p class="note">{block.text}</p>;
    case 'table':
      return <DataTable table={block} class={`dense data-${id}`} />;
    case 'series':
      return context.charts?.[block.name]() ?? null;
    case 'violations':
      return block.violations.map((kind) => violationOf(kind, context));
    case 'pairs':
      return pairsOf(block, id, context.places ?? {});
  }
}

const contentOf = ({ text, glyph, link }: Cell): ComponentChildren => (
  <>
    {glyph && <Glyph outcome={glyph} />}
    {link === undefined ? harmless(text) : <a href={link}>{text}</a>}
  </>
);

interface DataTableProps {
  readonly table: TableOf;
  readonly class: string;
  /** Position of each row in the charts, used by the script. */
  readonly places?: readonly { readonly from: number; readonly to: number }[];
}

export const DataTable = ({ table: { label, columns, rows }, class: className, places }: DataTableProps) =>
  rows.length === 0 ? null : (
    <Table
      label={label}
      class={className}
      columns={columns}
      rows={rows.map(({ cells: [name = { text: '' }, ...cells], isPart }, at) => ({
        class: isPart === undefined ? 'whole' : 'part',
        'data-from': places?.[at]?.from.toFixed(5),
        'data-to': places?.[at]?.to.toFixed(5),
        cells: [
          contentOf(name),
          ...cells.map((cell) => (
            <td
              class={
                cell.glyph ? `o-${cell.glyph}` : cell.ink === 'note' ? 'note' : cell.ink && `ink-${cell.ink}`
              }
            >
              {contentOf(cell)}
            </td>
          )),
        ],
      }))}
    />
  );

function violationOf(kind: ViolationKind, { requirements = [], exchanges = [], curlOf }: Context) {
  const shown = exchanges.find(({ id }) => id === kind.exchange);
  const finding = requirements
    .find(({ id }) => id === kind.requirement)
    ?.findings.find(({ message }) => message === kind.message);
  return (
    <article class="violation">
      <h3 class="o-failed">
        <Glyph outcome="failed" /> <code>{kind.requirement}</code> <span class="note">{shownText(kind)}</span>
      </h3>
      <p>
        <Text longest={600}>{ended(capital(kind.message))}</Text>
      </p>
      {finding?.expected !== undefined && (
        <p class="note">
          Expected {harmless(finding.expected)}, received {harmless(finding.actual ?? '')}
        </p>
      )}
      {shown && curlOf && <ExchangeView exchange={shown} curl={curlOf(shown)} folded />}
    </article>
  );
}

function pairsOf(
  { first, labels, pairs, isFolded }: Block & { kind: 'pairs' },
  label: string,
  places: Places,
) {
  const whole = pairs.flatMap((pair) => (pair.sides ? [sideBySide(pair, pair.sides, labels, places)] : []));
  if (isFolded) return <Fold title="Findings of both runs">{whole}</Fold>;
  if (whole.length > 0) return <>{whole}</>;
  return (
    <Table
      label={label}
      class="pair"
      columns={[first, ...labels]}
      rows={pairs.map((pair) => [
        <>
          <Name pair={pair} place={places.after} />
          {pair.members && <Members ids={pair.members} place={places.after} />}
          {pair.subject && <div class="note">{harmless(pair.subject)}</div>}
        </>,
        ...[pair.before, pair.now].map((value) =>
          pair.subject === undefined ? (
            value
          ) : (
            <td class="value">
              <Text>{value}</Text>
            </td>
          ),
        ),
      ])}
    />
  );
}

const cardAt = (place: string, name: string): string => `${place}#${encodeURIComponent(name)}`;

const Name = ({
  pair: { name, hasCard },
  place,
}: {
  readonly pair: Pick<Pair, 'name' | 'hasCard'>;
  readonly place: Places['after'];
}) =>
  place && hasCard ? (
    <a class="id" href={cardAt(place, name)}>
      <Text>{name}</Text>
    </a>
  ) : (
    <span class={hasCard ? 'id' : undefined}>
      <Text>{name}</Text>
    </span>
  );

const Members = ({ ids, place }: { readonly ids: readonly string[]; readonly place: Places['after'] }) => (
  <div class="note">
    {ids.map((id, at) => (
      <>
        {at > 0 && ', '}
        <Name pair={{ name: id, hasCard: true }} place={place} />
      </>
    ))}
  </div>
);

const sideBySide = (
  pair: Pair,
  { statement, before, after, beforeFrom }: NonNullable<Pair['sides']>,
  labels: SideLabels,
  places: Places,
) => (
  <div class="change">
    <h3 class={`flow o-${pair.glyph}`}>
      <Glyph outcome={pair.glyph} />
      <Name pair={pair} place={places.after} />
    </h3>
    <p class="statement">
      <Text>{statement}</Text>
    </p>
    {pair.faultOf !== undefined && <p class="note">{capital(sameFaultWords(pair.faultOf))}.</p>}
    <div class="sides2">
      {sideOf(labels[0], pair.name, before, beforeFrom === '' ? places.before : null, beforeFrom)}
      {sideOf(labels[1], pair.name, after, places.after)}
    </div>
  </div>
);

/** @param from another run than that of the side, which has the result */
function sideOf(label: string, name: string, row: RowView | null, place: Places['before'], from = '') {
  const { findings = [], reason, outcome } = row ?? {};
  const left = findings.length - AMOUNTS.comparison.findings;
  return (
    <div>
      <h4>
        {label}
        {place && row !== null && (
          <>
            {', '}
            <a href={cardAt(place, name)}>its card</a>
          </>
        )}
      </h4>
      <p>
        <span class={`state${outcome ? ` ink-${outcome}` : ''}`}>{stateWords(row)}</span>
        {reason && <>: {harmless(reason.text)}</>}
        {row?.partly && <>: not tested: {harmless(partlyText(row))}</>}
        {from !== '' && <>, {harmless(from)}</>}
      </p>
      {findings
        .slice(0, AMOUNTS.comparison.findings)
        .map((finding) => row && <FindingView row={row} finding={finding} />)}
      {left > 0 && <p class="note">and {counted(left, 'more finding')} in its report</p>}
    </div>
  );
}
