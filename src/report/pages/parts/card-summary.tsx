import type { VNode } from 'preact';
import { CHANGE_LABELS } from '../../../words/changes.js';
import { counted } from '../../../format/format.js';
import { shownOutcome } from '../../../words/accepted.js';
import { outcomeWordsOf, partlyText } from '../../../words/partly.js';
import { reasonText } from '../../../words/reasons.js';
import type { Card } from '../model/cards.js';
import { Glyph } from './glyph.js';
import { Text } from './text.js';

/** The folded card: one line for what passed, the first finding under it for what did not. */
export function Summary({ card: { row, result, evidence, flaws, change } }: { readonly card: Card }): VNode {
  const message = result.findings[0]?.message ?? null;
  const words = outcomeWordsOf(result);
  const value = result.observed?.[0];
  return (
    <summary>
      <Glyph outcome={shownOutcome(result)} />
      <span class="title">
        <span class="id">{row.id}</span> <span class="unseen">{`, ${words}. `}</span>
        {row.level !== 'must' && <span class="level">{row.level}</span>}
      </span>
      <span class="gist">
        {message !== null ? (
          <>
            {result.acceptedUntil !== undefined && `accepted until ${result.acceptedUntil}: `}
            <Text longest={240}>{message}</Text>
          </>
        ) : result.outcome === 'inconclusive' || result.outcome === 'not-applicable' ? (
          <>
            {words}: <Text longest={240}>{reasonText(result)}</Text>
          </>
        ) : result.outcome === 'observed' && value ? (
          <Text longest={160}>{value.subject ? `${value.subject}: ${value.value}` : value.value}</Text>
        ) : result.partly ? (
          <>
            {words}; not tested: <Text longest={240}>{partlyText(result)}</Text>
          </>
        ) : (
          row.statement
        )}
      </span>
      <span class="stands-on">
        {change && <span class="level change">{CHANGE_LABELS[change.kind]}</span>}{' '}
        {result.outcome === 'passed' && (
          <>
            <Text longest={120}>{evidence || 'held'}</Text>
            {flaws.length > 0 && <span class="note"> · catches {counted(flaws.length, 'flaw')}</span>}
          </>
        )}
      </span>
    </summary>
  );
}
