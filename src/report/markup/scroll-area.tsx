import type { ComponentChildren, VNode } from 'preact';

interface ScrollAreaProps {
  /** What it holds, for those who reach it by keyboard. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** What may be wider than a phone scrolls by itself, with fingers and with the arrow keys, and not the page with it. */
export function ScrollArea({ label, children }: ScrollAreaProps): VNode {
  return (
    <div class="scroll" role="group" aria-label={label} tabindex={0}>
      {children}
    </div>
  );
}
