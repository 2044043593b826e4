import { counted } from '../../base/kernel/format.js';
import type { RequirementId } from '../../base/interface/types.js';
import { about, essence, kept, type Finding, type Judgement, type Violation } from '../findings/finding.js';
import { TRAFFIC_ROWS } from './rows.js';

/** What one exchange shows of one row. A row that is kept only on a condition waits for the end of the record. */
export interface Shown<Known> {
  readonly row: RequirementId;
  readonly judgement: Judgement;
  readonly onlyIf?: (known: Known) => boolean;
}

const MOST_NAMED = 3;

/** Collects what exchanges show. Equal violations are one finding with a count; all that kept a row are one. */
export function tallyOf<Known>() {
  const keptIn = new Map<RequirementId, string[]>();
  const violations = new Map<string, { readonly finding: Violation; ids: string[]; count: number }>();
  const untriedOf = new Map<string, Finding>();
  const waiting: Shown<Known>[] = [];

  const add = ({ row, judgement }: Shown<Known>): void => {
    const finding = about(row, judgement);
    if (!TRAFFIC_ROWS.has(row)) return;
    // All other kinds say what an earlier layer leaves unread. That shows nothing of this row.
    if (finding.kind === 'untried') untriedOf.set(`${row} ${finding.what}`, finding);
    if (finding.kind === 'kept') {
      const ids = keptIn.get(row) ?? [];
      ids.push(...finding.exchanges);
      keptIn.set(row, ids);
    }
    if (finding.kind === 'violated') {
      const name = `${row} ${essence(finding)} ${finding.expected ?? ''} ${finding.warns ?? ''}`;
      const found = violations.get(name) ?? { finding, ids: [], count: 0 };
      found.count += 1;
      if (found.ids.length < MOST_NAMED) found.ids = [...new Set([...found.ids, ...finding.exchanges])];
      violations.set(name, found);
    }
  };
  return {
    add: (shown: Shown<Known>): void => void (shown.onlyIf ? waiting.push(shown) : add(shown)),
    /** Returns the findings; conditions are asked now. */
    findings(known: Known): readonly Finding[] {
      for (const { onlyIf, ...shown } of waiting.splice(0)) if (onlyIf?.(known)) add(shown);
      return [
        ...[...violations.values()].map(({ finding, ids, count }) => ({
          ...finding,
          ...(count > 1 && { message: `${finding.message} (${counted(count, 'time')})` }),
          exchanges: ids,
        })),
        ...[...keptIn].map(([row, ids]) => about(row, kept(ids.map((id) => ({ id }))))),
        ...untriedOf.values(),
      ];
    },
  };
}
