import { cut, segments } from '../../../base/kernel/visible.js';
import { count } from '../../../base/kernel/format.js';
import { AMOUNTS } from '../../amounts.js';

interface TextProps {
  readonly children: string;
  readonly longest?: number;
}

/**
 * A text from an untrusted source: hidden and misleading characters become code points, its writing direction
 * is isolated, and long texts are cut with a note.
 */
export function Text({ children, longest = AMOUNTS.page.textCharacters }: TextProps) {
  const { text, leftOff } = cut(children, longest);
  return (
    <bdi>
      <Shown text={text} />
      {leftOff > 0 && <span class="note"> … {count(leftOff)} more characters</span>}
    </bdi>
  );
}

/** A text with visible hidden characters, without a wrapper. */
export const Shown = ({ text }: { readonly text: string }) => (
  <>
    {segments(text).map((segment) =>
      segment.kind === 'plain' ? segment.text : <span class="hidden-character">{segment.label}</span>,
    )}
  </>
);

/** A sentence in which dates stand outside the texts that may come from a target. */
export const Headline = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split(/(\d{4}-\d{2}-\d{2}(?: \d\d:\d\d UTC)?)/)
      .map((piece, at) => (at % 2 === 1 ? piece : <Text longest={600}>{piece}</Text>))}
  </>
);
