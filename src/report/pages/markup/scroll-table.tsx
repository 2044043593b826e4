import type { ComponentChildren, VNode } from 'preact';
import { TableHead, type TableHeadProps } from './table-head.js';

interface ScrollTableProps {
  /** Label for keyboard and screen-reader users. */
  readonly label: string;
  readonly class: string;
  readonly columns: TableHeadProps['columns'];
  readonly headClass?: string;
  /** Rows below the head. */
  readonly children: ComponentChildren;
}

/** A table that may be wider than a phone. It scrolls by touch and arrow keys; the page does not. */
export function ScrollTable({ label, class: className, columns, headClass, children }: ScrollTableProps): VNode {
  return (
    <div class="scroll" role="group" aria-label={label} tabindex={0}>
      <table class={className}>
        <TableHead columns={columns} {...(headClass !== undefined && { class: headClass })} />
        {children}
      </table>
    </div>
  );
}
