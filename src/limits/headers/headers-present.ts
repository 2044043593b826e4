import { together, wasRefused, type Sample, type Fold } from '../sample.js';
import { missingHeaders } from './header-faults.js';
import { headerForm } from './headers-wellformed.js';
import { limitValues } from './limit-value.js';
import type { Figures } from '../bounds.js';
import { subject } from '../series.js';
import { unestablished, kept, violated, type Judged } from '../../findings/finding.js';
import { counted } from '../../format/format.js';
import type { KeyName } from '../../contract/names.js';

/** Collects facts from every response that a key got, for the requirements on every response. */
export const everyAnswer = (figures: Figures) =>
  together({ presence, form: headerForm(figures), limits: limitValues(figures), refusals: refusalsIn });

/** All 429 responses. They are few: no profile continues for long after one. */
const refusalsIn: Fold<readonly Sample[]> = {
  none: [],
  with: (seen, sample) => (wasRefused(sample) ? [...seen, sample] : seen),
};

/** Status of a ban. Part 8 does not say what headers a ban has. */
const BANNED = 403;

/** Number of responses with all rate headers, and the headers that others lack. */
export interface Presence {
  readonly answers: number;
  readonly incomplete: number;
  /** Statuses of responses that lack a header, ascending. */
  readonly statuses: readonly number[];
  /** Headers that the first of them lacks. */
  readonly missing: readonly string[];
}

/** Looks at every response, whatever its status: part 8 makes no exception. */
const presence: Fold<Presence> = {
  none: { answers: 0, incomplete: 0, statuses: [], missing: [] },
  with(seen, sample) {
    if (sample.status === 0 || sample.status === BANNED) return seen;
    const answers = seen.answers + 1;
    const missing = missingHeaders(sample);
    if (missing.length === 0) return { ...seen, answers };
    return {
      answers,
      incomplete: seen.incomplete + 1,
      statuses: [...new Set([...seen.statuses, sample.status])].sort((one, other) => one - other),
      missing: seen.incomplete === 0 ? missing : seen.missing,
    };
  },
};

/** Judges `rate-headers-present` on all responses to one key. */
export function headersPresent(key: KeyName, { answers, incomplete, statuses, missing }: Presence): Judged {
  if (answers === 0) return unestablished('too-little-data', `${subject(key)} got no response.`);
  if (incomplete === 0) return kept([], `All three rate headers are present on ${counted(answers, 'response')}.`);
  return violated([], `${subject(key)} got responses without rate headers.`, {
    expected: 'X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset on every response',
    actual: `${counted(incomplete, 'response')} of ${answers} (status ${statuses.join(', ')}) without ${missing.join(', ')}`,
    measured: { what: [...missing, incomplete === answers ? 'all' : 'some'] },
  });
}
