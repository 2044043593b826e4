import { OF_A_GATEWAY } from '../../wire/exchange/gateway.js';
import type { RequirementId } from '../../base/interface/types.js';
import { removalPhaseAt } from '../../base/interface/removal-phase.js';
import { FULL_WINDOWS, loadPlans, planOfMinute } from '../../base/interface/plans.js';
import { answerHeader, header, statusOf } from '../../wire/exchange/headers.js';
import {
  shownExchange,
  spanOf,
  wholeText,
  type ClientExchange,
  type Traffic,
} from '../../wire/exchange/client-exchange.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { kept, untried, violated } from '../findings/finding.js';
import type { Figures } from '../limits/bounds.js';
import { headerNumber, plainInteger, RATE_FIELDS } from '../../base/interface/rate-headers.js';
import { parseHttpDate } from '../../base/interface/retry-after.js';
import { judgeAnswer } from '../checks/judge-answer.js';
import { hasErrorMembers, type Judging } from '../checks/layers.js';
import { knownPage } from '../checks/listing-asked.js';
import { rowOfFilter } from '../checks/judge-listing.js';
import { onlyWithStatus, petsOf } from '../checks/listing.js';
import { BODY_ROWS, softenedFor } from '../checks/passive.js';
import { animalsOf, rowOfLimit } from '../checks/pets.js';
import { isSuccess } from '../../base/interface/success.js';
import { answers } from '../checks/status.js';
import { newWorld } from '../world/world.js';
import { readRequest } from '../clients/as-read.js';
import {
  expectedWithKey,
  expectedWithoutKey,
  expectedWithUnsureKey,
  soundnessFor,
  type Expectation,
} from './intent.js';
import type { KnownAnimals } from './known-animals.js';
import { hasRetryAfter, isError } from './refusals.js';
import { HEADER_ROWS, onBasePath } from './rows.js';
import { byTheWire, hasAllHeaders } from './recorders.js';
import type { Shown } from './tally.js';

/** Returns whether the service itself got the request, and answered it. */
export const isOfService = ({ origin, byProxy }: ClientExchange): boolean =>
  origin === undefined && byProxy !== true;

/** All that a record shows apart from the exchange at hand. */
export interface Known {
  readonly animals: KnownAnimals;
  /** True if a valid creation succeeded: then a refused one was refused for its fault (rule 1 of the ledger). */
  readonly hasCreated: boolean;
}

/** What was known when the exchange came. */
export interface Before {
  readonly animals: KnownAnimals;
  /** False if the key was served, and met no 429: then it is not banned. */
  readonly mayBeBanned: boolean;
}

/** Rows about the deprecated operation, which end with its removal. */
const GET_ROWS: readonly RequirementId[] = ['get-ok'];

const NOT_MODIFIED = 304;
const FORBIDDEN = 403;
const REFUSED = 429;

/**
 * How a request is read: with a key, certainly without any, or with one in another place, so that nothing
 * shows whether it had to be served.
 */
export type Manner = 'with key' | 'without key' | 'unsure of a key';

/**
 * Returns what one exchange shows of the service's rows, read in a manner. Pure.
 *
 * Why it cannot be wrong in the server's disfavour: what the request may expect is decided from the request;
 * what the record lacks is not judged; a status that a gateway, a ban or a cache explains is not judged at
 * all.
 */
