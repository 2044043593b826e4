import type { VNode } from 'preact';
import type { Outcome } from '../../../verdict/verdict.js';
import type { Cell, Table, Tone } from '../../../words/capacity-tables.js';
import { Glyph } from '../parts/glyph.js';
import { Text } from '../parts/text.js';
import { ScrollTable } from '../markup/scroll-table.js';

const CLASSES: Readonly<Record<Tone, string>> = {
  met: 'o-passed',
  missed: 'o-failed',
  inconclusive: 'o-inconclusive',
  failed: 'ink-failed',
  warned: 'ink-warned',
  note: 'note',
};

const GLYPHS: Readonly<Partial<Record<Tone, Outcome>>> = {
  met: 'passed',
  missed: 'failed',
  inconclusive: 'inconclusive',
};

/** Longest text in a cell. */
const LONGEST = 300;

interface DataTableProps {
  readonly table: Table;
  readonly class: string;
  /** Position of each row in the charts, used by the script. */
  readonly places?: readonly { readonly from: number; readonly to: number }[];
}

/** A table of a load run. */
export const DataTable = ({ table: { label, columns, rows }, class: className, places }: DataTableProps): VNode => (
  <ScrollTable label={label} class={className} columns={columns}>
    <tbody>
      {rows.map(({ cells: [name, ...cells], isPart }, at) => (
        <tr
          class={isPart === undefined ? 'whole' : 'part'}
          data-from={places?.[at]?.from.toFixed(5)}
          data-to={places?.[at]?.to.toFixed(5)}
        >
          <th scope="row">
            <Text longest={200}>{name?.text ?? ''}</Text>
          </th>
          {cells.map((cell) => (
            <DataCell cell={cell} />
          ))}
        </tr>
      ))}
    </tbody>
  </ScrollTable>
);

const DataCell = ({ cell: { text, tone } }: { readonly cell: Cell }): VNode => {
  const glyph = tone && GLYPHS[tone];
  return (
    <td class={tone && CLASSES[tone]}>
      {glyph && <Glyph outcome={glyph} />}
      <Text longest={LONGEST}>{text}</Text>
    </td>
  );
};
