import { statusOf } from '../exchange/headers.js';
import { isObject, member } from '../contract/json.js';
import type { Exchange } from '../exchange/types.js';
import { bodyOf } from './layers.js';

/** The values of `code` that a target uses in its Error bodies, by status; one exchange stands for each. */
export function codesByStatus(
  exchanges: readonly Exchange[],
): readonly { readonly status: number; readonly codes: readonly string[]; readonly exchanges: readonly Exchange[] }[] {
  const found = new Map<number, Map<string, Exchange>>();
  for (const exchange of exchanges) {
    const status = statusOf(exchange);
    const body = bodyOf(exchange);
    const code = isObject(body) ? member(body, 'code') : undefined;
    if (status === null || status < 400 || typeof code !== 'string') continue;
    const codes = found.get(status) ?? new Map<string, Exchange>();
    if (!codes.has(code)) codes.set(code, exchange);
    found.set(status, codes);
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => ({ status, codes: [...codes.keys()], exchanges: [...codes.values()] }));
}
