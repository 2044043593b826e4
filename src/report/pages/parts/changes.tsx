import type { VNode } from 'preact';
import { CHANGE_KINDS, CHANGE_LABELS, type Change, type ChangeKind } from '../../../words/changes.js';
import type { Comparison } from '../input.js';
import { VERDICT_LABELS } from '../../../words/outcomes.js';
import { Text } from './text.js';
import { IdLink } from './untested.js';
import { counted, moment, grouped } from '../../../format/format.js';

/** Most requirements named per kind; more are counted. */
const MOST_NAMED = 6;

/** Changes since the run of the comparison. */
export function Changes({ comparison }: { readonly comparison: Comparison }): VNode {
  const { against, changes } = comparison;
  const kinds = grouped(changes, ({ kind }) => kind);
  return (
    <section>
      <h2>Changed</h2>
      <p>
        Compared with <Text longest={120}>{against.name}</Text> of <Text>{moment(against.startedAt)}</Text>{' '}
        <span class="note">({VERDICT_LABELS[against.verdict].toLowerCase()})</span>
        {changes.length === 0 ? ': nothing.' : ':'}
      </p>
      {changes.length > 0 && (
        <ul class="reasons">
          {CHANGE_KINDS.flatMap((kind) => {
            const members = kinds.get(kind);
            return members ? [<KindOfChange kind={kind} changes={members} />] : [];
          })}
        </ul>
      )}
      {(comparison.remarks ?? []).map((remark) => (
        <p class="note">
          <Text>{remark}</Text>
        </p>
      ))}
    </section>
  );
}

function KindOfChange({ kind, changes }: { readonly kind: ChangeKind; readonly changes: readonly Change[] }): VNode {
  return (
    <li class={kind === 'newly-failing' || kind === 'first-failing' ? 'ink-failed' : undefined}>
      {CHANGE_LABELS[kind]}:{' '}
      {changes.slice(0, MOST_NAMED).map(({ id }, index) => (
        <>
          {index > 0 && ', '}
          <IdLink id={id} />
        </>
      ))}
      {changes.length > MOST_NAMED && ` and ${counted(changes.length - MOST_NAMED, 'other')}`}
    </li>
  );
}
