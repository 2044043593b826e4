import { observed, type Judged } from '../findings/finding.js';
import { counted } from '../../base/kernel/format.js';
import type { BanSeries } from './series.js';
import { ASKED, byBan } from './ban.js';
import { overText, type Ban } from './ban-seen.js';

/** Judges `ban-observed`: after how many refusals a ban came, with which status and body, and for how long. */
export const banObserved = byBan(asObserved, true);

function asObserved({ began, end, refusals }: Ban, { lastBody }: BanSeries): Judged {
  const body = lastBody?.trim() || 'no body';
  const after = `Banned after ${counted(refusals, 'refused request')}`;
  return observed([], `${after}: status ${began.status} with ${body}, ${overText(end, began)}.`, ASKED);
}
