import type { VNode } from 'preact';
import { cut, segments } from '../../../format/visible.js';
import { count } from '../../../format/format.js';

/** Beyond this many characters a text is no longer read but scrolled past. */
const LONGEST = 2_000;

interface TextProps {
  readonly children: string;
  /** At most so many characters are shown. */
  readonly longest?: number;
}

/**
 * A text that somebody else may have written: hidden and misleading characters shown as code points, isolated from
 * the writing direction of what stands around it, cut with a note when it is very long.
 */
export function Text({ children, longest = LONGEST }: TextProps): VNode {
  const { text, leftOff } = cut(children, longest);
  return (
    <bdi>
      <Shown text={text} />
      {leftOff > 0 && <span class="note"> … {count(leftOff)} more characters</span>}
    </bdi>
  );
}

/** A text with its hidden characters made visible, and nothing around it. */
export function Shown({ text }: { readonly text: string }): VNode {
  return (
    <>
      {segments(text).map((segment) =>
        segment.kind === 'plain' ? segment.text : <span class="hidden-character">{segment.label}</span>,
      )}
    </>
  );
}
