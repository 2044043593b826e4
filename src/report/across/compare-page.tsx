import { capital, counted, moment } from '../wording/format.js';
import { outcomeWords, VERDICT_LABELS } from '../wording/outcomes.js';
import { clip, visible } from '../wording/visible.js';
import { ScrollArea } from '../markup/scroll-area.js';
import { TableHead } from '../markup/table-head.js';
import { CHANGE_KINDS, CHANGE_LABELS } from '../wording/changes.js';
import type { Change, ChangeKind } from '../wording/changes.js';
import { comparisonSentence } from './compare-sentence.js';
import type { CapacityComparison } from './compare-capacity.js';
import type { ComparedRun, Comparison } from './compare.js';
import { renderPage } from './page-shell.js';

/** More of a value than this nobody reads in a table; all of it stands in results.json. */
const LONGEST_VALUE = 2_000;

/** Two runs held against each other, as an HTML page. Pure. */
export function comparisonPage(comparison: Comparison): string {
  const { against, run, changes, unchanged, remarks, capacity } = comparison;
  const sentence = visible(comparisonSentence(comparison));
  return renderPage(
    sentence,
    <>
      <h1>{sentence}</h1>
      <ScrollArea label="The two runs">
        <table>
          <tbody>
            <Run label="Before" run={against} />
            <Run label="Now" run={run} />
          </tbody>
        </table>
      </ScrollArea>
      {remarks.length > 0 && (
        <ul>
          {remarks.map((remark) => (
            <li key={remark}>{visible(remark)}</li>
          ))}
        </ul>
      )}
      {CHANGE_KINDS.map((kind) => (
        <Changes key={kind} kind={kind} changes={changes.filter((change) => change.kind === kind)} />
      ))}
      {capacity ? (
        <Capacity comparison={capacity} />
      ) : (
        <p class="quiet">{counted(unchanged, 'requirement')} came out alike.</p>
      )}
    </>,
  );
}

/** Two load runs side by side. */
const Capacity = ({ comparison: { figures, thresholds } }: { readonly comparison: CapacityComparison }) => (
  <>
    {thresholds.length > 0 && (
      <section>
        <h2>Thresholds that came out otherwise</h2>
        <ScrollArea label="Thresholds">
          <table class="changes">
            <TableHead columns={['Threshold', 'Before', 'Now']} />
            <tbody>
              {thresholds.map(({ text, before, after, isNewlyMissed }) => (
                <tr key={text}>
                  <th scope="row">{visible(text)}</th>
                  <td>{before}</td>
                  <td class={isNewlyMissed ? 'failed' : ''}>{after}</td>
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
        <table>
          <TableHead columns={['Phase', 'Figure', ['Before', 'number'], ['Now', 'number'], ['Change', 'number']]} />
          <tbody>
            {figures.map(({ phase, figure, before, after, change }, at) => (
              <tr key={`${phase} ${figure}`}>
                <th scope="row">{at > 0 && figures[at - 1]?.phase === phase ? '' : visible(phase)}</th>
                <td>{figure}</td>
                <td class="number">{before}</td>
                <td class="number">{after}</td>
                <td class="number">{change}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </section>
  </>
);

const Run = ({ label, run }: { readonly label: string; readonly run: ComparedRun }) => (
  <tr>
    <th scope="row">{label}</th>
    <td>{visible(run.name)}</td>
    <td>{moment(run.startedAt)}</td>
    <td>
      {VERDICT_LABELS[run.verdict]}
      {run.complete ? '' : ', cut short'}
    </td>
  </tr>
);

/** The outcome that a kind's heading is coloured as. */
const COLOURS: Readonly<Record<ChangeKind, string>> = {
  'newly-failing': 'failed',
  'newly-warned': 'warned',
  'newly-untested': 'inconclusive',
  'newly-passing': 'passed',
  'newly-tested': 'passed',
  'outcome-changed': 'observed',
  'observation-changed': 'observed',
};

const Changes = ({ kind, changes }: { readonly kind: ChangeKind; readonly changes: readonly Change[] }) =>
  changes.length === 0 ? null : (
    <section>
      <h2 class={COLOURS[kind]}>
        {capital(CHANGE_LABELS[kind])} ({changes.length})
      </h2>
      <ScrollArea label={capital(CHANGE_LABELS[kind])}>
        <table class="changes">
          <TableHead columns={['Requirement', 'Before', 'Now']} />
          <tbody>
            {changes.map(({ id, before, after }) => (
              <tr key={id}>
                <th scope="row">{visible(id)}</th>
                <Value kind={kind} text={before} />
                <Value kind={kind} text={after} />
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </section>
  );

/** An observed value is the target's; an outcome is said in the words of the other pages. */
const Value = ({ kind, text }: { readonly kind: ChangeKind; readonly text: string }) =>
  kind === 'observation-changed' ? (
    <td class="value">{visible(clip(text, LONGEST_VALUE))}</td>
  ) : (
    <td>{outcomeWords(text)}</td>
  );