export function judgeExchange(
  recorded: ClientExchange,
  facts: Pick<Traffic, 'source' | 'basePath' | 'graceMs'>,
  { animals, mayBeBanned }: Before,
  judging: Judging,
  manner: Manner,
): readonly Shown<Known>[] {
  const { answer } = recorded;
  const read = readRequest(recorded, facts);
  const { operation } = read.target;
  if (operation === null || !isOfService(recorded) || answer.kind === 'none') return [];
  const { status, headers } = answer;
  if (status === NOT_MODIFIED) return [];
  if (OF_A_GATEWAY.includes(status))
    return [untriedStatus(`responses with ${status}, which a gateway may have sent`)];
  const isServed = removalPhaseAt(judging.contract.removalDate, momentOf(recorded)) === 'before';
  const id = read.id === null ? null : String(read.id);
  const isKnown = animals.has(id);
  const expected = ((): Expectation => {
    switch (manner) {
      case 'with key':
        return expectedWithKey(recorded, operation, read, { isKnown, isServed });
      case 'without key':
        return { intent: expectedWithoutKey(operation, status) };
      case 'unsure of a key':
        return expectedWithUnsureKey(operation);
    }
  })();
  const exchange = asJudged(recorded, facts, expected, manner);
  if (status === FORBIDDEN && !(manner === 'without key' && hasErrorMembers(exchange)))
    return [untriedStatus('responses with 403, which a ban or a firewall may have sent')];
  const has = {
    headers: facts.source !== 'har' || hasAllHeaders(headers),
    body: wholeText(answer.body) !== null,
  };
  const shown = [
    ...judged(exchange, { ...expected, id }, { judging, has, source: facts.source }),
    ...(manner === 'without key'
      ? ofMissingKey(exchange, soundnessFor(recorded, read.remarks) === 'sound', status)
      : []),
    ...(expected.refusedBy ? ofFaultyCreation(exchange, expected.refusedBy) : []),
    ...(status === REFUSED ? ofRefusal(exchange, mayBeBanned, has, judging) : []),
    ...(isSuccess(status) ? [onBasePath(exchange, facts.basePath)] : []),
  ];
  const soften = softenedFor([operation], judging.contract);
  return shown
    .filter(({ row }) => isServed || !GET_ROWS.includes(row))
    .filter(({ row }) => manner !== 'unsure of a key' || row !== 'declared-status')
    .map((each) => ({ ...each, judgement: soften({ ...each.judgement, requirement: each.row }) }));
}

const untriedStatus = (what: string): Shown<Known> => ({ row: 'declared-status', judgement: untried(what) });

function asJudged(
  recorded: ClientExchange,
  facts: Pick<Traffic, 'basePath'>,
  { intent }: Expectation,
  manner: Manner,
): Exchange {
  const exchange = shownExchange(recorded, facts);
  const { key } = recorded.credential;
  const plan = key.kind === 'plan' ? key.plan : 'free';
  const { answer } = exchange;
  // Some recorders keep the mark that a decoder takes off.
  const isMarked = answer.kind === 'response' && answer.text.startsWith('\uFEFF');
  return {
    ...exchange,
    intent,
    // Which plan it is plays no part here: the checks ask whether the service served the request as one with a key.
    credential: manner === 'with key' ? { kind: 'valid', plan } : { kind: 'none' },
    answer: isMarked ? { ...answer, text: answer.text.slice(1), marked: true } : answer,
  };
}

interface Reading {
  readonly judging: Judging;
  readonly has: { readonly headers: boolean; readonly body: boolean };
  readonly source: Traffic['source'];
}

function judged(
  exchange: Exchange,
  { sent, intent, id }: Expectation & { readonly id: string | null },
  { judging, has, source }: Reading,
): readonly Shown<Known>[] {
  const elsewhere = new Set([...(has.headers ? [] : HEADER_ROWS), ...(has.body ? [] : BODY_ROWS)]);
  const context = { ...judging, rates: figuresOf(exchange) };
  const {
    kept: passed,
    held,
    findings,
  } = judgeAnswer(exchange, { sent, id }, newWorld(judging), context, elsewhere);
  const isAsExpected = intent.kind === 'expects' && intent.statuses.includes(statusOf(exchange) ?? 0);
  const ofStatus = isAsExpected ? STATUS_ROWS.filter((row) => row === intent.chargedTo) : [];
  const isRead = has.body && has.headers;
  const hasAnimals = isRead && animalsOf(exchange).length > 0;
  return [
    ...findings
      .filter(
        (finding) => isRead || (finding.requirement !== 'pet-int64' && !MEANING.has(finding.requirement)),
      )
      .flatMap(({ requirement, ...judgement }) => byTheWire({ row: requirement, judgement }, sent, source)),
    ...[...passed, ...ofStatus].map((row) => ({ row, judgement: kept([exchange]) })),
    ...held
      .filter((row) => hasAnimals && row !== 'pet-id-unique')
      .map((row) => ({ row, judgement: kept([exchange]) })),
    ...(isRead ? ofListing(exchange, judging) : []),
  ];
}

/** Rows that the status code keeps; `get-ok` also needs the requested animal. */
const STATUS_ROWS: readonly RequirementId[] = ['list-ok', 'create-ok'];

