import { answerHeader, statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { missingHeaders } from '../limits/headers/header-faults.js';
import { bodyOf, hasErrorMembers, isOutgrown, KEY_REFUSED, statusBreak } from './layers.js';
import { sampleOf } from './rate-headers.js';

/** Distinguishes a response of a gateway, such as a firewall, from the service's own. */

/** Start of an HTML page, after blanks, a byte order mark and comments. */
const HTML = /^\uFEFF?\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/is;

export function isPage(exchange: Exchange): boolean {
  const { answer } = exchange;
  if (answer.kind === 'none') return false;
  return HTML.test(answer.text) || (isForReading(exchange) && bodyOf(exchange) === undefined);
}

const isForReading = (exchange: Exchange): boolean =>
  /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(answerHeader(exchange, 'content-type') ?? '');

/** True if a response has none of the three rate headers, which every response of the service has. */
function isBare(exchange: Exchange): boolean {
  const sample = sampleOf(exchange);
  return sample !== null && missingHeaders(sample).length === 3;
}

/** True for a status code that refuses nothing, or that a service returns at its limit or after a fault. */
const isOfAnother = (status: number): boolean => status === 304 || status === 429 || status >= 500;

/**
 * Is true if a response may be a gateway's refusal of the whole run. Either it refuses a valid key, or it
 * looks unlike the service although an earlier response did not. Only an immediate control request can prove
 * it.
 */
export function mayBeBlocked(exchange: Exchange, earlier: Exchange): boolean {
  const { answer, intent } = exchange;
  if (answer.kind === 'none' || isOfAnother(answer.status) || isOutgrown(exchange)) return false;
  const isStrange = isBare(exchange) && !isBare(earlier);
  // The interface leaves other status codes open here.
  if (intent.kind === 'open') return isStrange && KEY_REFUSED.includes(answer.status);
  if (answer.status < 300) return isStrange && isPage(exchange);
  if (statusBreak(exchange) === null) return isStrange && !hasErrorMembers(exchange);
  return answer.status === 401 || answer.status === 403 || isStrange || !hasErrorMembers(exchange);
}

/** Is true if a control that succeeded before is now refused in the same way. */
export const isBlockedAlike = (exchange: Exchange, control: Exchange): boolean =>
  statusOf(exchange) === statusOf(control) && (isPage(control) || !isServed(control));

export const isServed = (exchange: Exchange): boolean => {
  const status = statusOf(exchange);
  return status !== null && status < 300 && !isPage(exchange);
};
