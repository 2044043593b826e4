import type { ComponentChildren, VNode } from 'preact';
import { TableHead, type TableHeadProps } from './table-head.js';

interface ScrollTableProps {
  /** What it holds, for those who reach it by keyboard. */
  readonly label: string;
  readonly class: string;
  readonly columns: TableHeadProps['columns'];
  readonly headClass?: string;
  /** What stands below the head. */
  readonly children: ComponentChildren;
}

/**
 * A table that may be wider than a phone: it scrolls by itself, with fingers and with the arrow keys, and not the page
 * with it.
 */
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
