import type { VNode } from 'preact';

/** Name of a column, with a class where it differs from the others. */
type Column = string | readonly [name: string, className: string];

export interface TableHeadProps {
  readonly columns: readonly Column[];
  /** Class of the whole head. */
  readonly class?: string;
}

/** Head of a table: one row of column names. */
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
