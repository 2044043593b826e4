import type { VNode } from 'preact';
import { Text } from '../html/parts/text.js';
import { ScrollArea } from '../markup/scroll-area.js';
import { TableHead } from '../markup/table-head.js';
import type { CapacityComparison } from './compare-capacity.js';

/** Two load runs side by side. */
export const CompareFigures = ({
  comparison: { figures, thresholds },
}: {
  readonly comparison: CapacityComparison;
}): VNode => (
  <>
    {thresholds.length > 0 && (
      <section>
        <h2>Thresholds that came out otherwise ({thresholds.length})</h2>
        <ScrollArea label="Thresholds">
          <table class="pair">
            <TableHead columns={['Threshold', 'Before', 'Now']} />
            <tbody>
              {thresholds.map(({ text, before, after, isNewlyMissed }) => (
                <tr>
                  <th scope="row">
                    <Text longest={200}>{text}</Text>
                  </th>
                  <td>{before}</td>
                  <td class={isNewlyMissed ? 'ink-failed' : undefined}>{after}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      </section>
    )}
    <section>
      <h2>Figures side by side</h2>
      <ScrollArea label="Figures">
        <table class="dense">
          <TableHead columns={['Phase', ['Figure', 'left'], 'Before', 'Now', 'Change']} />
          <tbody>
            {figures.map(({ phase, figure, before, after, change }, at) => (
              <tr>
                <th scope="row">
                  {at > 0 && figures[at - 1]?.phase === phase ? '' : <Text longest={120}>{phase}</Text>}
                </th>
                <td class="left">{figure}</td>
                <td>{before}</td>
                <td>{after}</td>
                <td>{change}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </section>
  </>
);
