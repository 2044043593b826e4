import type { VNode } from 'preact';
import { likewiseWords, receivedWords, timesWords, type DistinctFinding } from '../../../words/findings.js';
import { capital } from '../../../format/format.js';
import { cut } from '../../../format/visible.js';
import { diff, type DiffPiece } from '../model/diff.js';
import { ScrollTable } from '../markup/scroll-table.js';
import { StoryView } from './story.js';
import { Shown, Text } from './text.js';

/** Longest expectation shown: a longer one is a body, shown with its exchange. */
const LONGEST = 1_200;

/** Problem, expected and actual, aligned, with the difference marked. */
export function FindingView({ finding, fault }: { readonly finding: DistinctFinding; readonly fault: boolean }): VNode {
  const { message, expected, actual, exchanges, story, likewise } = finding;
  const sides =
    expected === undefined || actual === undefined
      ? null
      : diff(cut(expected, LONGEST).text, cut(actual, LONGEST).text);
  return (
    <div class="finding">
      <h4>
        {fault && 'The kit itself failed: '}
        <Text>{message}</Text>
        {timesWords(finding)}
        {exchanges.length > 0 && <span class="note"> in {exchangeNames(exchanges)}</span>}
      </h4>
      {(expected !== undefined || actual !== undefined) && (
        <dl class={isShort(expected) && isShort(actual) ? 'sides short' : 'sides'}>
          {expected !== undefined && (
            <div>
              <dt>Expected</dt>
              <dd>
                {sides ? <Pieces pieces={sides.expected} mark="ins" /> : <Text longest={LONGEST}>{expected}</Text>}
              </dd>
            </div>
          )}
          {actual !== undefined && (
            <div>
              <dt>{capital(receivedWords(finding))}</dt>
              <dd>{sides ? <Pieces pieces={sides.actual} mark="del" /> : <Text longest={LONGEST}>{actual}</Text>}</dd>
            </div>
          )}
        </dl>
      )}
      {likewise && <Likewise finding={finding} />}
      {story && <StoryView story={story} />}
    </div>
  );
}

/** The same fault on other plans. */
const Likewise = ({ finding }: { readonly finding: DistinctFinding }): VNode => (
  <p class="note">
    Likewise on <Text>{likewiseWords(finding)}</Text>.
  </p>
);

/** Longest value of which two fit next to each other. */
const SHORT = 40;

const isShort = (value: string | undefined): boolean =>
  value === undefined || (value.length <= SHORT && !value.includes('\n'));

/** Returns whether findings are many, and short enough for a table. */
export const areTabular = (findings: readonly DistinctFinding[]): boolean =>
  findings.length > 2 &&
  findings.every(
    ({ expected, actual, story }) =>
      story === undefined && expected !== undefined && actual !== undefined && isShort(expected) && isShort(actual),
  );

/** Findings as a table, one line each, instead of many headings. */
export function FindingTable({ findings }: { readonly findings: readonly DistinctFinding[] }): VNode {
  return (
    <ScrollTable label="Findings" class="findings" columns={['Found', 'Expected', 'Received', 'In']}>
      <tbody>
        {findings.map((finding) => (
          <FindingRow finding={finding} />
        ))}
      </tbody>
    </ScrollTable>
  );
}

function FindingRow({ finding }: { readonly finding: DistinctFinding }): VNode {
  const { message, expected = '', actual = '', varied, exchanges } = finding;
  const sides = diff(expected, actual);
  return (
    <tr>
      <th scope="row">
        <Text>{message}</Text>
        {timesWords(finding)}
        {finding.likewise && <Likewise finding={finding} />}
      </th>
      <td>
        <Pieces pieces={sides.expected} mark="ins" />
      </td>
      <td>
        {varied && <span class="note">first </span>}
        <Pieces pieces={sides.actual} mark="del" />
      </td>
      <td class="note">{exchanges.length > 0 ? exchangeNames(exchanges) : 'under load'}</td>
    </tr>
  );
}

/** Text with marked differences: expected or actual. */
function Pieces({ pieces, mark }: { readonly pieces: readonly DiffPiece[]; readonly mark: 'ins' | 'del' }): VNode {
  return (
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
}

const exchangeNames = (ids: readonly string[]): string =>
  ids.length <= 4 ? ids.join(', ') : `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more`;
