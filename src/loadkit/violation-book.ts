import type { OperationName } from '../base/interface/types.js';
import { essence, isWarning, type Finding } from '../judge/findings/finding.js';
import type { ViolationCount } from '../log/load-shapes.js';
import type { Journal } from '../log/journal.js';
import type { Exchange } from '../wire/exchange/types.js';

/** Most kinds: beyond it, violations are counted by requirement, so that a target cannot fill the disk. */
const MOST_KINDS = 100;

/**
 * Opens a book that writes the first violation of each kind into a journal in full, and counts the rest. A
 * warning is written too, so that its row warns, but no phase counts it.
 */
export function violationBook(journal: Journal) {
  const kinds = new Map<string, Omit<ViolationCount, 'count'> & { count: number; isWarning: boolean }>();
  return {
    /** @param exchange returns the response that shows it; called only for the first of a kind */
    take(finding: Finding, operation: OperationName, exchange: () => Exchange): void {
      if (finding.kind !== 'violated') return;
      const { requirement } = finding;
      const coarse = `${requirement} ${isWarning(finding) ? 'warns ' : ''}${operation}`;
      const exact = `${coarse} ${essence(finding)}`;
      const kind = kinds.has(exact) || kinds.size < MOST_KINDS ? exact : coarse;
      const known = kinds.get(kind);
      if (known) {
        known.count += 1;
        return;
      }
      const shown = exchange();
      const { message } = finding;
      kinds.set(kind, {
        requirement,
        operation,
        message,
        exchange: shown.id,
        count: 1,
        isWarning: isWarning(finding),
      });
      journal.append({ type: 'exchange', exchange: shown, kept: [] });
      const others = finding.exchanges.filter((id) => id !== shown.id && id !== '');
      journal.append({ type: 'finding', finding: { ...finding, exchanges: [shown.id, ...others] } });
    },
    /** Returns the violations of the phase that ends, by kind; the next phase starts at 0. */
    ofPhase(): readonly ViolationCount[] {
      const all = [...kinds.values()].flatMap(({ isWarning: isOnlyWarning, ...kind }) =>
        kind.count > 0 && !isOnlyWarning ? [kind] : [],
      );
      for (const kind of kinds.values()) kind.count = 0;
      return all;
    },
  };
}
