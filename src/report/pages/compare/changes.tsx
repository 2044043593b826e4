import type { VNode } from 'preact';
import type { Outcome } from '../../../verdict/verdict.js';
import { FindingView } from '../parts/finding.js';
import { Glyph } from '../parts/glyph.js';
import { Text } from '../parts/text.js';
import { ScrollTable } from '../markup/scroll-table.js';
import { CHANGE_LABELS, type Change, type ChangeKind } from '../../../words/changes.js';
import { capital, counted } from '../../../format/format.js';
import { sideLine, sideWords } from '../../../words/compare-details.js';
import type { BothSides, Comparison } from '../../../acceptance/compare.js';
import type { Places } from '../places.js';

/** Outcome whose glyph and colour a kind's heading uses. */
const GLYPHS: Readonly<Record<ChangeKind, Outcome>> = {
  'newly-failing': 'failed',
  'first-failing': 'failed',
  'newly-warned': 'warned',
  'newly-open': 'inconclusive',
  'newly-untested': 'not-applicable',
  'newly-passing': 'passed',
  'newly-tested': 'passed',
  'outcome-changed': 'observed',
  'observation-changed': 'observed',
};

/** Text below a heading that needs explanation. */
const LEADS: Readonly<Partial<Record<ChangeKind, string>>> = {
  'newly-open': 'In scope, but this run could not determine them. Another run may.',
  'newly-untested': 'Out of scope of this run, or impossible to test on this target.',
  'observation-changed': 'The interface leaves these open. A change is no fault, but may affect clients.',
};

interface KindProps {
  readonly kind: ChangeKind;
  readonly changes: readonly Change[];
  readonly sides: Comparison['sides'];
  readonly places: Places;
}

export function KindOfChange({ kind, changes, sides, places }: KindProps): VNode | null {
  const all = changes.flatMap(({ id }) => sides.get(id) ?? []);
  if (all.length === 0) return null;
  const glyph = GLYPHS[kind];
  const heading = `${capital(CHANGE_LABELS[kind])} (${changes.length})`;
  return (
    <section>
      <h2 class={`ink-${glyph}`}>{heading}</h2>
      {LEADS[kind] && <p class="lead">{LEADS[kind]}</p>}
      {WHOLE.has(kind) ? (
        all.map((both) => <Block both={both} glyph={glyph} places={places} />)
      ) : (
        <ScrollTable label={heading} class="pair" columns={['Requirement', 'Before', 'Now']}>
          <tbody>
            {all.flatMap((both) =>
              kind === 'observation-changed' ? (
                <Observed both={both} places={places} />
              ) : (
                <tr>
                  <th scope="row">
                    <Id both={both} place={places.after} />
                  </th>
                  <td>
                    <Text longest={LONGEST_LINE}>{sideLine(both.before)}</Text>
                  </td>
                  <td>
                    <Text longest={LONGEST_LINE}>{sideLine(both.after)}</Text>
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </ScrollTable>
      )}
    </section>
  );
}

/** Kinds that show both runs with expected and actual. */
const WHOLE: ReadonlySet<ChangeKind> = new Set<ChangeKind>(['newly-failing', 'first-failing', 'newly-warned']);

const LONGEST_LINE = 300;

/** Longest value in a table; results.json has all of it. */
const LONGEST_VALUE = 2_000;

const Observed = ({ both, places }: { readonly both: BothSides; readonly places: Places }): VNode => (
  <>
    {both.observed.map(({ subject, before, after }) => (
      <tr>
        <th scope="row">
          <Id both={both} place={places.after} />
          {subject !== '' && (
            <div class="note">
              <Text longest={LONGEST_LINE}>{subject}</Text>
            </div>
          )}
        </th>
        <ObservedCell value={before} />
        <ObservedCell value={after} />
      </tr>
    ))}
  </>
);

const ObservedCell = ({ value }: { readonly value: string | null }): VNode =>
  value === null ? (
    <td class="note">not seen</td>
  ) : (
    <td class="value">
      <Text longest={LONGEST_VALUE}>{value}</Text>
    </td>
  );

/** A requirement's id, linked to its card where a report is known. */
const Id = ({ both: { id }, place }: { readonly both: BothSides; readonly place: string | null }): VNode =>
  place === null ? (
    <span class="id">
      <Text>{id}</Text>
    </span>
  ) : (
    <a class="id" href={`${place}#${encodeURIComponent(id)}`}>
      <Text>{id}</Text>
    </a>
  );

/** One requirement, both runs next to each other. */
export const Block = ({
  both,
  glyph,
  places,
}: {
  readonly both: BothSides;
  readonly glyph: Outcome;
  readonly places: Places;
}): VNode => (
  <div class="change">
    <h3 class={`o-${glyph}`}>
      <Glyph outcome={glyph} />
      <Id both={both} place={places.after} />
    </h3>
    <p class="statement">
      <Text>{both.statement}</Text>
    </p>
    <div class="sides2">
      <Side label="Before" id={both.id} result={both.before} place={places.before} />
      <Side label="Now" id={both.id} result={both.after} place={places.after} />
    </div>
  </div>
);

function Side({
  label,
  id,
  result,
  place,
}: {
  readonly label: string;
  readonly id: string;
  readonly result: BothSides['before'];
  readonly place: string | null;
}): VNode {
  const { state, reason, findings, left } = sideWords(result);
  return (
    <div>
      <h4>
        {label}
        {place !== null && result !== null && (
          <>
            {', '}
            <a href={`${place}#${encodeURIComponent(id)}`}>its card</a>
          </>
        )}
      </h4>
      <p>
        <span class={`state${result ? ` ink-${result.outcome}` : ''}`}>{state}</span>
        {reason !== '' && (
          <>
            {': '}
            <Text longest={LONGEST_LINE}>{reason}</Text>
          </>
        )}
      </p>
      {findings.map((finding) => (
        <FindingView finding={finding} fault={result?.outcome === 'error'} />
      ))}
      {left > 0 && <p class="note">and {counted(left, 'more finding')} in its report</p>}
    </div>
  );
}
