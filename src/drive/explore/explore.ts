import type { PassiveContext } from '../../judge/checks/passive.js';
import { readPets } from '../../judge/checks/pets.js';
import { newWorld } from '../../judge/world/world.js';
import { worldAfter } from '../../judge/world/world-after.js';
import type { OperationName, PlanName, RequirementId } from '../../base/interface/types.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Journal } from '../../log/journal.js';
import { keptCounts } from '../../log/kept-counts.js';
import { additionOf, knownCategory } from '../probes/store.js';
import { newTally } from './coverage.js';
import { brokenBy, failedIn, toldWith, type Sent } from './lasting.js';
import { newFinds } from './new-violations.js';
import { settle, confirmed } from './settle.js';
import { everything } from './stories.js';
import type { PacedLine } from './paced-line.js';
import { perform, type Counterexample, type Stage } from './perform.js';
import { programmeOf } from './programme.js';
import { removedByOthers } from './removed.js';
import { shrink } from './shrink.js';
import type { Story } from './story.js';

export interface ExploreOptions {
  readonly line: PacedLine;
  readonly journal: Journal;
  readonly context: PassiveContext;
  readonly plan: PlanName;
  readonly seed: number;
  readonly animals: number;
  readonly writes: boolean;
  /** True while the target has the deprecated operation. */
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

/** Listings that count the store's animals: all, and by status. */
const CENSUS: Story = [everything(), everything('available'), everything('pending'), everything('sold')];

/**
 * Performs stories until the requests are used up. Shrinks each story that shows a violation, and records the
 * violations and the tried classes in the log. The reader of the log judges them.
 */
export async function explore(options: ExploreOptions): Promise<void> {
  const { line, journal, context, plan, seed, animals, signal } = options;
  const programme = programmeOf(seed, options);
  let world = newWorld(context);
  const tally = newTally(options);
  const kept = keptCounts('explore');
  const answered = new Map<string, number>();
  let added = 0;
  let performed = 0;
  const replayed: string[] = [];
  const isReplay = options.replay !== undefined && !options.onward;
  let recordedAt = Date.now();
  let usual = '1';
  /** All requests so far, and the story that is performed. */
  const history: Sent[] = [];
  let current = '';
  /** Requests that broke an operation, which fails throughout since. */
  const broken = new Map<OperationName, readonly Sent[]>();

  function noteAddition(exchange: Exchange): void {
    if (exchange.operation !== 'createPet') return;
    // A request without a response may have added an animal too.
    if (exchange.answer.kind === 'none') added += 1;
    if ((statusOf(exchange) ?? 400) >= 300) return;
    added += 1;
    journal.append(additionOf(exchange));
  }

  const stage: Stage = {
    line,
    world: () => world,
    learn: (exchange, sent = {}) => {
      world = worldAfter(world, exchange, sent);
    },
    context,
    plan,
    get usual() {
      return usual;
    },
    animalsLeft: () => ({ onPurpose: animals - added - inHand, atAll: animals - added }),
    hasSpare: () => line.left() > lastOnes(),
    onAnswer: (ask, exchange, rows, manner) => {
      noteAddition(exchange);
      history.push({ path: current, exchange });
      tally.note(ask, exchange, world, manner);
      kept.add(rows);
      answered.set(exchange.operation ?? '', (answered.get(exchange.operation ?? '') ?? 0) + 1);
    },
  };
  const asked = line.left();
  const inReserve = requestsInHand(asked);
  const census = asked < MANY ? CENSUS.slice(0, 1) : CENSUS;
  const usuallyInHand = Math.min(IN_HAND, Math.floor(animals / 4));
  let inHand = usuallyInHand;
  let forShrinking = Math.floor(asked / SHARE_FOR_SHRINKING);
  const finds = newFinds(options.broken);
  const isOfRemoved = removedByOthers(stage);
  const overdue: Awaited<ReturnType<typeof perform>>['overdue'][number][] = [];

  /** Requests reserved for the end: the census, the overdue reads, and pursuing their violations. */
  function lastOnes(): number {
    return inReserve + new Set(overdue.map(({ ask }) => ask.spec.probe)).size + census.length;
  }

  const recordProgress = (): void => {
    recordedAt = Date.now();
    const why = line.closed();
    const stopped = signal?.aborted ? 'interrupted' : why === 'spent' ? null : why;
    journal.append({
      type: 'explored',
      seed,
      asked,
      requests: line.byKey(),
      performed,
      ...(options.replay && { replayed: [...replayed] }),
      classes: tally.all(),
      ...(stopped && { stopped }),
    });
  };

  /** Shrinks each new find, with the reserved animals. */
  async function pursue(
    path: string,
    counterexamples: readonly Counterexample[],
    exchanges: readonly Exchange[],
  ): Promise<void> {
    // Several violations of one row in one story have one cause.
    const pursued = new Set<RequirementId>();
    for (const one of counterexamples) {
      const { requirement } = one.violation;
      if (await isOfRemoved(one, exchanges)) continue;
      const operation = failedIn(one, exchanges)?.operation;
      const known = operation && broken.get(operation);
      if (!finds.isNews(one, known !== undefined) || pursued.has(requirement)) continue;
      pursued.add(requirement);
      const before = line.spent();
      inHand = 0;
      const causes = known ?? (await brokenBy(one, exchanges, { history, stage }));
      if (causes && operation) {
        broken.set(operation, causes);
        finds.add(one, toldWith(causes, path, one, exchanges));
        inHand = usuallyInHand;
        continue;
      }
      // A replayed story is small already, so it is only repeated. Until each class was tried, shrinking leaves enough requests
      // for the others.
      const toCover = Math.max(0, programme.covers - performed) + lastOnes();
      const most = isReplay ? 0 : Math.max(0, Math.min(MOST_PER_STORY, forShrinking, line.left() - toCover));
      const found = await shrink({
        path,
        counterexample: one,
        exchanges,
        programme,
        stage,
        most,
      });
      inHand = usuallyInHand;
      forShrinking = Math.max(0, forShrinking - (line.spent() - before));
      finds.add(one, found);
    }
  }

  // Log it now, so an interrupted run has this record too.
  recordProgress();
  try {
    await options.ready?.();
    const found = await perform(census, stage);
    const [all] = found.exchanges;
    if (all) usual = knownCategory({ exchange: all, reading: readPets(all, context) }) ?? usual;
    await pursue('', found.counterexamples, found.exchanges);
    const paths = isReplay ? (options.replay ?? []) : withNumbers(options.replay ?? []);
    for (const path of paths) {
      if (!stage.hasSpare() || signal?.aborted) break;
      const story = programme.at(path);
      if (!story) break;
      current = path;
      const { exchanges, counterexamples, overdue: late } = await perform(story, stage);
      performed += 1;
      if (options.replay?.includes(path)) replayed.push(path);
      overdue.push(...late.map((each) => ({ ...each, path })));
      await pursue(path, counterexamples, exchanges);
      if (Date.now() - recordedAt > RECORDED_EVERY_MS) recordProgress();
    }
    current = '';
    if (!isReplay) {
      const after = await perform(census, stage);
      overdue.push(...after.overdue);
      await pursue('', after.counterexamples, after.exchanges);
    }
    // The reserved animals are for this.
    inHand = 0;
    const late = await confirmed(await settle(overdue, stage), stage);
    for (const { path = '', exchanges, counterexamples } of late)
      await pursue(path, counterexamples, exchanges);
  } finally {
    for (const record of finds.records(seed, answered)) journal.append(record);
    for (const record of kept.records()) journal.append(record);
    recordProgress();
  }
}

function* withNumbers(first: readonly string[]): Generator<string> {
  yield* first;
  for (let nth = 0; ; nth += 1) yield String(nth);
}
