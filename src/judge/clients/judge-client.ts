import type { ClientRow } from '../../base/interface/requirement-ids.js';
import type { Traffic } from '../../wire/exchange/client-exchange.js';
import { about, outOfScope, type Finding, type Judgement } from '../findings/finding.js';
import { backsOff } from './backoff.js';
import { digitsKept } from './int64.js';
import { avoidsDeprecated, keyIsBearer, keyStays, staysBelowBase } from './places.js';
import { requestsAreValid } from './requests.js';
import { doesNotHammer, waits } from './waiting.js';

interface Oracle {
  readonly judge: (traffic: Traffic) => readonly Judgement[];
  /** Reason why it is not shown, to follow "not shown:". */
  readonly missing: string;
}

/** The client's rows in the order of the ledger. */
const ORACLES: Readonly<Record<ClientRow, Oracle>> = {
  'client-bearer-key': { judge: keyIsBearer, missing: 'no request whose key the record holds' },
  'client-valid-request': {
    judge: requestsAreValid,
    missing: 'no request to a declared operation, with its body',
  },
  'client-int64': {
    judge: digitsKept,
    missing: 'no id or categoryId beyond 2^53 was received and sent back',
  },
  'client-waits': {
    judge: waits,
    missing: 'no 429 with a Retry-After after which the record shows the wait',
  },
  'client-backoff': {
    judge: backsOff,
    missing: 'no request with four waits that can be compared',
  },
  'client-does-not-hammer': { judge: doesNotHammer, missing: 'no 429 after which the record shows the wait' },
  'client-not-deprecated': { judge: avoidsDeprecated, missing: 'no request to the service' },
  'client-base-path': { judge: staysBelowBase, missing: 'no request with a key' },
  'client-key-stays': { judge: keyStays, missing: 'no redirect to another origin' },
};

/**
 * Judges a client by records of its traffic. Pure. Each record is judged apart, since keys, animals and waits
 * of one have nothing to do with another's. A row that no record shows is not applicable, with the reason.
 */
export const judgeClient = (
  records: readonly Traffic[],
  rows: readonly ClientRow[] = Object.keys(ORACLES) as ClientRow[],
): readonly Finding[] =>
  rows.flatMap((row) => {
    const { judge, missing } = ORACLES[row];
    const judgements = records.flatMap((record) => judge(record));
    const isShown = judgements.some(
      ({ kind }) => kind === 'kept' || kind === 'violated' || kind === 'inconclusive',
    );
    // What was only noticed shows nothing about the row.
    return (isShown ? judgements : [outOfScope('not-observed', missing)]).map((each) => about(row, each));
  });
