import type { PassiveContext } from '../../judge/checks/passive.js';
import { readPets } from '../../judge/checks/pets.js';
import { newWorld, type World } from '../../judge/world/world.js';
import { worldAfter } from '../../judge/world/world-after.js';
import type { OperationName, PlanName, RequirementId } from '../../base/interface/types.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Journal } from '../../log/journal.js';
import { keptCounts } from '../../log/kept-counts.js';
import { additionOf, guessedCategory, knownCategory } from '../probes/store.js';
import { newTally } from './coverage.js';
import { creationBehind, foundBehind } from './earlier-creations.js';
import { brokenBy, failedIn, chargedToOperation, foundWith, type Sent } from './broken-operation.js';
import { newFinds } from './new-violations.js';
import { repeatOverdue, confirmed } from './repeat-overdue.js';
import { everything } from './stories.js';
import type { PacedLine } from './paced-line.js';
import { perform, type Counterexample, type Stage } from './perform.js';
import { programmeOf } from './programme.js';
import { removedByOthers } from './removed-by-others.js';
import { pathOfFetch } from './replay-paths.js';
import { shrink } from './shrink.js';
import type { Story } from './story.js';
import { countResidents, requestsForUnfetched, unfetched } from './unfetched-animals.js';

interface ExploreOptions {
  readonly line: PacedLine;
  readonly journal: Journal;
  readonly context: PassiveContext;
  readonly plan: PlanName;
  readonly seed: number;
  readonly animals: number;
  readonly writes: boolean;
  readonly fetches: boolean;
  /** Stories to perform first. */
  readonly replay?: readonly string[] | undefined;
  /** If true, the usual stories follow the replayed ones. */
  readonly onward?: boolean | undefined;
  /** Rows known to be broken. A new violation of them gets no story. */
  readonly broken: ReadonlySet<RequirementId>;
  readonly signal?: AbortSignal | undefined;
  /** Waits until the first request may be sent. */
  readonly ready?: () => Promise<void>;
}

/** Animals reserved for shrinking a story and for repeating it. */
const IN_HAND = 3;

/** Returns the number of requests reserved for repeats: a small part of all. */
const requestsInHand = (all: number): number => Math.min(16, Math.floor(all / 12));

/** Shrinking takes at most one request in so many, and so many for one story. The others are for new finds. */
const SHARE_FOR_SHRINKING = 4;
const MOST_PER_STORY = 45;

/** With fewer requests, the census lists all animals only, not each status too. */
const MANY = 100;

/** Interval between records of progress in the log, ms. */
const RECORDED_EVERY_MS = 2_000;

const CENSUS: Story = [everything(), everything('available'), everything('pending'), everything('sold')];

class Exploration {
  private readonly programme: ReturnType<typeof programmeOf>;
  private world: World;
  private readonly tally: ReturnType<typeof newTally>;
  private readonly kept = keptCounts('explore');
  /** Responses by operation. */
  private readonly answered = new Map<string, number>();
  /** Ids of animals that were fetched, whatever the response. */
  private readonly fetched = new Set<string>();
  /** Animals that were or may have been added. */
  private added = 0;
  private performed = 0;
  private readonly replayed: string[] = [];
  private readonly isReplay: boolean;
  private recordedAt = Date.now();
  /** Category that the store knows. */
  private readonly found = { usual: '1' };
  /** All requests so far, and the story that is performed. */
  private readonly history: Sent[] = [];
  private current = '';
  /** Requests that broke an operation, which fails throughout since. */
  private readonly broken = new Map<OperationName, readonly Sent[]>();
  private readonly asked: number;
  private readonly inReserve: number;
  private readonly census: Story;
  private readonly usuallyInHand: number;
  private inHand: number;
  private forShrinking: number;
  /** Requests for animals from before the run that no story fetched. */
  private forUnfetched: number;
  private readonly finds: ReturnType<typeof newFinds>;
  private readonly stage: Stage;
  private readonly isOfRemoved: ReturnType<typeof removedByOthers>;
  private readonly overdue: Awaited<ReturnType<typeof perform>>['overdue'][number][] = [];

