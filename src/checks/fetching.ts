import { statusOf } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import { kept, untried, violated, type Judgement } from '../findings/finding.js';
import type { Single } from './animals.js';
import { describe, statusBreak } from './layers.js';
import { animalsOf, prerequisite } from './pets.js';
import { answers, succeeded } from './status.js';

/** What a server says of an operation that it no longer has, or never had. */
export const asIfRemoved = (exchange: Exchange): boolean => {
  const status = statusOf(exchange);
  return status !== null && AS_IF_REMOVED.includes(status);
};

/** Redirects (RFC 9110 section 15.4; 304 is none), and refusals of a resource, a method or both. */
const AS_IF_REMOVED: readonly number[] = [300, 301, 302, 303, 307, 308, 404, 405, 410, 501];

/** Part 9: until its removal the deprecated operation keeps working. Other faults than its absence are `get-ok`'s. */
export function stillThere(exchange: Exchange): Judgement {
  if (asIfRemoved(exchange))
    return violated(
      [exchange],
      `“${exchange.probe}” was answered ${statusOf(exchange)} for an existing animal, as if the operation were removed`,
      { expected: '200 until the day of removal', actual: String(statusOf(exchange)) },
    );
  const broken = statusBreak(exchange);
  return broken ? prerequisite(broken, exchange) : kept([exchange]);
}

/** Part 9: once removed, the operation serves nothing; how it says so is free. */
export function gone(exchange: Exchange): Judgement {
  const broken = statusBreak(exchange);
  if (broken) return prerequisite(broken, exchange);
  return succeeded(exchange)
    ? violated([exchange], `“${exchange.probe}” was still served after the day of its removal`, {
        expected: 'no success',
        actual: String(statusOf(exchange)),
      })
    : kept([exchange]);
}

/**
 * Part 4: the animal that comes is the one that was asked for. An answer that is no Pet is judged elsewhere; of one that is
 * a Pet but for other members the id tells all the same.
 */
export function isTheOneAskedFor(id: string, { exchange, reading }: Single): Judgement {
  const pet = reading.ok ? reading.value : animalsOf(exchange)[0];
  if (pet?.id === id || (!reading.ok && !succeeded(exchange))) return kept([exchange]);
  if (!reading.ok && (pet?.id ?? null) === null)
    return untried(`whether “${exchange.probe}” gives the animal asked for (no id can be read)`);
  return violated([exchange], `“${exchange.probe}” gives another animal than the one asked for`, {
    expected: `id ${id}`,
    actual: `id ${describe(pet?.rawId)}`,
  });
}

/** Part 4: an existing id answers 200; that the operation is there at all is another row's affair. */
export function existingIsServed(exchange: Exchange): Judgement {
  if (asIfRemoved(exchange))
    return prerequisite(
      {
        layer: 'status',
        charged: 'get-until-removal',
        message: `the target answered ${statusOf(exchange)}, as if the operation were removed`,
        expected: '200',
        actual: String(statusOf(exchange)),
        returned: `${statusOf(exchange)}, as if the operation were removed`,
      },
      exchange,
    );
  return answers('get-ok', exchange);
}
