import type { ClientExchange } from '../../wire/exchange/client-exchange.js';
import { judgedAs, recordOf, refused } from './traffic.test.support.js';

/** Returns one request refused again after each wait, ms. */
export const chain = (waits: readonly number[], retryAfter = '1'): readonly ClientExchange[] => {
  let at = 0;
  return [0, ...waits].map((wait) => refused(retryAfter, [(at += wait), at]));
};

export const judged = (waits: readonly number[], given: Parameters<typeof recordOf>[1] = {}) =>
  judgedAs('client-backoff', recordOf(chain(waits), given));