  constructor(private readonly options: ExploreOptions) {
    const { line, context, seed, animals, replay, onward } = options;
    this.programme = programmeOf(seed, options);
    this.world = newWorld(context);
    this.tally = newTally(options);
    this.isReplay = replay !== undefined && !onward;
    this.asked = line.left();
    this.inReserve = requestsInHand(this.asked);
    this.census = this.asked < MANY && !this.isReplay ? CENSUS.slice(0, 1) : CENSUS;
    this.usuallyInHand = Math.min(IN_HAND, Math.floor(animals / 4));
    this.inHand = this.usuallyInHand;
    this.forUnfetched = this.isReplay || !options.fetches ? 0 : requestsForUnfetched(this.asked);
    this.forShrinking = Math.floor(this.asked / SHARE_FOR_SHRINKING);
    this.finds = newFinds(options.broken);
    this.stage = this.stageOf(options);
    this.isOfRemoved = removedByOthers(this.stage);
  }

  async run(): Promise<void> {
    const { context, journal, seed, signal } = this.options;
    // Log it now, so an interrupted run has this record too.
    this.recordProgress();
    try {
      await this.options.ready?.();
      const first = await perform(this.census, this.stage);
      const [all] = first.exchanges;
      if (all) {
        const page = { exchange: all, reading: readPets(all, context) };
        this.found.usual = knownCategory(page) ?? guessedCategory(page);
      }
      await this.pursue('', first.counterexamples, first.exchanges);
      const paths = this.isReplay ? (this.options.replay ?? []) : withNumbers(this.options.replay ?? []);
      for (const path of paths) {
        if (!this.stage.hasSpare() || signal?.aborted) break;
        const story = this.programme.at(path);
        if (!story) break;
        this.current = path;
        const { exchanges, counterexamples, overdue: late } = await perform(story, this.stage);
        this.performed += 1;
        if (this.options.replay?.includes(path)) this.replayed.push(path);
        this.overdue.push(...late.map((each) => ({ ...each, path })));
        await this.pursue(path, counterexamples, exchanges);
        if (Date.now() - this.recordedAt > RECORDED_EVERY_MS) this.recordProgress();
      }
      this.current = '';
      if (!this.isReplay) {
        const after = await perform(this.census, this.stage);
        this.overdue.push(...after.overdue);
        await this.pursue('', after.counterexamples, after.exchanges);
      }
      // The reserved animals are for this.
      this.inHand = 0;
      const late = await confirmed(await repeatOverdue(this.overdue, this.stage), this.stage);
      for (const { path = '', exchanges, counterexamples } of late)
        await this.pursue(path, counterexamples, exchanges);
      await this.fetchUnfetched();
    } finally {
      for (const record of this.finds.records(seed, this.answered)) journal.append(record);
      for (const record of this.kept.records()) journal.append(record);
      this.recordProgress();
    }
  }

  private stageOf({ line, context, plan, animals }: ExploreOptions): Stage {
    const { found } = this;
    return {
      line,
      world: () => this.world,
      learn: (exchange, sent = {}) => {
        this.world = worldAfter(this.world, exchange, sent);
      },
      context,
      plan,
      get usual() {
        return found.usual;
      },
      animalsLeft: () => ({ onPurpose: animals - this.added - this.inHand, atAll: animals - this.added }),
      hasSpare: () => line.left() > this.lastOnes(),
      onAnswer: (ask, exchange, rows, manner) => {
        this.noteAddition(exchange);
        if (ask.id && exchange.intent.kind !== 'open') this.fetched.add(ask.id);
        this.history.push({ path: this.current, exchange });
        this.tally.note(ask, exchange, this.world, manner);
        this.kept.add(rows);
        this.answered.set(exchange.operation ?? '', (this.answered.get(exchange.operation ?? '') ?? 0) + 1);
      },
    };
  }

  private noteAddition(exchange: Exchange): void {
    if (exchange.operation !== 'createPet') return;
    // A request without a response may have added an animal too.
    if (exchange.answer.kind === 'none') this.added += 1;
    if ((statusOf(exchange) ?? 400) >= 300) return;
    this.added += 1;
    this.options.journal.append(additionOf(exchange));
  }

