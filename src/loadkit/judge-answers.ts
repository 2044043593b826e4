import { judgeAnswer } from '../judge/checks/judge-answer.js';
import type { Judging } from '../judge/checks/layers.js';
import { animalsIn } from '../judge/checks/pets.js';
import { resident } from '../judge/world/animals.js';
import { matchingBeyond } from '../judge/world/matching-animals.js';
import { newWorld, type World } from '../judge/world/world.js';
import { isTaken, worldOf } from '../judge/world/world-after.js';
import { knownPage, petsOf, type Page } from '../judge/checks/listing.js';
import type { RequirementId, PlanName, OperationName } from '../base/interface/types.js';
import type { Answer, Exchange } from '../wire/exchange/types.js';
import type { Whole } from '../wire/one-connection.js';
import type { Journal } from '../log/journal.js';
import { keptCounts } from '../log/kept-counts.js';
import { responseOf } from '../drive/load/parallel.js';
import { recordedOf, type WireContext } from '../drive/load/requests.js';
import type { Figures } from '../judge/limits/bounds.js';
import type { ViolationCount } from '../log/load-shapes.js';
import { parseHttpDate, waitOf } from '../base/interface/retry-after.js';
import { isViolated, isWarning } from '../judge/findings/finding.js';
import { rateCheck, SOUND, readHeaders, type RateCheck, type AnswerHeaders } from './rate-check.js';
import type { KeyWatch } from './key-watch.js';
import type { Outcome } from './meter.js';
import type { Prepared } from './requests.js';
import { knownBodies, type BodyVerdict } from './known-bodies.js';
import { creationForm, isTrusted } from './creation-form.js';
import { foundAgain } from './found-again.js';
import { violationBook } from './violation-book.js';

/** One key of a load run: its limits, and its form on the wire. */
export interface JudgedKey {
  readonly figures: Figures;
  readonly watch: KeyWatch;
  readonly context: WireContext;
}

/** Returns the key of a request. Throws RangeError for a key that the run does not know. */
export function keyOf(keys: ReadonlyMap<PlanName, JudgedKey>, { key }: Prepared): JudgedKey {
  const known = keys.get(key);
  if (!known) throw new RangeError('A request with a key that the run does not know.');
  return known;
}

/** A response, or a transport fault. */
export type Received = Whole | Extract<Answer, { kind: 'none' }>;

/** Times of a request, Unix ms. */
interface Moment extends Pick<Departure, 'sentAt' | 'isBeyond'> {
  readonly answeredAt: number;
  readonly traceparent: (request: Prepared) => string;
}

export type AnswerJudge = ReturnType<typeof answerJudge>;

/** Requirements on headers, which differ between responses; judged on each. */
const BY_HEADERS: ReadonlySet<RequirementId> = new Set(SOUND.kept);

const SUCCESS: Readonly<Record<Prepared['operation'], number>> = {
  listPets: 200,
  getPet: 200,
  createPet: 201,
};

/** Status codes in place of 429 while a key is held: a ban may use several. */
const HELD_BACK: readonly number[] = [401, 403, 503];

/** What is said of a response that is not judged. */
const NOTHING_FOUND = { violates: false, isShort: false, reveals: 0, isUndecided: false };

const NO_PAGE: Pick<BodyVerdict, 'shows' | 'isShort'> = { shows: new Set(), isShort: false };

/**
 * Returns the ids that a listing shows, and whether these are fewer than half of those that it should show by
 * preflight's. An overloaded server may send an empty page, quickly. Others may remove an animal, but rarely
 * half of the store.
 */
function pageIn(exchange: Exchange, world: World, judging: Judging): typeof NO_PAGE {
  const page = knownPage(exchange, judging);
  if (!page?.reading.ok) return NO_PAGE;
  const ids = petsOf(page).flatMap(({ id }) => (id === null ? [] : [id]));
  const matching = matchingBeyond(page, world);
  return {
    shows: new Set(ids),
    isShort: matching !== null && ids.length * 2 < Math.min(matching, page.limit),
  };
}

