import type { Finding } from '../findings/finding.js';
import type { RequirementResult } from './results.js';

/** Name of a request in a sentence. */
const QUOTED = /“([^”]+)”/g;
/** Row that blocks another, as a reason names it: see `blockedBy`. */
const BLOCKED_BY = /^blocked by ([a-z][a-z0-9-]+):/i;

const quotedIn = (text: string): readonly string[] => [...text.matchAll(QUOTED)].flatMap(([, name]) => name ?? []);

/**
 * Adds to each inconclusive row the failed rows that block it: the row that its reason names, or the rows that the same
 * request violated.
 */
export function withBlocked(
  requirements: readonly RequirementResult[],
  findings: readonly Finding[],
): readonly RequirementResult[] {
  const broken = requirements.filter(({ outcome }) => outcome === 'failed');
  const open = new Set<string>(requirements.flatMap(({ id, outcome }) => (outcome === 'inconclusive' ? [id] : [])));
  const brokenBy = broken.map(({ id, findings: own }) => ({
    id,
    exchanges: new Set(own.flatMap(({ exchanges }) => exchanges)),
    requests: new Set(own.flatMap(({ message }) => quotedIn(message))),
  }));
  return requirements.map((row) => {
    if (row.outcome !== 'inconclusive' || row.reason?.code !== 'prerequisite') return row;
    const { text } = row.reason;
    const named = BLOCKED_BY.exec(text)?.[1];
    // A blocking row that is inconclusive itself does not count.
    if (named !== undefined && open.has(named))
      return {
        ...row,
        reason: { code: 'prerequisite', text: `it depends on ${named}, which could not be determined` },
      };
    const [request] = quotedIn(text);
    const stoodOn = findings.flatMap((finding) =>
      finding.kind === 'inconclusive' && finding.requirement === row.id ? finding.exchanges : [],
    );
    const by = brokenBy.some(({ id }) => id === named)
      ? brokenBy.filter(({ id }) => id === named)
      : brokenBy.filter(
          ({ exchanges, requests }) =>
            stoodOn.some((id) => exchanges.has(id)) || (request !== undefined && requests.has(request)),
        );
    // The first in the interface's order leads.
    return by.length === 0 ? row : { ...row, heldUpBy: by.slice(0, 1).map(({ id }) => id) };
  });
}
