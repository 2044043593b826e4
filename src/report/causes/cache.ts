import { statusOf, rateHeader } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Results } from '../../outcome/results/results.js';
import type { LikelyCause } from './likely-cause.js';

/** Fewest paths that show a cache: a single one may be a constant counter. */
const FEWEST_PATHS = 2;

/** Returns a value that no two responses of a counting service share. */
function stamp(exchange: Exchange): string | null {
  const remaining = rateHeader(exchange, 'remaining');
  const reset = rateHeader(exchange, 'reset');
  if (exchange.request.method !== 'GET' || statusOf(exchange) !== 200 || remaining === null || reset === null)
    return null;
  return `${exchange.request.path} ${remaining} ${reset}`;
}

/**
 * Returns the cache in front of a service, where responses reveal it: requests without a valid key get the
 * same Remaining and Reset as the key's own requests, on several paths. null without one.
 */
export function cacheBefore({
  requirements,
  exchanges,
}: Pick<Results, 'requirements' | 'exchanges'>): LikelyCause | null {
  const stamps = exchanges.map(stamp);
  const first = new Map<string, Exchange>();
  const repeated = exchanges.filter((exchange, at) => {
    const own = stamps[at] ?? null;
    const known = own === null ? undefined : first.get(own);
    if (own !== null && !known && exchange.credential.kind === 'valid') first.set(own, exchange);
    return known !== undefined;
  });
  const countsSeen = new Set(
    repeated
      .filter(({ credential }) => credential.kind !== 'valid')
      .map((one) => rateHeader(one, 'remaining')),
  );
  if (countsSeen.size < FEWEST_PATHS) return null;
  const ids = new Set(repeated.map(({ id }) => id));
  const rows = requirements.filter(
    ({ outcome, findings }) =>
      outcome === 'failed' && findings.some((finding) => finding.exchanges.some((id) => ids.has(id))),
  );
  return {
    name: 'cache-before-service',
    title: 'A cache in front of the service repeats its responses, with Remaining and Reset, for any key.',
    rows: rows.map(({ id }) => id),
  };
}
