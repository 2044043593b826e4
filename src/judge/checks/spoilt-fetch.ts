import type { Exchange } from '../../wire/exchange/types.js';
import { about, type Finding } from '../findings/finding.js';
import { answers, asIfRemoved, succeeded } from './status.js';
import { statusBreak } from './layers.js';

/**
 * Judges a fetch by `get-ok` if the same fetch succeeded before: a cache may answer the second one wrongly
 * (flaw fetched-again-not-modified). Another client may have removed the animal, so a status code that says
 * so is judged elsewhere, and a server error is as well.
 */
export function judgeSpoiltFetch(before: Exchange, exchange: Exchange): readonly Finding[] {
  const { intent, answer } = exchange;
  if (intent.kind !== 'expects' || intent.chargedTo !== 'get-ok' || answer.kind === 'none') return [];
  if (!succeeded(before) || statusBreak(before) !== null) return [];
  if (answer.status >= 500 || asIfRemoved(exchange)) return [];
  const finding = about('get-ok', answers('get-ok', exchange));
  return finding.kind === 'violated' ? [finding] : [];
}
