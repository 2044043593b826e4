import { essence, type Finding } from '../findings/finding.js';
import type { OperationName } from '../contract/types.js';
import type { Exchange } from '../exchange/types.js';
import type { Journal } from '../log/journal.js';
import type { ViolationCount } from '../log/capacity-record.js';

/** Records the first violation of each kind in full, and counts the rest. */
export interface ViolationBook {
  /** @param exchange returns the response that shows it; called only for the first of a kind */
  take(finding: Finding, operation: OperationName, exchange: () => Exchange): void;
  /** Returns the violations of the phase that ends, by kind; the next phase starts at 0. */
  ofPhase(): readonly ViolationCount[];
}

/** Most kinds: beyond it, violations are counted by requirement, so that a target cannot fill the disk. */
const MOST_KINDS = 100;

/** Opens a book that writes into a journal. */
export function violationBook(journal: Journal): ViolationBook {
  const first = new Map<string, ViolationCount>();
  let counts = new Map<string, number>();
  return {
    take(finding, operation, exchange) {
      if (finding.kind !== 'violated') return;
      const { requirement } = finding;
      const exact = `${requirement} ${operation} ${essence(finding)}`;
      const kind = first.has(exact) || first.size < MOST_KINDS ? exact : `${requirement} ${operation}`;
      if (!first.has(kind)) {
        const shown = exchange();
        first.set(kind, { requirement, operation, message: finding.message, exchange: shown.id, count: 0 });
        journal.append({ type: 'exchange', exchange: shown, kept: [] });
        const others = finding.exchanges.filter((id) => id !== shown.id && id !== '');
        journal.append({ type: 'finding', finding: { ...finding, exchanges: [shown.id, ...others] } });
      }
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    },
    ofPhase() {
      const all = [...counts].flatMap(([kind, count]) => {
        const known = first.get(kind);
        return known ? [{ ...known, count }] : [];
      });
      counts = new Map();
      return all;
    },
  };
}
