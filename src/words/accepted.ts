import type { RequirementResult, Results } from '../verdict/results.js';
import type { Outcome } from '../verdict/verdict.js';
import { counted } from '../format/format.js';

type Accepted = NonNullable<Results['accepted']>[number];
type Row = Pick<RequirementResult, 'outcome' | 'acceptedUntil'>;

/** “1 deviation accepted until 2027-01-31”, with the earliest day; empty without any. */
export function acceptedWords({ accepted = [] }: Pick<Results, 'accepted'>): string {
  const [first, ...later] = [...new Set(accepted.map(({ expires }) => expires))].toSorted();
  if (first === undefined) return '';
  return `${counted(accepted.length, 'deviation')} accepted${later.length > 0 ? ', the first' : ''} until ${first}`;
}

/** Returns the agreement on an accepted deviation. */
export const agreement = ({ reason, link, expires }: Accepted): string =>
  `accepted until ${expires}: ${reason} (${link})`;

/** Returns whether a row has an outcome that no baseline accepts. */
export const hasOutcome = ({ outcome, acceptedUntil }: Row, wanted: Outcome): boolean =>
  outcome === wanted && acceptedUntil === undefined;

/** Returns the outcome to display. An accepted deviation is not a failure to act on. */
export const shownOutcome = ({ outcome, acceptedUntil }: Row): Outcome =>
  acceptedUntil === undefined ? outcome : 'warned';

/** Returns whether a baseline accepts everything that prevents the verdict conformant. */
export const isAccepted = ({ complete, requirements }: Pick<Results, 'complete' | 'requirements'>): boolean =>
  complete &&
  requirements.some(({ acceptedUntil }) => acceptedUntil !== undefined) &&
  requirements.every(
    (row) =>
      !hasOutcome(row, 'error') &&
      !hasOutcome(row, 'failed') &&
      !(row.level === 'must' && hasOutcome(row, 'inconclusive')),
  );
