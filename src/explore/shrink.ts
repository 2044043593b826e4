import type { RequirementId } from '../contract/types.js';
import type { Exchange } from '../exchange/types.js';
import type { Overdue, Violation } from './judge.js';
import { perform, type Counterexample, type Stage } from './perform.js';
import type { Programme } from './programme.js';
import type { Settled } from './settle.js';
import { actsOf, type Story } from './story.js';

/** The smallest story that shows a violation. */
export interface Found {
  /** Leads to the story, after the seed; empty where no story did it but the listing before and after all. */
  readonly path: string;
  readonly violation: Violation;
  /** The requests of the story as it was last seen. */
  readonly exchanges: readonly Exchange[];
  /** How often it showed, of so many times that it was performed as it is. */
  readonly seen: number;
  readonly of: number;
}

/** Options for shrinking a story. */
export interface ShrinkOptions {
  readonly path: string;
  readonly counterexample: Counterexample;
  readonly exchanges: readonly Exchange[];
  readonly programme: Programme;
  readonly stage: Stage;
  /** Requests that it may cost. */
  readonly most: number;
  /** Judges what was missed when it has had its time. */
  readonly settle: (missed: readonly Overdue[]) => Promise<readonly Settled[]>;
}

/** Ways to make a story smaller that are tried at each step. */
const MOST_WAYS = 16;

/** Of the animals that may still be added, one of so many goes into making one story smaller. */
const SHARE_OF_ANIMALS = 4;

/** How many animals a story adds where all goes well. */
const creationsOf = (story: Story | null): number =>
  (story ?? []).flatMap(actsOf).filter((act) => act.do === 'create').length;

/** Rows that speak of one thing, so that a smaller story may show it under another name. */
const KIN: readonly (readonly RequirementId[])[] = [
  ['create-ok', 'create-each-status', 'create-status-optional', 'declared-status'],
  ['list-ok', 'list-limit-bounds', 'declared-status'],
  ['list-status-filter', 'list-filter-with-limit'],
  ['list-limit-max-items', 'list-limit-default', 'list-filter-with-limit'],
];

const areKin = (one: RequirementId, other: RequirementId): boolean =>
  one === other || KIN.some((rows) => rows.includes(one) && rows.includes(other));

/**
 * Goes from story to smaller story as long as one of them shows the same, and performs the last once more to be sure. What
 * does not come back then was seen once.
 */
export async function shrink({
  path,
  counterexample,
  exchanges,
  programme,
  stage,
  most,
  settle,
}: ShrinkOptions): Promise<Found> {
  const { requirement } = counterexample.violation;
  const first: Found = { path, violation: counterexample.violation, exchanges, seen: 1, of: 1 };
  if (path === '') return again(null, first);
  const until = Math.max(0, stage.line.left() - most);
  const animals = stage.animalsLeft().atAll;
  // A part of the animals, and never those that the story itself takes when it is performed once more.
  const leave = Math.max(animals - Math.max(2, Math.floor(animals / SHARE_OF_ANIMALS)), 0);
  const canBeAgain = (story: Story | null): boolean => stage.animalsLeft().atAll >= creationsOf(story);
  const mayGoOn = (): boolean =>
    stage.line.left() > until &&
    (creationsOf(programme.at(path)) === 0 ||
      stage.animalsLeft().atAll > Math.max(leave, creationsOf(programme.at(path))));
  // Whatever shows late costs its time at every try.
  const isLate = LATE.includes(requirement);

  async function attempt(story: Story): Promise<Pick<Found, 'violation' | 'exchanges'> | null> {
    const performance = await perform(story, stage);
    const late = isLate ? await settle(performance.overdue) : [];
    const all = [...performance.counterexamples, ...late.flatMap((each) => each.counterexamples)];
    const same = all.find((one) => areKin(one.violation.requirement, requirement));
    if (!same) return null;
    return {
      violation: same.violation,
      // One look at all may miss several things.
      exchanges: [...new Set([...performance.exchanges, ...late.flatMap((each) => each.exchanges.slice(-1))])],
    };
  }

  async function again(story: Story | null, found: Found): Promise<Found> {
    const repeated = story && stage.line.left() > 0 && canBeAgain(story) ? await attempt(story) : undefined;
    if (repeated === undefined) return found;
    return repeated ? { ...found, ...repeated, seen: 2, of: 2 } : { ...found, seen: 1, of: 2 };
  }

  // What does not even come back as it is need not be made smaller; where that takes no animal, it is asked at once.
  const original = programme.at(path);
  if (original && creationsOf(original) === 0 && mayGoOn() && !(await attempt(original))) return { ...first, of: 2 };
  let best = first;
  for (let smaller = true; smaller && mayGoOn();) {
    smaller = false;
    const ways = programme.smaller(best.path, isLate ? 3 : MOST_WAYS);
    for (const [at, story] of ways.entries()) {
      if (!mayGoOn()) break;
      const seen = await attempt(story);
      if (!seen) continue;
      best = { ...seen, path: `${best.path}:${at}`, seen: 1, of: 1 };
      smaller = true;
      break;
    }
  }
  return again(programme.at(best.path), best);
}

/** Rows about what may only be late. */
const LATE: readonly RequirementId[] = ['list-shows-created', 'get-matches-created'];
