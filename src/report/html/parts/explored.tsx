import type { VNode } from 'preact';
import type { ExploredResults } from '../../../verdict/results.js';
import { ScrollArea } from '../../markup/scroll-area.js';
import { TableHead } from '../../markup/table-head.js';
import { exploredWords } from '../../wording/explored.js';
import { capital, count } from '../../wording/format.js';
import { grouped } from '../../wording/grouped.js';
import { StoryView } from './story.js';
import { Text } from './text.js';
import { IdLink } from './untested.js';

/** What was searched beyond the suites' requests: what showed, and what was tried, so that nothing found says of what. */
export function Explored({ explored }: { readonly explored: ExploredResults }): VNode {
  const kinds = [...grouped(explored.classes, ({ kind }) => kind)];
  return (
    <section id="explored">
      <h2>Found by exploring</h2>
      <p class="lead">{capital(exploredWords(explored))}. The same seed tries the same on the same target.</p>
      {explored.stories.map(({ requirement, message, ...story }) => (
        <div class="finding">
          <h4>
            <IdLink id={requirement} /> <Text>{message}</Text>
          </h4>
          <StoryView story={story} />
        </div>
      ))}
      <h3>What was tried</h3>
      <ScrollArea label="What exploring tried">
        <table class="observations">
          <TableHead columns={['Kind', 'Class', 'Tried', 'Served']} />
          <tbody>
            {kinds.map(([kind, members]) =>
              members.map(({ class: name, tried, served }, at) => (
                <tr class={at === 0 ? 'first' : undefined}>
                  {at === 0 && (
                    <th scope="rowgroup" rowspan={members.length}>
                      {capital(kind)}
                    </th>
                  )}
                  <td>{name}</td>
                  <td>{count(tried)}</td>
                  <td>{count(served)}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </ScrollArea>
    </section>
  );
}
