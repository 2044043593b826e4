import type { RequirementId } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { creationBehind } from './earlier-creations.js';
import type { Violation } from '../../judge/findings/finding.js';
import { perform, type Counterexample, type Stage } from './perform.js';
import type { Programme } from './programme.js';
import { repeatOverdue } from './repeat-overdue.js';
import { actsOf, type Story } from './story.js';

/** Smallest story that shows a violation. */
export interface Found {
  /** Path of the story, after the seed; empty for the census. */
  readonly path: string;
  readonly violation: Violation;
  /** Requests of the story when it was last seen. */
  readonly exchanges: readonly Exchange[];
  /** Times that the violation showed, and times that the story ran unchanged. */
  readonly seen: number;
  readonly of: number;
}

interface ShrinkOptions {
  readonly path: string;
  readonly counterexample: Counterexample;
  readonly exchanges: readonly Exchange[];
  readonly programme: Programme;
  readonly stage: Stage;
  /** Most requests that it may take. */
  readonly most: number;
}

/** Ways to make a story smaller that are tried at each step. */
const MOST_WAYS = 16;

/** Shrinking one story takes at most one in so many of the animals left. */
const SHARE_OF_ANIMALS = 4;

const creationsOf = (story: Story | null): number =>
  (story ?? []).flatMap(actsOf).filter((act) => act.do === 'create').length;

/**
 * Times that a story with parallel requests is repeated until its violation shows again. Their order at the
 * server is chance, so one repetition without the violation says little.
 */
const TRIES_OF_A_RACE = 4;

const triesOf = (story: Story): number =>
  story.some((step) => step.do === 'at once' && step.acts.length > 1) ? TRIES_OF_A_RACE : 1;

/** Rows about one subject: a smaller story may violate another of them. */
const KIN: readonly (readonly RequirementId[])[] = [
  ['create-ok', 'create-each-status', 'create-status-optional', 'declared-status'],
  ['list-ok', 'list-limit-bounds', 'declared-status'],
  ['list-status-filter', 'list-filter-with-limit'],
  ['list-limit-max-items', 'list-limit-default', 'list-filter-with-limit'],
];

const areKin = (one: RequirementId, other: RequirementId): boolean =>
  one === other || KIN.some((rows) => rows.includes(one) && rows.includes(other));

/** Replaces a story by a smaller one while one shows the violation, and repeats the last to be sure. */
export async function shrink({
  path,
  counterexample,
  exchanges,
  programme,
  stage,
  most,
}: ShrinkOptions): Promise<Found> {
  const { requirement } = counterexample.violation;
  const first: Found = { path, violation: counterexample.violation, exchanges, seen: 1, of: 1 };
  if (path === '') return first;
  const until = Math.max(0, stage.line.left() - most);
  const animals = stage.animalsLeft().atAll;
  // Uses a part of the animals, and reserves those for the repetition.
  const leave = Math.max(animals - Math.max(2, Math.floor(animals / SHARE_OF_ANIMALS)), 0);
  const canBeAgain = (story: Story | null): boolean => stage.animalsLeft().atAll >= creationsOf(story);
  const mayGoOn = (): boolean =>
    stage.line.left() > until &&
    (creationsOf(programme.at(path)) === 0 ||
      stage.animalsLeft().atAll > Math.max(leave, creationsOf(programme.at(path))));
  // A late violation takes its wait at every try.
  const isLate = LATE.includes(requirement);

  async function attempt(story: Story): Promise<Pick<Found, 'violation' | 'exchanges'> | null> {
    const performance = await perform(story, stage);
    const late = isLate ? await repeatOverdue(performance.overdue, stage) : [];
    const all = [...performance.counterexamples, ...late.flatMap((each) => each.counterexamples)];
    // An animal of an earlier attempt stays, and listings go on to show it.
    const same = all.find(
      (one) =>
        areKin(one.violation.requirement, requirement) &&
        creationBehind(one, performance.exchanges, stage) === null,
    );
    if (!same) return null;
    return {
      violation: same.violation,
      // One listing may lack several animals.
      exchanges: [
        ...new Set([...performance.exchanges, ...late.flatMap((each) => each.exchanges.slice(-1))]),
      ],
    };
  }

  async function again(story: Story | null, found: Found, mayRepeat: () => boolean): Promise<Found> {
    let { of } = found;
    if (!story) return found;
    for (let left = triesOf(story); left > 0 && mayRepeat(); left -= 1) {
      of += 1;
      const repeated = await attempt(story);
      if (repeated) return { ...found, ...repeated, seen: found.seen + 1, of };
    }
    return { ...found, of };
  }

  // A violation that does not recur need not be shrunk. A story without creations is repeated first.
  const original = programme.at(path);
  const isRepeatedFirst = original !== null && creationsOf(original) === 0 && mayGoOn();
  const whole = isRepeatedFirst ? await again(original, first, mayGoOn) : first;
  if (isRepeatedFirst && whole.seen === 1) return whole;
  let best = whole;
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
  const mayRepeat = (story: Story | null) => (): boolean => stage.line.left() > 0 && canBeAgain(story);
  if (best === whole && isRepeatedFirst) return whole;
  const last = programme.at(best.path);
  const shortest = await again(last, best, mayRepeat(last));
  // A shorter story that shows it once only may have shown it by chance, or by what the run had sent before.
  if (best === whole || shortest.seen > 1 || shortest.of === 1) return shortest;
  return whole.seen > 1 ? whole : again(original, whole, mayRepeat(original));
}

/** Rows whose violation may be only a delay. */
const LATE: readonly RequirementId[] = ['list-shows-created', 'get-matches-created'];
