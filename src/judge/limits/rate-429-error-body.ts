import { kept, unestablished, violated, type Judged } from '../findings/finding.js';
import type { RefusalBody } from './series.js';
import { errorMembers } from '../../base/interface/resources.js';
import { count, counted } from '../../base/kernel/format.js';

/** Judges `rate-429-error-body`: a 429 should have an Error body, though no operation declares it. */
export function refusalBody(bodies: readonly RefusalBody[]): Judged {
  const seen = bodies.filter(({ error }) => error !== null);
  if (seen.length === 0) return unestablished('too-little-data', 'No body of a 429 was checked.');
  const bare = seen.filter(({ error }) => error === false);
  const [first] = bare;
  if (first === undefined) return kept([], `${counted(seen.length, '429 response')} had an Error body.`);
  return violated([], 'A 429 has no Error body.', {
    expected: `an Error body: ${errorMembers.join(', ')}`,
    actual: `none on ${count(bare.length)} of ${counted(seen.length, '429 response')} (${first.operation})`,
    measured: { what: [bare.length === seen.length ? 'all' : first.operation] },
  });
}
