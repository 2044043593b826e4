import type { Results } from '../../verdict/results.js';
import { counted } from '../../format/format.js';

type Accepted = NonNullable<Results['accepted']>[number];

/** “1 deviation accepted until 2027-01-31”; of several the first day is said on which one ends. Empty where none is. */
export function acceptedWords({ accepted = [] }: Pick<Results, 'accepted'>): string {
  const [first] = accepted.map(({ expires }) => expires).toSorted();
  if (first === undefined) return '';
  return `${counted(accepted.length, 'deviation')} accepted${accepted.length > 1 ? ', the first' : ''} until ${first}`;
}

/** One accepted deviation with all that was agreed on. */
export const agreement = ({ reason, link, expires }: Accepted): string =>
  `accepted until ${expires}: ${reason} (${link})`;

/** Whether all that stands between a run and the verdict conformant is accepted. */
export const isAccepted = ({ accepted = [], complete, requirements }: Results): boolean => {
  const ids = new Set(accepted.map(({ requirement }) => requirement));
  return (
    complete &&
    ids.size > 0 &&
    requirements.every(
      ({ id, level, outcome }) =>
        outcome !== 'error' &&
        (ids.has(id) || (outcome !== 'failed' && (outcome !== 'inconclusive' || level !== 'must'))),
    )
  );
};
