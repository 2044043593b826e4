import type { VNode } from 'preact';

/** A column's name, or name and class where it is set otherwise than the table's other columns. */
type Column = string | readonly [name: string, className: string];

export interface TableHeadProps {
  readonly columns: readonly Column[];
  /** For the head as a whole. */
  readonly class?: string;
}

/** The head of a table, one line of column names. */
export function TableHead({ columns, class: className }: TableHeadProps): VNode {
  return (
    <thead class={className}>
      <tr>
        {columns.map((column) => {
          const [name, ownClass] = typeof column === 'string' ? [column] : column;
          return (
            <th key={name} scope="col" class={ownClass}>
              {name}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
