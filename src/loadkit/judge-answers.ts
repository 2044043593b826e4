import { judgeAnswer } from '../judge/checks/judge-answer.js';
import type { Judging } from '../judge/checks/layers.js';
import { animalsIn } from '../judge/checks/pets.js';
import { resident } from '../judge/world/animals.js';
import { matchingBeyond } from '../judge/world/matching-animals.js';
import { newWorld, type World } from '../judge/world/world.js';
import { isTaken, worldOf } from '../judge/world/world-after.js';
import { knownPage } from '../judge/checks/listing-asked.js';
import { petsOf, type Page } from '../judge/checks/listing.js';
import type { RequirementId, PlanName, OperationName } from '../base/interface/types.js';
import { kindOfAnswer } from '../wire/exchange/headers.js';
import type { Answer, Exchange } from '../wire/exchange/types.js';
import { readAnswer, type RawAnswer, type Whole } from '../wire/exchange/raw-answer.js';
import type { Journal } from '../log/journal.js';
import { keptCounts } from '../log/kept-counts.js';
import { recordedOf, type WireContext } from '../drive/load/requests.js';
import type { Figures } from '../judge/limits/bounds.js';
import type { ViolationCount } from '../log/load-shapes.js';
import { parseHttpDate, waitOf } from '../base/interface/retry-after.js';
import { isViolated, isWarning } from '../judge/findings/finding.js';
import { rateCheck, SOUND, readHeaders, type RateCheck, type AnswerHeaders } from './rate-check.js';
import type { KeyWatch } from './key-watch.js';
import type { Outcome } from './meter.js';
import type { Prepared } from './requests.js';
import { knownBodies, type BodyVerdict, type Known } from './known-bodies.js';
import { creationForm, isTrusted } from './creation-form.js';
import { foundAgain } from './found-again.js';
import { violationBook } from './violation-book.js';

export interface JudgedKey {
  readonly figures: Figures;
  readonly watch: KeyWatch;
  readonly context: WireContext;
}

/** Throws RangeError for a key that the run does not know. */
export function keyOf(keys: ReadonlyMap<PlanName, JudgedKey>, { key }: Prepared): JudgedKey {
  const known = keys.get(key);
  if (!known) throw new RangeError('A request with a key that the run does not know.');
  return known;
}

/** Times of a request's departure, Unix ms. */
export interface Departure {
  readonly intendedAt: number;
  readonly sentAt: number;
  /** Time for which this process had been held up so far, ms. */
  readonly stalledMs: number;
  /** Time for which this machine had stood still so far, ms. */
  readonly stoodMs: number;
  /** True if the limit of its key was used up. */
  readonly isBeyond: boolean;
}

/** Times of a request, Unix ms. */
interface Moment extends Pick<Departure, 'sentAt' | 'isBeyond'> {
  readonly answeredAt: number;
  readonly traceparent: (request: Prepared) => string;
}

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

export class AnswerJudge {
  private readonly keptBy = keptCounts('capacity');
  private readonly bodies = knownBodies(({ kept, count, answer }) => this.keptBy.add(kept, count, answer));
  private readonly book: ReturnType<typeof violationBook>;
  private readonly missing = foundAgain((finding, shown) => this.book.take(finding, 'getPet', shown));
  private readonly rateChecks: ReadonlyMap<PlanName, RateCheck>;
  /** Ids in responses: a map of all animals would grow with the run. */
  private readonly met = new Set<string>();
  private world: World;
  private number = 0;
  /** Responses with headers that met all their requirements: their number, and which there were. */
  private sound = 0;
  private readonly soundAnswers = new Set<string>();

  /**
   * @param isShared true if other parts of the run use the same keys: whether a 429 is within the allowance
   *   is then decided over all parts
   */
  constructor(
    private readonly judging: Judging,
    private readonly journal: Journal,
    private readonly keys: ReadonlyMap<PlanName, JudgedKey>,
    census: Page | null,
    private readonly isShared = false,
  ) {
    this.book = violationBook(journal);
    this.rateChecks = new Map([...keys].map(([key, { figures }]) => [key, rateCheck(figures)]));
    this.world = { ...(census ? worldOf([census.exchange], judging) : newWorld(judging)), met: this.met };
  }

  /** Returns a memory of the bodies of one request. It is handed on as a function. */
  readonly newKnown = (): Known => this.bodies.make();

