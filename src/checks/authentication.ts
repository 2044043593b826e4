import { answerHeader, statusOf } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import { kept, unestablished, violated, type Judgement } from '../findings/finding.js';
import { blockedWords, hasErrorMembers, statusBreak } from './layers.js';
import { prerequisite } from './pets.js';

const KEY_REFUSED: readonly (number | null)[] = [401, 403];

/** Part 5: a valid key is not refused; whatever else the answer is belongs to other rows. */
export function notRefusedForItsKey(exchange: Exchange): Judgement {
  const status = statusOf(exchange);
  if (exchange.blockedAfter !== undefined)
    return violated([exchange], blockedWords(exchange.blockedAfter), {
      expected: 'an answer of the service',
      actual: String(status),
    });
  if (KEY_REFUSED.includes(status))
    return violated([exchange], refusalWords(exchange), {
      expected: 'neither 401 nor 403',
      actual: String(status),
    });
  const broken = statusBreak(exchange);
  return broken && broken.charged === null ? prerequisite(broken, exchange) : kept([exchange]);
}

/** A service refuses with an Error. What refuses otherwise may look at anything but the key. */
const refusalWords = (exchange: Exchange): string =>
  hasErrorMembers(exchange)
    ? `“${exchange.probe}” with a valid key was refused`
    : `“${exchange.probe}” was refused without an Error: a firewall in front of the service answers like this`;

/**
 * Part 5: the requests with a valid key that were refused for it. The rows that sent them cannot be judged, and the
 * refusal is not theirs.
 */
export const refusedForTheirKey = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter((exchange) => statusBreak(exchange)?.charged === 'auth-valid-key');

/** RFC 9110 section 15.5.2: a 401 carries a challenge. Judged on every 401 there is. */
export function challenged(exchanges: readonly Exchange[]): readonly Judgement[] {
  const refusals = exchanges.filter((exchange) => exchange.operation !== null && statusOf(exchange) === 401);
  if (refusals.length === 0) return [unestablished('prerequisite', 'no request was answered 401')];
  const bare = refusals.filter((exchange) => answerHeader(exchange, 'www-authenticate') === null);
  const [first] = bare;
  if (!first) return [kept(refusals)];
  return [
    violated(bare.slice(0, 1), `${bare.length} of ${refusals.length} answers of 401 carry no challenge`, {
      expected: 'a WWW-Authenticate header',
      actual: 'none',
    }),
  ];
}
