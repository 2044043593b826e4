import { markdownText } from '../../outcome/words/safe-text.js';
import { labelWords, said, type FaultBlock, type Label } from '../rows/blocks.js';

/** How a report in Markdown shows sentences that may quote a target, and values of a target. */
interface Style {
  readonly indent: string;
  readonly text: (text: string) => string;
  readonly code: (text: string) => string;
}

/** Formats blocks as items of a list, without exchanges. */
export const markdownItems = (
  blocks: readonly FaultBlock[],
  { indent, text, code }: Style,
): readonly string[] =>
  blocks
    .filter(({ label }) => label !== 'see')
    .map((block) => {
      const { label } = block;
      const say = VALUES.has(label) ? code : KIT.has(label) ? markdownText : text;
      const depth = VALUES.has(label) || OF_FINDING.has(label) ? '  ' : '';
      return `${indent}${depth}- ${labelWords(block)}${said(block, say)}`;
    });

const VALUES: ReadonlySet<Label> = new Set(['expected', 'received', 'received first', 'story']);
const OF_FINDING: ReadonlySet<Label> = new Set(['likewise', 'how']);
const KIT: ReadonlySet<Label> = new Set(['and', 'how', 'looks like']);
