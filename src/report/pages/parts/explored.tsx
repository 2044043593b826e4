import type { ExploredResults } from '../../../outcome/results/part-shapes.js';
import type { PageInput } from '../input.js';
import { CommandLine, Fold, IdLink } from '../markup/lists.js';
import { Table } from '../markup/table.js';
import { exploredClause, kindsTried } from '../../../outcome/words/explored.js';
import { StoryView } from './finding.js';
import { Text } from './text.js';
import { capital, count, counted, grouped, listedUpTo } from '../../../base/kernel/format.js';
import { AMOUNTS } from '../../amounts.js';

/**
 * Result of exploring beyond the suites' requests: findings, and what was tried, to show what a clean result
 * covers.
 */
export const Explored = ({
  explored,
  document: { results },
  curlOf,
}: PageInput & { readonly explored: ExploredResults }) => (
  <section id="explored">
    <h2>Found by exploring</h2>
    <p class="lead">
      {capital(exploredClause(explored))}. The same seed sends the same requests to the same target.
    </p>
    {explored.stories.map(({ requirement, message, ...story }) => (
      <div class="finding">
        <h4>
          <IdLink id={requirement} /> <Text>{message}</Text>
        </h4>
        <StoryView story={story} />
        <CurlLines
          lines={story.exchanges.flatMap((id) =>
            results.exchanges.filter((each) => each.id === id).map(curlOf),
          )}
        />
      </div>
    ))}
    <h3>Tested classes</h3>
    <Table
      label="Tested classes by kind"
      class="dense tried"
      columns={['Kind', 'Classes', 'Times', 'Accepted', ['Not tested', 'left wide']]}
      rows={kindsTried(explored.classes).map(({ kind, classes, tried, times, served, left }) => [
        capital(kind),
        tried === classes ? `all ${count(classes)}` : `${count(tried)} of ${count(classes)}`,
        count(times),
        count(served),
        tried === 0 ? counted(classes, 'class', 'classes') : listedUpTo(left, AMOUNTS.page.leftOutClasses),
      ])}
    />
    <Fold title="Each class, with figures">
      <Table
        label="Tested classes"
        class="dense tried"
        columns={['Class', 'Times', 'Accepted']}
        rows={[...grouped(explored.classes, ({ kind }) => kind)].flatMap(([kind, members]) => [
          { class: 'kind', cells: [<th colspan={3}>{capital(kind)}</th>] },
          ...members.map(({ class: name, tried, served }) => [name, count(tried), count(served)]),
        ])}
      />
    </Fold>
  </section>
);

function CurlLines({ lines }: { readonly lines: readonly string[] }) {
  const once = lines.filter((line, at) => line !== lines[at - 1]);
  if (once.length === 0 || once.length > AMOUNTS.page.curlLines) return null;
  return (
    <Fold title={once.length === 1 ? 'As a curl line' : 'As curl lines'}>
      {once.map((line) => (
        <CommandLine text={line} what="curl" />
      ))}
    </Fold>
  );
}
