import { counted, listed } from '../../base/kernel/format.js';
import type { RunLog } from '../../log/run-log.js';
import { isOfOutage } from '../../wire/exchange/gateway.js';
import { statusOf } from '../../wire/exchange/headers.js';

/** Returns the responses of a target that was unavailable for a time, which no row was charged with. */
export function waitedOut({ exchanges, findings }: RunLog): string | null {
  const charged = new Set(
    findings.flatMap((finding) => (finding.kind === 'violated' ? finding.exchanges : [])),
  );
  const left = exchanges.filter((exchange) => isOfOutage(exchange) && !charged.has(exchange.id));
  if (left.length === 0) return null;
  const statuses = [...new Set(left.map((exchange) => String(statusOf(exchange))))].toSorted();
  return `${counted(left.length, 'response')} with ${listed(statuses)}`;
}

export function waitedOutWords(log: RunLog): readonly string[] {
  const what = log.header.scope.sides ? null : waitedOut(log);
  return what === null ? [] : [`the target was unavailable for a time: the run waited after ${what}`];
}
