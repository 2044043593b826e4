import type { RequirementId } from '../../base/interface/types.js';
import type { Results } from '../../outcome/results/results.js';
import type { Measured } from '../../judge/findings/finding.js';
import type { Exchange } from '../../wire/exchange/types.js';

/**
 * What a rule sees of a red row: its findings' measured values, texts and deciding responses, and the run
 * around them.
 */
export interface Seen {
  readonly measured: readonly Measured[];
  readonly actual: readonly string[];
  readonly responses: readonly Exchange[];
  readonly findings: number;
  readonly run: Pick<Results, 'requirements'> & Partial<Pick<Results, 'load'>>;
}

/** A mistake that developers and frameworks make by default, and what of a red row gives it away. */
export interface Natural {
  readonly name: string;
  readonly rows: RegExp;
  /** Returns the mistake as a sentence with the amount measured; null where the row does not show it. */
  readonly sentence: (seen: Seen) => string | null;
}

/** Is true if there is something, and all of it is so. */
export const every = <Item>(items: readonly Item[], holds: (item: Item) => boolean): boolean =>
  items.length > 0 && items.every(holds);

/**
 * Returns the rule that every finding of the row has a deciding response, and all of these are so. Its
 * sentence counts them: “A creation gets 200 in place of 201 (3 seen).”
 *
 * @param words the sentence without that, or what makes it of the first response
 */
export const all =
  (
    holds: (exchange: Exchange) => boolean,
    words: string | ((first: Exchange) => string),
  ): Natural['sentence'] =>
  ({ responses, findings }) => {
    const [first] = responses;
    if (first === undefined || responses.length !== findings || !responses.every(holds)) return null;
    return `${typeof words === 'string' ? words : words(first)} (${responses.length} seen).`;
  };

/** Returns whether every finding of the row was measured, and all that was measured is so. */
export const allMeasured = ({ measured, findings }: Seen, holds: (one: Measured) => boolean): boolean =>
  measured.length === findings && every(measured, holds);

export const isRed = ({ run }: Pick<Seen, 'run'>, row: RequirementId): boolean =>
  run.requirements.some(({ id, outcome }) => id === row && outcome === 'failed');

/** Text of a response's body; empty without a response. */
export const bodyText = ({ answer }: Exchange): string => (answer.kind === 'response' ? answer.text : '');
