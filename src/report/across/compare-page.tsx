import { capital, counted, moment } from '../wording/format.js';
import { outcomeWords, VERDICT_LABELS } from '../wording/outcomes.js';
import { clip, visible } from '../wording/visible.js';
import { ScrollArea } from '../markup/scroll-area.js';
import { TableHead } from '../markup/table-head.js';
import { CHANGE_KINDS, CHANGE_LABELS } from '../wording/changes.js';
import type { Change, ChangeKind } from '../wording/changes.js';
import { comparisonSentence } from './compare-sentence.js';
import type { ComparedRun, Comparison } from './compare.js';
import { renderPage } from './page-shell.js';

/** More of a value than this nobody reads in a table; all of it stands in results.json. */
const LONGEST_VALUE = 2_000;

/** Two runs held against each other, as an HTML page. Pure. */
export function comparisonPage(comparison: Comparison): string {
  const { against, run, changes, unchanged, remarks } = comparison;
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
      <p class="quiet">{counted(unchanged, 'requirement')} came out alike.</p>
    </>,
  );
}

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
