import type { Outcome } from '../../judge/verdict.js';
import { isOfClient } from '../../outcome/words/client-rows.js';
import { curlOf, type CurlSource } from '../../wire/exchange/curl.js';
import { AMOUNTS } from '../amounts.js';
import { labelWords, said, type FaultBlock, type Label } from '../rows/blocks.js';
import type { RowView } from '../rows/row-view.js';
import { copyable, hang, mark, span, TONES, type Line, type Tone } from './lines.js';

const MOST = AMOUNTS.terminal;
/** Width of the ids, which have at most 30 characters and mostly fewer than 22. */
const ID_WIDTH = 22;

export const titled = (outcome: Outcome, id: string, text: string, tone?: Tone, most?: number): Line =>
  hang([span('   '), mark(outcome), span(`${id.padEnd(ID_WIDTH)}  `, 'strong')], text, tone, most);

const lead = (label: string) => span(`       ${label.padEnd(10)} `, 'quiet');

export const fact = (label: string, text: string, tone: Tone = 'plain', most: number = MOST.lines): Line =>
  hang([lead(label)], text, tone, most);

/** What the end of the run says: the cause is known only there. */
const AT_THE_END: ReadonlySet<Label> = new Set(['looks like', 'explains', 'same cause as']);

export const blockLines = (row: RowView, blocks: readonly FaultBlock[], source: CurlSource): Line[] =>
  blocks.flatMap((block, at) => {
    const { label, news = '', text } = block;
    if (AT_THE_END.has(label)) return [];
    if (label === 'see') return seeLines(row, block, source);
    // A further finding has a line; its values are in the report.
    if (label === 'also') return [fact(label, news + text)];
    const isFurther = blocks[at - 1]?.label === label;
    const tone = label.startsWith('received') ? TONES[row.shown] : (OWN_TONES[label] ?? 'plain');
    const most = label === 'to fix' || text === '' ? Infinity : MOST.lines;
    return [fact(isFurther ? '' : label.replace(' first', ''), said(block), tone, most)];
  });

const OWN_TONES: Partial<Readonly<Record<Label, Tone>>> = { 'kit fault': 'kit', how: 'quiet' };

/**
 * Formats the first exchange of a finding as a command to paste: never broken, never cut. A client's fault is
 * in what it sends, and when: no other program shows it.
 */
function seeLines({ id, exchanges }: RowView, { finding }: FaultBlock, source: CurlSource): Line[] {
  const ids = finding?.exchanges ?? [];
  // The finding names the faulty one first; a row has its exchanges in the order of sending.
  const [exchange] = ids.flatMap((name) => exchanges.find((one) => one.id === name) ?? []);
  const curl = exchange && !isOfClient(id) ? curlOf(exchange, source) : null;
  if (curl !== null && curl.length <= MOST.command) return [copyable(lead('see'), span(curl))];
  if (ids[0] === undefined) return [];
  // A client's fault shows in two: what it received, and what it sent then.
  if (isOfClient(id) && ids.length > 1)
    return [fact('see', `exchanges ${ids[0]} and ${ids[1]} in the report`)];
  const why = curl === null ? '' : '; its request is too long to show here';
  return [fact('see', `exchange ${ids[0]} in the report${why}`)];
}

/** Lines of a finding at the end of a run on a screen. A log file is read without the screen above. */
const LAST_LINES = 2;
const LAST: ReadonlySet<Label> = new Set(['also', 'looks like', 'same cause as', 'shows in']);

/** For the end of a run, without what stands above. The cause is never cut. */
export const gistLines = ({ outcome, id }: RowView, blocks: readonly FaultBlock[]): Line[] => {
  const title = [mark(outcome), span(`${id.padEnd(ID_WIDTH)}  `, 'strong')];
  const below = [span(' '.repeat(Math.max(ID_WIDTH, id.length) + 4))];
  return blocks.flatMap((block, at) => {
    if (at === 0) return [hang(title, said(block), 'plain', LAST_LINES)];
    if (!LAST.has(block.label)) return [];
    const text = labelWords(block) + said(block);
    return [block.label === 'also' ? hang(below, text, 'plain', LAST_LINES) : hang(below, text, 'quiet')];
  });
};
