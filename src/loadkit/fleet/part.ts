import { sum } from '../../base/kernel/format.js';
import type { Finding } from '../../judge/findings/finding.js';
import type { PreflightFacts } from '../../log/record.js';
import type { RunLog } from '../../log/run-log.js';

/** One part of a run: its log, and the name of its worker or agent. */
export interface Part {
  readonly name: string;
  readonly log: RunLog;
}

/** Returns the id of a part's exchange in the whole: its own and the part's number, counted from 1. */
export const idInWhole = (id: string, part: number): string => (id === '' ? id : `${id}-${part}`);

export function findingInWhole(finding: Finding, part: number): Finding {
  const named = (ids: readonly string[]): readonly string[] => ids.map((id) => idInWhole(id, part));
  if (!('exchanges' in finding)) return finding;
  const exchanges = named(finding.exchanges);
  if (finding.kind !== 'violated' || !finding.story) return { ...finding, exchanges };
  return { ...finding, exchanges, story: { ...finding.story, exchanges: named(finding.story.exchanges) } };
}

export function preflightOfAll(logs: readonly RunLog[]): PreflightFacts | null {
  const all = logs.flatMap(({ preflight }) => preflight ?? []);
  const [first] = all;
  if (!first) return null;
  return {
    ...first,
    plannedRequests: sum(all, ({ plannedRequests }) => plannedRequests),
    remarks: [...new Set(all.flatMap(({ remarks }) => remarks))],
  };
}

/** Returns the end of the last part; null if none has an end. */
export const finishOfAll = (logs: readonly RunLog[]): string | null =>
  logs
    .flatMap(({ footer }) => footer?.finishedAt ?? [])
    .toSorted()
    .at(-1) ?? null;

/** Reason why a part is incomplete, in words that follow its name; null if it is complete. */
export function whyOpen({ footer }: RunLog): string | null {
  if (footer === null) return 'has a log without an end';
  if (footer.obstacle) return `did not start: ${footer.obstacle.short}`;
  return footer.complete ? null : `was cut short: ${footer.reason ?? 'no reason given'}`;
}
