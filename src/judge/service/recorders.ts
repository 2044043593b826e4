import { isRoundedEdge } from '../../base/kernel/json.js';
import { RATE_FIELDS } from '../../base/interface/rate-headers.js';
import type { NewPet } from '../../base/interface/types.js';
import type { Traffic } from '../../wire/exchange/client-exchange.js';
import { isMask } from '../../wire/exchange/mask.js';
import { isOfMember } from '../checks/changed-value.js';
import { BEYOND_DOUBLE } from '../checks/rounded-ids.js';
import { untried } from '../findings/finding.js';
import type { Shown } from './tally.js';

/**
 * Leaves out what a recorder may have done to a body: many write JSON anew, and lose digits, or decode a text
 * by the wrong character set. At our own proxy the bytes are those of the wire.
 */
export function byTheWire<Known>(
  shown: Shown<Known>,
  sent: NewPet | undefined,
  source: Traffic['source'],
): readonly Shown<Known>[] {
  const { row, judgement } = shown;
  if (source !== 'har' || judgement.kind !== 'violated') return [shown];
  const what = judgement.measured?.what ?? [];
  if (row === 'pet-int64' && (!what.includes('range') || isRoundedEdge(judgement.actual ?? '')))
    return [{ row, judgement: untried('digits beyond 2^53 (a recorder may round them)') }];
  if (row === 'pet-id-unique' && what.includes(BEYOND_DOUBLE))
    return [{ row, judgement: untried('ids beyond 2^53 (a recorder may round them)') }];
  if (
    row === 'created-pet-echo' &&
    what.some((each) => isOfMember(each, 'name')) &&
    UNSURE_NAME.test(`${sent?.name}${judgement.actual}`)
  )
    return [
      {
        row,
        judgement: untried('names that a recorder may have removed or decoded wrongly (not only ASCII)'),
      },
    ];
  return [shown];
}

/** Names with other letters than ASCII, and what recorders write in the place of names. */
const UNSURE_NAME = /[^\x20-\x7E]|\*{3}|redacted|removed|masked|filtered/i;

/**
 * Headers that a script in a browser sees of a response of another origin without being allowed more (Fetch,
 * 4.7).
 */
const SAFELISTED =
  /^(cache-control|content-language|content-length|content-type|expires|last-modified|pragma)$/i;

/**
 * Returns whether a record holds a response's headers. Recorders inside a page see only some, and others
 * remove values.
 */
export const hasAllHeaders = (headers: readonly (readonly [string, string])[]): boolean =>
  headers.some(([name]) => !SAFELISTED.test(name)) &&
  !headers.some(([name, value]) => JUDGED.has(name.toLowerCase()) && isMask(value));

/** Headers that the service's rows read. */
const JUDGED: ReadonlySet<string> = new Set([
  'content-type',
  'date',
  'retry-after',
  ...Object.values(RATE_FIELDS),
]);
