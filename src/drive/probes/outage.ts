import type { Finding } from '../../judge/findings/finding.js';
import { isOfOutage } from '../../wire/exchange/gateway.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { undecided, type Unjudgeable } from './unjudgeable.js';

/**
 * Outages of a run that say nothing about the server: a deployment restarts it, and another may follow. A
 * server that is unavailable more often fails now and then, and its responses are judged.
 */
const MOST_OUTAGES = 2;

/**
 * Keeps account of the times in which the target, or a gateway in front of it, is unavailable (502, 503,
 * 504).
 */
export function createOutage() {
  let outages = 0;
  let isLasting = false;
  let isDown = false;
  const excused = new Map<Exchange, readonly Finding[]>();
  const mayJudge = (exchange: Exchange): boolean => !isOfOutage(exchange) || outages >= MOST_OUTAGES;
  return {
    isOfOutage,
    /** True unless the run waits the response out. */
    mayJudge,
    /** True if the target stayed unavailable through all waits: a further response is final. */
    isLasting: (): boolean => isLasting,
    /** True while the target is unavailable to every request. */
    isDown: (): boolean => isDown,
    /** Returns the findings of a response without those about its status, which `own` returns. */
    without(exchange: Exchange, findings: readonly Finding[]): readonly Finding[] {
      if (mayJudge(exchange)) return findings;
      const own = findings.filter(({ requirement }) => requirement === 'declared-status');
      excused.set(exchange, own);
      return findings.filter((finding) => !own.includes(finding));
    },
    /** Returns the findings about the status of a response that was no outage. */
    own: (exchange: Exchange): readonly Finding[] => excused.get(exchange) ?? [],
    note(first: Exchange, last: Exchange, waits: number): void {
      if (isOfOutage(first) && !isDown) outages += 1;
      if (isOfOutage(last)) isLasting ||= waits > 0;
      else if (isDown) [isDown, isLasting] = [false, false];
    },
    /** Begins an outage for all requests, and returns the error for this one. */
    begin(exchange: Exchange): Unjudgeable {
      isDown = true;
      return undecided(
        'unavailable',
        `the target returned ${statusOf(exchange)} to every request, also after the waits of a good client`,
      );
    },
  };
}