  /**
   * Requests reserved for the end: the census, the overdue reads and pursuing their violations, and fetches
   * of the animals from before the run that no story fetched.
   */
  private lastOnes(): number {
    return (
      this.census.length +
      new Set(this.overdue.map(({ ask }) => ask.spec.probe)).size +
      this.inReserve +
      unfetched(this.world, this.fetched, this.forUnfetched).length
    );
  }

  private async fetchUnfetched(): Promise<void> {
    const { line, signal } = this.options;
    const ids = unfetched(this.world, this.fetched, this.forUnfetched);
    this.forUnfetched = 0;
    for (const id of ids) {
      if (line.closed() || signal?.aborted) break;
      this.current = pathOfFetch(id);
      const { exchanges, counterexamples } = await perform(this.programme.at(this.current) ?? [], this.stage);
      await this.pursue(this.current, counterexamples, exchanges);
    }
    this.current = '';
  }

  private recordProgress(): void {
    const { line, journal, seed, signal } = this.options;
    this.recordedAt = Date.now();
    const why = line.closed();
    const stopped = signal?.aborted ? 'interrupted' : why === 'spent' ? null : why;
    journal.append({
      type: 'explored',
      seed,
      asked: this.asked,
      requests: line.byKey(),
      performed: this.performed,
      ...(this.options.replay && { replayed: [...this.replayed] }),
      classes: this.tally.all(),
      ...(this.options.fetches && !this.isReplay && { residents: countResidents(this.world, this.fetched) }),
      ...(stopped && { stopped }),
    });
  }

  /** Shrinks each new find, with the reserved animals. */
  private async pursue(
    path: string,
    counterexamples: readonly Counterexample[],
    exchanges: readonly Exchange[],
  ): Promise<void> {
    const { line } = this.options;
    const { history, stage, programme } = this;
    // Several violations of one row in one story have one cause.
    const pursued = new Set<RequirementId>();
    for (const given of counterexamples) {
      if (await this.isOfRemoved(given, exchanges)) continue;
      const operation = failedIn(given, exchanges)?.operation;
      const known = operation && this.broken.get(operation);
      const one = known ? chargedToOperation(given) : given;
      const { requirement } = one.violation;
      if (!this.finds.isNews(one, known !== undefined) || pursued.has(requirement)) continue;
      pursued.add(requirement);
      const before = line.spent();
      this.inHand = 0;
      const broken = known
        ? { causes: known, isThroughout: true }
        : await brokenBy(one, exchanges, { history, stage });
      if (broken && operation) {
        const { causes, isThroughout } = broken;
        if (isThroughout) this.broken.set(operation, causes);
        this.finds.add(one, foundWith(causes, path, isThroughout ? chargedToOperation(one) : one, exchanges));
        this.inHand = this.usuallyInHand;
        continue;
      }
      const creation = creationBehind(one, exchanges, stage);
      const cause = creation && history.find(({ exchange }) => exchange.id === creation.id);
      if (cause) {
        this.finds.add(one, await foundBehind(cause, path, one, exchanges, stage));
        this.inHand = this.usuallyInHand;
        continue;
      }
      // A replayed story is small already, so it is only repeated. Until each class was tried, shrinking leaves enough requests
      // for the others.
      const toCover = Math.max(0, programme.covers - this.performed) + this.lastOnes();
      const most = this.isReplay
        ? 0
        : Math.max(0, Math.min(MOST_PER_STORY, this.forShrinking, line.left() - toCover));
      const found = await shrink({
        path,
        counterexample: one,
        exchanges,
        programme,
        stage,
        most,
      });
      this.inHand = this.usuallyInHand;
      this.forShrinking = Math.max(0, this.forShrinking - (line.spent() - before));
      this.finds.add(one, found);
    }
  }
}

/**
 * Performs stories until the requests are used up. Shrinks each story that shows a violation, and records the
 * violations and the tried classes in the log. The reader of the log judges them.
 */
export const explore = (options: ExploreOptions): Promise<void> => new Exploration(options).run();

function* withNumbers(first: readonly string[]): Generator<string> {
  yield* first;
  for (let nth = 0; ; nth += 1) yield String(nth);
}
