import { isValidElement, type ComponentChildren } from 'preact';
import { harmless } from './lists.js';

type Column = string | readonly [name: ComponentChildren, className?: string];

/** Returns columns of text in a table of figures, which stand to the right. */
export const textColumns = (...names: readonly string[]): readonly Column[] =>
  names.map((name) => [name, 'left']);

/**
 * Cells of a row; the first names it. A `td` or `th` has its own attributes; null is below a cell of several
 * rows.
 */
type Cells = readonly ComponentChildren[];

interface Row {
  readonly cells: Cells;
  readonly class?: string | undefined;
  readonly [attribute: `data-${string}`]: string | undefined;
}

interface TableProps {
  /** Label for keyboard and screen-reader users of a table that scrolls; without one it does not. */
  readonly label?: string;
  readonly class: string;
  readonly columns: readonly Column[];
  readonly headClass?: string;
  readonly rows?: readonly (Cells | Row)[];
  readonly children?: ComponentChildren;
}

const isRow = (row: Cells | Row): row is Row => 'cells' in row;

/** A table. One with a label may be wider than a phone: it scrolls by touch and arrow keys; the page does not. */
export function Table({ label, class: className, columns, headClass, rows = [], children }: TableProps) {
  const classes = columns.map((column) => (typeof column === 'string' ? undefined : column[1]));
  const table = (
    <table class={className}>
      <thead class={headClass}>
        <tr>
          {columns.map((column, at) => (
            <th scope="col" class={classes[at]}>
              {typeof column === 'string' ? column : column[0]}
            </th>
          ))}
        </tr>
      </thead>
      {rows.length > 0 && (
        <tbody>
          {rows.map((row) => {
            const { cells, ...attributes } = isRow(row) ? row : { cells: row };
            return (
              <tr {...attributes}>
                {cells.map((cell, at) =>
                  cell === null || (isValidElement(cell) && (cell.type === 'td' || cell.type === 'th')) ? (
                    cell
                  ) : at === 0 ? (
                    <th scope="row">{harmless(cell)}</th>
                  ) : (
                    <td class={classes[at]}>{harmless(cell)}</td>
                  ),
                )}
              </tr>
            );
          })}
        </tbody>
      )}
      {children}
    </table>
  );
  return label === undefined ? (
    table
  ) : (
    <div class="scroll" role="group" aria-label={label} tabindex={0}>
      {table}
    </div>
  );
}
