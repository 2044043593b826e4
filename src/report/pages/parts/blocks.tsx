import { capital } from '../../../base/kernel/format.js';
import { AMOUNTS } from '../../amounts.js';
import { labelWords, type FaultBlock } from '../../rows/blocks.js';
import { harmless, Ids } from '../markup/lists.js';

/** What a block says without its label, its values quiet. */
export const Said = ({ block: { rows, news, text, values } }: { readonly block: FaultBlock }) => (
  <>
    {rows && <Ids ids={rows} most={AMOUNTS.page.ids} />}
    {rows && text !== '' && ': '}
    {news && <b>{capital(news)}</b>}
    {text !== '' && harmless(text)}
    {values && <span class="note">: {harmless(values)}</span>}
  </>
);

/** Blocks in few lines: what was found, and below it what belongs to it. */
export const Gist = ({ blocks }: { readonly blocks: readonly FaultBlock[] }) => (
  <>
    {blocks.map((block, at) => {
      const { label, text } = block;
      if (label === 'found') return <Said block={block} />;
      if (label === 'and' && at === 1) return <span class="note">; and {text}</span>;
      const name = label === 'also' || label === 'and' ? 'behind note also' : 'behind note';
      return (
        <span class={label === 'kit fault' ? '' : name}>
          {label === 'shows in' && label === blocks[at - 1]?.label ? 'And in ' : capital(labelWords(block))}
          <Said block={block} />
        </span>
      );
    })}
  </>
);
