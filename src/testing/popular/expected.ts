import type { ClientRow } from '../../base/interface/requirement-ids.js';

/**
 * Rows that each library breaks with its defaults, and why: what its source says. All read JSON with doubles,
 * so all break `client-int64`.
 */
export const EXPECTED: Readonly<
  Record<string, { readonly breaks: readonly ClientRow[]; readonly because: string }>
> = {
  // lib/handler/retry-handler.js: the wait is Retry-After if there is one, and the backoff only without it.
  'undici, RetryAgent': {
    breaks: ['client-int64', 'client-backoff'],
    because: 'adds nothing to Retry-After',
  },
  'undici, retry interceptor': {
    breaks: ['client-int64', 'client-backoff'],
    because: 'adds nothing to Retry-After',
  },
  // dist/source/core/calculate-retry-delay.js: Retry-After if there is one; two retries.
  got: { breaks: ['client-int64'], because: 'gives up after two retries' },
  // distribution/core/Ky.js: Retry-After if there is one; two retries.
  ky: { breaks: ['client-int64'], because: 'gives up after two retries' },
  // es/index.mjs: noDelay is the larger of 0 and Retry-After; three retries, 429 among the retryable statuses.
  'axios-retry': { breaks: ['client-int64'], because: 'gives up after three retries' },
  // build/src/index.js: Retry-After if there is one; three retries.
  'retry-axios': { breaks: ['client-int64'], because: 'gives up after three retries' },
  // dist: retryDelay is 0 and Retry-After is not read; one retry, none for creations.
  ofetch: { breaks: ['client-int64', 'client-waits'], because: 'retries immediately, one time' },
  // index.js: 1, 2, 4 s, whatever the error was.
  'p-retry': {
    breaks: ['client-int64', 'client-waits'],
    because: 'waits 1, 2, 4 s and knows no Retry-After',
  },
  // lib/request-base.js: no wait between retries.
  superagent: {
    breaks: ['client-int64', 'client-waits', 'client-does-not-hammer'],
    because: 'retries immediately, three times',
  },
  // build/cjs/src/retry.js: 0.1 s, then 0.5, 1.5 s; Retry-After is not read. Redirects are node-fetch's.
  gaxios: {
    breaks: ['client-int64', 'client-waits', 'client-does-not-hammer', 'client-key-stays'],
    because: 'waits 0.1, 0.5, 1.5 s and does not read Retry-After; sends the key to another port',
  },
  // The wait is what the listener returns.
  bottleneck: {
    breaks: ['client-int64', 'client-waits'],
    because: 'waits as long as its listener says: 25 ms, one time',
  },
  // src/index.js: Authorization is dropped for another host name, and another port is the same host name.
  'node-fetch': {
    breaks: ['client-int64', 'client-key-stays'],
    because: 'does not try again; sends the key to another port',
  },
};
