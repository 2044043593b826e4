import type { RequirementId } from '../../contract/types.js';
import type { Flaw } from '../../reference/index.js';
import type { Server } from './servers.js';

/** One member that hides another, with the mechanism. */
export interface Hiding {
  /** The flaws that are not to be seen. */
  readonly flaws: readonly string[];
  /** The members beside which they are not. */
  readonly beside: readonly string[];
  /** The rows that pass. */
  readonly rows: readonly RequirementId[];
  /** Why, as a sentence. */
  readonly reason: string;
}

/** What the walk cannot derive. */
export const HIDINGS: readonly Hiding[] = [];

/** Whether another member of a server is declared to hide a flaw from all of these rows. */
export const declaredHidden = (server: Server, flaw: Flaw, rows: readonly RequirementId[]): boolean =>
  rows.length > 0 &&
  rows.every((row) =>
    HIDINGS.some(
      (hiding) =>
        hiding.flaws.includes(flaw.name) &&
        hiding.rows.includes(row) &&
        [...server.flaws, ...server.variants].some((name) => name !== flaw.name && hiding.beside.includes(name)),
    ),
  );
