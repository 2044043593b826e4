import { counted } from '../../base/kernel/format.js';
import { answerHeader, statusOf } from '../../wire/exchange/headers.js';
import { isObject, member } from '../../base/kernel/json.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { describe } from '../findings/describe.js';
import { bodyOf } from './layers.js';
import { petsOf, type Page } from './listing.js';

export const outcomeOf = (exchange: Exchange): string =>
  exchange.answer.kind === 'none'
    ? `no response (${exchange.answer.code})`
    : `returned ${statusOf(exchange)}`;

/** Describes the status of an animal created without one. */
export function statusGiven(exchange: Exchange): string {
  const body = bodyOf(exchange);
  return statusOf(exchange) === 201 && isObject(body)
    ? `status ${describe(member(body, 'status'))}`
    : outcomeOf(exchange);
}

export function memberKept(exchange: Exchange, name: string): string {
  const body = bodyOf(exchange);
  if (statusOf(exchange) !== 201 || !isObject(body)) return outcomeOf(exchange);
  return `${outcomeOf(exchange)}, the member was ${member(body, name) === undefined ? 'dropped' : 'kept'}`;
}

export function listingOutcome({ exchange, reading }: Page): string {
  if (reading.ok) return `returned 200 with ${counted(reading.value.length, 'animal')}`;
  const { layer, message } = reading.broken;
  return layer === 'media' || layer === 'shape' ? `${outcomeOf(exchange)}, ${message}` : outcomeOf(exchange);
}

export function valuesOf(exchange: Exchange, names: readonly string[]): string {
  const found = names.flatMap((name) => {
    const value = answerHeader(exchange, name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  return found.length > 0 ? found.join(', ') : `none of ${names.join(', ')}`;
}

export function orderOf(page: Page): string {
  if (!page.reading.ok) return listingOutcome(page);
  const ids = petsOf(page).flatMap(({ id }) => (id === null ? [] : [BigInt(id)]));
  const steps = ids.slice(1).map((id, at) => Number(id > (ids[at] ?? 0n)));
  if (steps.length === 0) return 'too few animals to see an order';
  if (steps.every((up) => up === 1)) return 'by id, ascending';
  return steps.every((up) => up === 0) ? 'by id, descending' : 'not by id';
}

/** Returns the values of `code` in a target's Error bodies, by status code, with one exchange for each. */
export function codesByStatus(exchanges: readonly Exchange[]): readonly {
  readonly status: number;
  readonly codes: readonly string[];
  readonly exchanges: readonly Exchange[];
}[] {
  const found = new Map<number, Map<string, Exchange>>();
  for (const exchange of exchanges) {
    const status = statusOf(exchange) ?? 0;
    const body = bodyOf(exchange);
    const code = isObject(body) ? member(body, 'code') : undefined;
    if (status < 400 || typeof code !== 'string') continue;
    const codes = found.get(status) ?? new Map<string, Exchange>();
    found.set(status, codes.set(code, codes.get(code) ?? exchange));
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => ({
      status,
      // Sorted, so that two runs that met them in another order have the same observation.
      codes: [...codes.keys()].toSorted(),
      exchanges: [...codes.values()],
    }));
}
