import type { VNode } from 'preact';
import type { Exchange } from '../../../exchange/types.js';
import type { ExploredResults } from '../../../verdict/results.js';
import type { PageInput } from '../input.js';
import { ScrollTable } from '../markup/scroll-table.js';
import { exploredClause, kindsTried, type KindTried } from '../../../words/explored.js';
import { StoryView } from './story.js';
import { Shown, Text } from './text.js';
import { IdLink } from './untested.js';
import { capital, count, counted, grouped } from '../../../format/format.js';

interface ExploredProps {
  readonly explored: ExploredResults;
  readonly exchanges: readonly Exchange[];
  readonly curlOf: PageInput['curlOf'];
}

/** Result of exploring beyond the suites' requests: findings, and what was tried, to show what a clean result covers. */
export function Explored({ explored, exchanges, curlOf }: ExploredProps): VNode {
  return (
    <section id="explored">
      <h2>Found by exploring</h2>
      <p class="lead">{capital(exploredClause(explored))}. The same seed sends the same requests to the same target.</p>
      {explored.stories.map(({ requirement, message, ...story }) => (
        <div class="finding">
          <h4>
            <IdLink id={requirement} /> <Text>{message}</Text>
          </h4>
          <StoryView story={story} />
          <CurlLines lines={story.exchanges.flatMap((id) => exchanges.filter((each) => each.id === id).map(curlOf))} />
        </div>
      ))}
      <h3>Tested classes</h3>
      <ScrollTable
        label="Tested classes by kind"
        class="dense tried"
        columns={['Kind', 'Classes', 'Times', 'Accepted', ['Not tested', 'left']]}
      >
        <tbody>
          {kindsTried(explored.classes).map((kind) => (
            <KindRow kind={kind} />
          ))}
        </tbody>
      </ScrollTable>
      <details class="fold">
        <summary>Each class, with figures</summary>
        <ScrollTable label="Tested classes" class="dense tried" columns={['Class', 'Times', 'Accepted']}>
          {[...grouped(explored.classes, ({ kind }) => kind)].map(([kind, members]) => (
            <tbody>
              <tr class="kind">
                <th scope="rowgroup" colspan={3}>
                  {capital(kind)}
                </th>
              </tr>
              {members.map(({ class: name, tried, served }) => (
                <tr>
                  <td>{name}</td>
                  <td>{count(tried)}</td>
                  <td>{count(served)}</td>
                </tr>
              ))}
            </tbody>
          ))}
        </ScrollTable>
      </details>
    </section>
  );
}

/** Most lines shown; `--replay` repeats longer stories. */
const MOST_LINES = 12;

/** Curl lines for a story's requests; repeated lines appear once. */
function CurlLines({ lines }: { readonly lines: readonly string[] }): VNode | null {
  const once = lines.filter((line, at) => line !== lines[at - 1]);
  if (once.length === 0 || once.length > MOST_LINES) return null;
  return (
    <details class="fold">
      <summary>{once.length === 1 ? 'As a curl line' : 'As curl lines'}</summary>
      {once.map((line) => (
        <pre class="wire copyable" data-copy="curl">
          <code>
            <Shown text={line} />
          </code>
        </pre>
      ))}
    </details>
  );
}

/** Most left-out classes named; more are counted. */
const MOST_NAMED = 4;

function KindRow({ kind: { kind, classes, tried, times, served, left } }: { readonly kind: KindTried }): VNode {
  const more = left.length - MOST_NAMED;
  return (
    <tr>
      <th scope="row">{capital(kind)}</th>
      <td>{tried === classes ? `all ${count(classes)}` : `${count(tried)} of ${count(classes)}`}</td>
      <td>{count(times)}</td>
      <td>{count(served)}</td>
      <td class="left">
        {tried === 0
          ? counted(classes, 'class', 'classes')
          : [...left.slice(0, MOST_NAMED), ...(more > 0 ? [`${count(more)} more`] : [])].join(', ')}
      </td>
    </tr>
  );
}