/** Most ids to remember: a long run creates more animals than fit into memory. */
const MOST_IDS = 100_000;

/**
 * Judges every response of a load run.
 *
 * @param isShared true if other parts of the run use the same keys: whether a 429 is within the allowance is
 *   then decided over all parts
 */
export function answerJudge(
  judging: Judging,
  journal: Journal,
  keys: ReadonlyMap<PlanName, JudgedKey>,
  census: Page | null,
  isShared = false,
) {
  const keptBy = keptCounts('capacity');
  const forget = ({ kept, count }: BodyVerdict): void => keptBy.add(kept, count);
  const bodies = knownBodies(forget);
  const book = violationBook(journal);
  const missing = foundAgain((finding, shown) => book.take(finding, 'getPet', shown));
  const rateChecks = new Map<PlanName, RateCheck>(
    [...keys].map(([key, { figures }]) => [key, rateCheck(figures)]),
  );
  /** Ids in responses: a map of all animals would grow with the run. */
  const met = new Set<string>();
  let world: World = { ...(census ? worldOf([census.exchange], judging) : newWorld(judging)), met };
  const meet = (operation: OperationName, id: string): void => {
    if (met.size < MOST_IDS) met.add(id);
    if (!world.served.has(operation)) world = { ...world, served: new Set([...world.served, operation]) };
  };
  let number = 0;
  /** Responses with headers that met all their requirements. */
  let sound = 0;

  const exchangeOf = (
    request: Prepared,
    { sentAt, answeredAt, traceparent }: Moment,
    answer: Answer,
  ): Exchange => {
    const { context } = keyOf(keys, request);
    return {
      id: `c${(number += 1)}`,
      probe: request.spec.probe,
      operation: request.operation,
      intent: request.spec.intent,
      credential: request.spec.credential,
      // Few checks read it, and a creation's is built only for this.
      get request() {
        const recorded = recordedOf(request.spec, context);
        return {
          ...recorded,
          headers: [...recorded.headers, ['traceparent', traceparent(request)] as const],
        };
      },
      sentAt,
      latencyMs: answeredAt - sentAt,
      attempts: 1,
      answer,
    };
  };

  /** Judges a body that was not seen before. */
  const judgeBody = (request: Prepared, exchange: Exchange): BodyVerdict => {
    const { figures: rates } = keyOf(keys, request);
    const { operation, asked } = request;
    const { kept, held, findings } = judgeAnswer(exchange, asked, world, { ...judging, rates }, BY_HEADERS);
    const [pet] = operation === 'listPets' ? [] : animalsIn(exchange);
    if (pet?.id) meet(operation, pet.id);
    // A server error counts as an error, for which scenarios have thresholds.
    const isFault = exchange.answer.kind === 'response' && exchange.answer.status >= 500;
    const { intent } = exchange;
    const ofStatus = intent.kind === 'expects' ? intent.chargedTo : 'declared-status';
    return {
      kept: [...kept, ...held],
      findings: isFault ? findings.filter(({ requirement }) => requirement !== ofStatus) : findings,
      ...pageIn(exchange, world, judging),
      count: 0,
    };
  };

  /** Returns the verdict on a body: an equal one's, or its own. */
  const verdictOf = (
    request: Prepared,
    { sentAt }: Moment,
    { status, bytes }: Whole,
    headers: AnswerHeaders,
    shown: () => Exchange,
  ): BodyVerdict => {
    const { known, operation, asked } = request;
    const form = asked.sent ? creationForm(bytes, asked.sent.name) : null;
    const memory = asked.sent && form === null ? null : known;
    const text = form?.bytes ?? bytes;
    const same = memory?.find(status, headers, text);
    if (same && (form === null || !isTaken(form.id, world, { sentAt }))) {
      if (form) meet(operation, form.id);
      return same;
    }
    const verdict = judgeBody(request, shown());
    const isAlike = !same && (form === null || (verdict.findings.length === 0 && isTrusted(form)));
    if (memory && isAlike) memory.add(status, headers, text, verdict);
    else keptBy.add(verdict.kept);
    return verdict;
  };

  const outcomeOf = (
    { operation, key }: Prepared,
    status: number,
    headers: AnswerHeaders,
    moment: Moment,
  ): Outcome => {
    const watch = keys.get(key)?.watch;
    const isServed = status === SUCCESS[operation];
    if (status !== 429) watch?.answered(moment.sentAt, isServed);
    if (isServed) return 'served';
    if (status === 429 && watch) {
      const wait = waitOf({ retryAfter: headers.retryAfter, date: parseHttpDate(headers.date ?? '') });
      watch.told(moment.answeredAt, wait);
      if (!moment.isBeyond && !watch.isBeyond(moment.sentAt)) return isShared ? 'refused' : 'error';
      watch.refused(moment.answeredAt, wait ?? 0);
      return 'refused';
    }
    if (HELD_BACK.includes(status) && watch?.isHeld(moment.sentAt)) return 'refused';
    return status >= 500 ? 'error' : 'other';
  };

  /** Is true for a 429 of which only all parts together know whether it was within the allowance. */
  const isUndecidedOf = ({ key }: Prepared, { isBeyond, sentAt }: Moment, status: number): boolean =>
    isShared && status === 429 && !isBeyond && keys.get(key)?.watch.isBeyond(sentAt) === false;

  return {
    newKnown: bodies.make,
    /** Judges a response and records its findings; `checks/judge-answer.ts` has the rules. */
    judge(request: Prepared, moment: Moment, received: Received) {
      if ('kind' in received) {
        keys.get(request.key)?.watch.answered(moment.sentAt, false);
        return { outcome: 'error' as const, ...NOTHING_FOUND };
      }
      const { status } = received;
      const headers = readHeaders(received.headers);
      const isUndecided = isUndecidedOf(request, moment, status);
      const outcome = outcomeOf(request, status, headers, moment);
      // Another requirement judges responses in place of 429.
      if (outcome === 'refused' && status !== 429) return { outcome, ...NOTHING_FOUND };
      let exchange: Exchange | undefined;
      const shown = (): Exchange => (exchange ??= exchangeOf(request, moment, responseOf(received)));

      const verdict = verdictOf(request, moment, received, headers, shown);
      verdict.count += 1;
      const { operation, asked } = request;
      const { sentAt, answeredAt } = moment;
      const { findings, reveals } =
        operation === 'getPet' && asked.id && resident(asked.id, world) !== null
          ? missing.fetched(asked.id, { status, findings: verdict.findings, sentAt, answeredAt, shown })
          : { findings: verdict.findings, reveals: missing.listed(verdict.shows, sentAt) };
      for (const finding of findings) book.take(finding, operation, shown);

      const check = rateChecks.get(request.key);
      const judged = check?.(headers, { operation, status, sentAt, answeredAt });
      if (judged === SOUND) sound += 1;
      else if (judged) keptBy.add(judged.kept);
      for (const finding of judged?.findings ?? []) book.take(finding, operation, shown);
      const found = [...findings, ...(judged?.findings ?? [])];
      return {
        outcome,
        violates: found.some((finding) => isViolated(finding) && !isWarning(finding)),
        isShort: verdict.isShort,
        reveals,
        isUndecided,
      };
    },
    ofPhase: (): readonly ViolationCount[] => book.ofPhase(),
    /** Records how many responses met which requirement. */
    close(): void {
      bodies.forgetAll();
      if (sound > 0) keptBy.add([...BY_HEADERS], sound);
      for (const record of keptBy.records()) journal.append(record);
    },
  };
}

/** Times of a request's departure, Unix ms. */
export interface Departure {
  /** Intended time. */
  readonly intendedAt: number;
  readonly sentAt: number;
  /** Time for which this process had been held up so far, ms. */
  readonly stalledMs: number;
  /** Time for which this machine had stood still so far, ms. */
  readonly stoodMs: number;
  /** True if the limit of its key was used up. */
  readonly isBeyond: boolean;
}
