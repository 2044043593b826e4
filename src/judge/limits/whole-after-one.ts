import { RATE_HEADERS } from '../../base/interface/rate-headers.js';
import { count } from '../../base/kernel/format.js';
import type { KeyRun } from './key-run.js';
import { leftBy, wasServed } from './sample.js';
import { seen, type Shown } from './shown.js';

/**
 * Finds a Remaining that does not count the request that it answers: as much is left as the plan has, for
 * each request that finds all. A server that takes its time may name what came back meanwhile, and a step may
 * come while it answers, but rarely.
 */
export function wholeAfterOne({ all, figures, limit, name, perMs }: KeyRun): Shown | null {
  const lefts = all
    .filter((one) => wasServed(one) && (one.answeredAt - one.sentAt) * perMs < 1)
    .flatMap((one) => leftBy(one, figures) ?? []);
  const [left, ...more] = lefts.filter((one) => one >= limit);
  const once = lefts.filter((one) => one === limit - 1).length;
  if (left === undefined || 1 + more.length < once) return null;
  const actual = `${RATE_HEADERS.remaining}: ${count(left)}`;
  const detail = {
    expected: `${RATE_HEADERS.remaining}: ${count(limit - 1)} after the first request`,
    actual,
    measured: { most: limit - 1, got: left, what: ['whole'] },
  };
  const message = `${name}'s Remaining does not count the first request.`;
  return seen(1 + more.length, message, detail);
}