  /** Judges a response and records its findings; `checks/judge-answer.ts` has the rules. */
  judge(request: Prepared, moment: Moment, received: RawAnswer) {
    if (received.kind === 'none') {
      this.keys.get(request.key)?.watch.answered(moment.sentAt, false);
      return { outcome: 'error' as const, ...NOTHING_FOUND };
    }
    const { status } = received;
    const headers = readHeaders(received.headers);
    const isUndecided = this.isUndecidedOf(request, moment, status);
    const outcome = this.outcomeOf(request, status, headers, moment);
    // Another requirement judges responses in place of 429.
    if (outcome === 'refused' && status !== 429) return { outcome, ...NOTHING_FOUND };
    let exchange: Exchange | undefined;
    const shown = (): Exchange => (exchange ??= this.exchangeOf(request, moment, readAnswer(received)));

    const verdict = this.verdictOf(request, moment, received, headers, shown);
    verdict.count += 1;
    const { operation, asked } = request;
    const { sentAt, answeredAt } = moment;
    const { findings, reveals } =
      operation === 'getPet' && asked.id && resident(asked.id, this.world) !== null
        ? this.missing.fetched(asked.id, { status, findings: verdict.findings, sentAt, answeredAt, shown })
        : { findings: verdict.findings, reveals: this.missing.listed(verdict.shows, sentAt) };
    for (const finding of findings) this.book.take(finding, operation, shown);

    const check = this.rateChecks.get(request.key);
    const judged = check?.(headers, { operation, status, sentAt, answeredAt });
    if (judged === SOUND) {
      this.sound += 1;
      this.soundAnswers.add(verdict.answer);
    } else if (judged) this.keptBy.add(judged.kept, 1, verdict.answer);
    for (const finding of judged?.findings ?? []) this.book.take(finding, operation, shown);
    const found = [...findings, ...(judged?.findings ?? [])];
    return {
      outcome,
      violates: found.some((finding) => isViolated(finding) && !isWarning(finding)),
      isShort: verdict.isShort,
      reveals,
      isUndecided,
    };
  }

  ofPhase(): readonly ViolationCount[] {
    return this.book.ofPhase();
  }

  /** Records how many responses met which requirement. */
  close(): void {
    this.bodies.forgetAll();
    if (this.sound > 0) this.keptBy.add([...BY_HEADERS], this.sound);
    for (const answer of this.soundAnswers) this.keptBy.add([...BY_HEADERS], 0, answer);
    for (const record of this.keptBy.records()) this.journal.append(record);
  }

  private meet(operation: OperationName, id: string): void {
    if (this.met.size < MOST_IDS) this.met.add(id);
    if (!this.world.served.has(operation))
      this.world = { ...this.world, served: new Set([...this.world.served, operation]) };
  }

  private exchangeOf(
    request: Prepared,
    { sentAt, answeredAt, traceparent }: Moment,
    answer: Answer,
  ): Exchange {
    const { context } = keyOf(this.keys, request);
    return {
      id: `c${(this.number += 1)}`,
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
  }

  /** Judges a body that was not seen before. */
  private judgeBody(request: Prepared, exchange: Exchange): BodyVerdict {
    const { figures: rates } = keyOf(this.keys, request);
    const { operation, asked } = request;
    const { kept, held, findings } = judgeAnswer(
      exchange,
      asked,
      this.world,
      { ...this.judging, rates },
      BY_HEADERS,
    );
    const [pet] = operation === 'listPets' ? [] : animalsIn(exchange);
    if (pet?.id) this.meet(operation, pet.id);
    // A server error counts as an error, for which scenarios have thresholds.
    const isFault = exchange.answer.kind === 'response' && exchange.answer.status >= 500;
    const { intent } = exchange;
    const ofStatus = intent.kind === 'expects' ? intent.chargedTo : 'declared-status';
    return {
      answer: kindOfAnswer(exchange),
      kept: [...kept, ...held],
      findings: isFault ? findings.filter(({ requirement }) => requirement !== ofStatus) : findings,
      ...pageIn(exchange, this.world, this.judging),
      count: 0,
    };
  }

  /** Returns the verdict on a body: an equal one's, or its own. */
  private verdictOf(
    request: Prepared,
    { sentAt }: Moment,
    { status, bytes }: Whole,
    headers: AnswerHeaders,
    shown: () => Exchange,
  ): BodyVerdict {
    const { known, operation, asked } = request;
    const form = asked.sent ? creationForm(bytes, asked.sent.name) : null;
    const memory = asked.sent && form === null ? null : known;
    const text = form?.bytes ?? bytes;
    const same = memory?.find(status, headers, text);
    if (same && (form === null || !isTaken(form.id, this.world, { sentAt }))) {
      if (form) this.meet(operation, form.id);
      return same;
    }
    const verdict = this.judgeBody(request, shown());
    const isAlike = !same && (form === null || (verdict.findings.length === 0 && isTrusted(form)));
    if (memory && isAlike) memory.add(status, headers, text, verdict);
    else this.keptBy.add(verdict.kept, 1, verdict.answer);
    return verdict;
  }

  private outcomeOf(
    { operation, key }: Prepared,
    status: number,
    headers: AnswerHeaders,
    moment: Moment,
  ): Outcome {
    const watch = this.keys.get(key)?.watch;
    const isServed = status === SUCCESS[operation];
    if (status !== 429) watch?.answered(moment.sentAt, isServed);
    if (isServed) return 'served';
    if (status === 429 && watch) {
      const wait = waitOf({ retryAfter: headers.retryAfter, date: parseHttpDate(headers.date ?? '') });
      watch.told(moment.answeredAt, wait);
      if (!moment.isBeyond && !watch.isBeyond(moment.sentAt)) return this.isShared ? 'refused' : 'error';
      watch.refused(moment.answeredAt, wait ?? 0);
      return 'refused';
    }
    if (HELD_BACK.includes(status) && watch?.isHeld(moment.sentAt)) return 'refused';
    return status >= 500 ? 'error' : 'other';
  }

  /** Is true for a 429 of which only all parts together know whether it was within the allowance. */
  private isUndecidedOf({ key }: Prepared, { isBeyond, sentAt }: Moment, status: number): boolean {
    return (
      this.isShared && status === 429 && !isBeyond && this.keys.get(key)?.watch.isBeyond(sentAt) === false
    );
  }
}
