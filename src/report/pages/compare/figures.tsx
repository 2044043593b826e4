import type { VNode } from 'preact';
import { Text } from '../parts/text.js';
import { ScrollTable } from '../markup/scroll-table.js';
import type { CapacityComparison } from '../../../acceptance/compare-capacity.js';

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
        <ScrollTable label="Thresholds" class="pair" columns={['Threshold', 'Before', 'Now']}>
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
        </ScrollTable>
      </section>
    )}
    <section>
      <h2>Figures side by side</h2>
      <ScrollTable label="Figures" class="dense" columns={['Phase', ['Figure', 'left'], 'Before', 'Now', 'Change']}>
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
      </ScrollTable>
    </section>
  </>
);