/** Rows that compare the animals of a response with its request. */
const MEANING: ReadonlySet<RequirementId> = new Set<RequirementId>([
  'pet-id-unique',
  'created-pet-echo',
  'list-limit-max-items',
  'list-limit-default',
  'list-status-filter',
  'list-filter-with-limit',
]);

/** A listing keeps its limit and its filter only where animals were seen that it could have returned too many. */
function ofListing(exchange: Exchange, judging: Judging): readonly Shown<Known>[] {
  const page =
    exchange.credential.kind === 'valid' && statusOf(exchange) === 200 ? knownPage(exchange, judging) : null;
  if (!page?.reading.ok || exchange.intent.kind === 'open') return [];
  const { limit, isDefault, status } = page;
  const pets = petsOf(page);
  const judgement = kept([exchange]);
  const isFiltered = status !== undefined;
  const isPure = !isFiltered || onlyWithStatus(status, page).kind === 'kept';
  const others = ({ animals }: Known): boolean => status === undefined || animals.countOthers(status) > 0;
  const filterRow = rowOfFilter(page, judging);
  const limitRow = rowOfLimit(isDefault, isFiltered);
  return [
    ...(pets.length > 1 && new Set(pets.map(({ id }) => id)).size === pets.length
      ? [{ row: 'pet-id-unique' as const, judgement }]
      : []),
    ...(pets.length <= limit && isPure
      ? [
          {
            row: limitRow,
            judgement,
            onlyIf: (known: Known) => known.animals.count(status) > limit && others(known),
          },
        ]
      : []),
    ...(isFiltered && isPure && pets.length > 0 && filterRow !== limitRow
      ? [{ row: filterRow, judgement, onlyIf: others }]
      : []),
  ];
}

/** Part 5: a request without a key gets 401. Whether other faults come first is another row's. */
function ofMissingKey(exchange: Exchange, isSound: boolean, status: number): readonly Shown<Known>[] {
  const row = 'auth-missing-key';
  if (status === 401) return [{ row, judgement: kept([exchange]) }];
  const isServed = isSuccess(status);
  const isOtherwise = isSound && ((status >= 300 && status < 400) || status === FORBIDDEN || status >= 500);
  if (!isServed && !isOtherwise) return [];
  const message = `“${exchange.probe}” without a key got ${status}`;
  return [{ row, judgement: violated([exchange], message, { expected: '401', actual: String(status) }) }];
}

function ofFaultyCreation(exchange: Exchange, row: RequirementId): readonly Shown<Known>[] {
  const judgement = answers(row, exchange);
  return [
    { row, judgement, ...(judgement.kind === 'kept' && { onlyIf: ({ hasCreated }: Known) => hasCreated }) },
  ];
}

function ofRefusal(
  refusal: Exchange,
  mayBeBanned: boolean,
  has: Reading['has'],
  judging: Judging,
): readonly Shown<Known>[] {
  const [retryAfter, date] = [answerHeader(refusal, 'retry-after'), answerHeader(refusal, 'date')];
  const wait = has.headers ? hasRetryAfter({ retryAfter, date }, mayBeBanned, [refusal]) : null;
  return [
    ...(wait ? [{ row: 'rate-retry-after-present' as const, judgement: wait }] : []),
    ...(has.body ? [{ row: 'rate-429-error-body' as const, judgement: isError(refusal, judging) }] : []),
  ];
}

/**
 * Returns the figures of the plan that a response's Limit names; where it names none, its window may be the
 * longest.
 */
function figuresOf({ answer }: Exchange): Figures {
  const limit =
    answer.kind === 'response' ? plainInteger(headerNumber(header(answer.headers, RATE_FIELDS.limit))) : null;
  const { perMinute, perDay } = planOfMinute(limit, loadPlans()) ?? { perMinute: 0, perDay: limit ?? 0 };
  return { perMinute, perDay, minuteSeconds: FULL_WINDOWS.minute, daySeconds: FULL_WINDOWS.day };
}

/**
 * Returns the moment of an exchange, Unix ms: by the record, else by the response's Date; 0 if neither shows
 * it.
 */
const momentOf = (exchange: ClientExchange): number =>
  spanOf(exchange.times)?.from ?? parseHttpDate(answerHeader(exchange, 'date') ?? '') ?? 0;
