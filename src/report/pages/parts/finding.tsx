import type { Story } from '../../../judge/findings/finding.js';
import { storyWords } from '../../../outcome/words/explored.js';
import type { ShownFinding } from '../../../outcome/words/findings.js';
import { capital, listedUpTo } from '../../../base/kernel/format.js';
import { cut } from '../../../base/kernel/visible.js';
import { AMOUNTS } from '../../amounts.js';
import { findingBlocks, labelWords, type FaultBlock } from '../../rows/blocks.js';
import type { RowView } from '../../rows/row-view.js';
import { diff, type DiffPiece } from '../model/diff.js';
import { Facts, harmless } from '../markup/lists.js';
import { Table } from '../markup/table.js';
import { Said } from './blocks.js';
import { Shown, Text } from './text.js';

const LONGEST = AMOUNTS.page.valueCharacters;

export function FindingView({ row, finding }: { readonly row: RowView; readonly finding: ShownFinding }) {
  const { expected, actual, exchanges, story } = finding;
  const isPair = expected !== undefined && actual !== undefined;
  const sides = isPair ? diff(cut(expected, LONGEST).text, cut(actual, LONGEST).text) : null;
  const valueOf = (text: string, pieces: readonly DiffPiece[] | undefined, mark: 'ins' | 'del') =>
    pieces ? <Pieces pieces={pieces} mark={mark} /> : <Text longest={LONGEST}>{text}</Text>;
  const [found, ...blocks] = findingBlocks(row, finding);
  const facts = blocks.flatMap(({ label, text }) =>
    label === 'expected'
      ? [['Expected', valueOf(text, sides?.expected, 'ins')] as const]
      : label.startsWith('received')
        ? [[capital(label), valueOf(text, sides?.actual, 'del')] as const]
        : [],
  );
  return (
    <div class="finding">
      <h4>
        {row.outcome === 'error' && capital(labelWords(found))}
        {capital(found.news ?? '')}
        <Text>{found.text}</Text>
        {exchanges.length > 0 && (
          <span class="note"> in {listedUpTo(exchanges, AMOUNTS.page.findingIds)}</span>
        )}
      </h4>
      {facts.length > 0 && (
        <Facts class={isShort(expected) && isShort(actual) ? 'sides short' : 'sides'} facts={facts} />
      )}
      {blocks.map((block) => block.label === 'likewise' && <Likewise block={block} />)}
      {story && <StoryView story={story} />}
    </div>
  );
}

/** The same fault on other plans. */
const Likewise = ({ block }: { readonly block: FaultBlock }) => (
  <p class="note">
    {capital(labelWords(block))}
    <Text>{block.text}</Text>.
  </p>
);

const SHORT = 40;

const isShort = (value: string | undefined): boolean =>
  value === undefined || (value.length <= SHORT && !value.includes('\n'));

/** Returns whether findings are many, and short enough for a table. */
export const areTabular = (findings: readonly ShownFinding[]): boolean =>
  findings.length > 2 &&
  findings.every(
    ({ expected, actual, story }) =>
      story === undefined &&
      expected !== undefined &&
      actual !== undefined &&
      isShort(expected) &&
      isShort(actual),
  );

export const FindingTable = ({
  row,
  findings,
}: {
  readonly row: RowView;
  readonly findings: readonly ShownFinding[];
}) => (
  <Table
    label="Findings"
    class="findings"
    columns={['Found', 'Expected', 'Received', ['In', 'note']]}
    rows={findings.map((finding) => {
      const { expected = '', actual = '', varied, exchanges } = finding;
      const sides = diff(expected, actual);
      return [
        findingBlocks(row, finding).map((block) =>
          block.label === 'likewise' ? (
            <Likewise block={block} />
          ) : (
            block.label === 'found' && <Said block={block} />
          ),
        ),
        <Pieces pieces={sides.expected} mark="ins" />,
        <>
          {varied && <span class="note">first </span>}
          <Pieces pieces={sides.actual} mark="del" />
        </>,
        exchanges.length > 0 ? listedUpTo(exchanges, AMOUNTS.page.findingIds) : 'under load',
      ];
    })}
  />
);

const Pieces = ({
  pieces,
  mark,
}: {
  readonly pieces: readonly DiffPiece[];
  readonly mark: 'ins' | 'del';
}) => (
  <bdi>
    {pieces.map(({ text, differs }) =>
      differs ? (
        <mark class={mark}>
          <Shown text={text} />
        </mark>
      ) : (
        <Shown text={text} />
      ),
    )}
  </bdi>
);

/** Shortest sequence of requests that shows a violation, and how to replay it. */
export function StoryView({ story }: { readonly story: Story }) {
  const left = story.steps.length - AMOUNTS.page.storySteps;
  return (
    <div class="story">
      <p class="note">
        <Text>{storyWords(story)}</Text>
      </p>
      <ol>
        {story.steps.slice(0, AMOUNTS.page.storySteps).map((step) => (
          <li>
            <code>{harmless(step)}</code>
          </li>
        ))}
      </ol>
      {left > 0 && <p class="note">and {left} more, in results.json</p>}
    </div>
  );
}
