import type { Exchange } from '../../wire/exchange/types.js';
import { count } from '../../base/kernel/format.js';
import { violated, type Judged } from '../findings/finding.js';
import { plainInteger } from '../../base/interface/rate-headers.js';
import { wasServed, type Sample } from '../limits/sample.js';
import { inSeries, isInUsualForm, isOfService, sampleOf } from './rate-headers.js';

/** Fewest requests of the usual form before: a limiter that is nearly full shows no difference. */
const LEAST_USED = 3;

/** Remaining of a served request, with its Limit; null without both. */
function leftIn(sample: Sample | null): { readonly left: number; readonly limit: number } | null {
  if (sample === null || !wasServed(sample)) return null;
  const [left, limit] = [plainInteger(sample.remaining), plainInteger(sample.limit)];
  return left === null || limit === null ? null : { left, limit };
}

/**
 * Finds requests whose spelling of the scheme has its own allowance, as at a gateway that counts by the raw
 * header: one finds the whole allowance while the usual form goes on counting. The key's limit then holds
 * once for each spelling. The interface does not say how a key is counted, so it warns.
 *
 * @param exchanges in order of sending
 */
export function ownAllowance(exchanges: readonly Exchange[]): Judged {
  return exchanges.flatMap((exchange, at) => {
    if (exchange.credential.kind !== 'valid' || isInUsualForm(exchange) || !isOfService(exchange)) return [];
    const odd = leftIn(sampleOf(exchange));
    const earlier = exchanges.slice(0, at).toReversed().filter(isUsual);
    const later = exchanges.slice(at + 1).filter(isUsual);
    const before = leftIn(firstServed(earlier));
    const after = leftIn(firstServed(later));
    if (odd === null || before === null || after === null) return [];
    const isWhole = odd.left === odd.limit - 1 && odd.limit === before.limit && odd.limit === after.limit;
    const between = placeOfServed(earlier) + placeOfServed(later);
    const goesOn = before.left < before.limit - LEAST_USED && after.left <= before.left - between;
    // One counter whose window restarted in between has counted no more than the requests since then.
    const isRestarted = after.left >= odd.left - countedUntilServed(exchanges.slice(at + 1));
    if (!isWhole || !goesOn || isRestarted) return [];
    const scheme = schemeOf(exchange);
    const usual = `${count(before.left)} before and ${count(after.left)} after with “Bearer”`;
    const found = violated([exchange], `requests with “${scheme}” have an allowance of their own`, {
      expected: 'one allowance for a key, in whatever letter case its scheme is',
      actual: `“${scheme}” has its own allowance: ${count(odd.left)} of ${count(odd.limit)} left, ${usual}`,
    });
    return [found.kind === 'violated' ? { ...found, warns: true } : found];
  });
}

const isUsual = (exchange: Exchange): boolean =>
  exchange.credential.kind === 'valid' && isInUsualForm(exchange);

const isServed = (exchange: Exchange): boolean => wasServed(inSeries(exchange));

const firstServed = (exchanges: readonly Exchange[]): Sample | null => {
  const found = exchanges.find(isServed);
  return found === undefined ? null : inSeries(found);
};

/** Number of requests before the first with a served response. */
const placeOfServed = (exchanges: readonly Exchange[]): number => Math.max(0, exchanges.findIndex(isServed));

/** Number of requests with a valid key, in any form, up to the first of the usual form with a served response. */
function countedUntilServed(exchanges: readonly Exchange[]): number {
  const end = exchanges.findIndex((exchange) => isUsual(exchange) && isServed(exchange));
  return exchanges.slice(0, end + 1).filter(({ credential }) => credential.kind === 'valid').length;
}

const schemeOf = ({ request }: Exchange): string =>
  request.headers.find(([name]) => name === 'Authorization')?.[1].split(' ', 1)[0] ?? '';
