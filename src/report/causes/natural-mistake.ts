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

/** Returns the rule that every finding of the row has a deciding response, and all of these are so. */
export const all =
  (text: (seen: Seen) => string, holds: (exchange: Exchange) => boolean): Natural['sentence'] =>
  (seen) =>
    seen.responses.length === seen.findings && every(seen.responses, holds) ? text(seen) : null;

/** Text of a response's body; empty without a response. */
export const bodyText = ({ answer }: Exchange): string => (answer.kind === 'response' ? answer.text : '');

/** “(3 seen)”. */
export const seenWords = ({ responses }: Seen): string => `(${responses.length} seen)`;
