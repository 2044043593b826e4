import { randomInt } from 'node:crypto';
import { planOf, type Target } from '../targets/target.js';
import type { ExploreRequest } from './request.js';
import { badOption, type UsageError } from '../contract/errors.js';

/** What the command line says of exploring, as it was written; an option without a value is an empty text. */
interface ExploreWords {
  readonly explore?: string | undefined;
  readonly seed?: string | undefined;
  readonly replay?: string | undefined;
  readonly exploreAnimals?: string | undefined;
  readonly only?: string | undefined;
  readonly profile: readonly string[];
}

/** Nothing takes an animal away again: as many are left behind at most, unless more or fewer are asked for. */
export const USUAL_ANIMALS = 100;

/** What a large plan leaves to others, and a small one to the suites: a quarter of its minute. */
const SHARE = 1 / 4;

/** Default number of requests for exploring. */
export const usualRequests = (target: Target): number =>
  Math.max(1, Math.floor(planOf(target, target.suiteKey).perMinute * SHARE));

/** Seeds are what fast-check takes: 32 bits. */
const MOST_SEED = 2 ** 31 - 1;

/**
 * How far exploring is to go; undefined where it was not asked for. Throws UsageError for what makes no sense, or what the
 * plan's day does not afford.
 */
export function exploreRequest(words: ExploreWords, target: Target, usualSeed?: number): ExploreRequest | undefined {
  const { explore, seed, replay, exploreAnimals, only, profile } = words;
  const isProfile = profile.includes('explore');
  if (explore === undefined && replay === undefined && !isProfile) {
    const [alone] = [
      ['seed', seed],
      ['explore-animals', exploreAnimals],
    ].filter(([, value]) => value !== undefined);
    if (alone) throw bad(`--${alone[0]} goes with --explore.`, 'Add --explore, or leave it out.');
    return undefined;
  }
  if (only === 'load')
    throw bad('Exploring goes with the suites, and --only load leaves them out.', 'Leave out one of the two.');
  if (profile.length > 0 && !isProfile)
    throw bad(
      `--${explore === undefined ? 'replay' : 'explore'} goes with the suites, and --profile leaves them out.`,
      'Add --profile explore, or leave out --profile.',
    );
  const plan = planOf(target, target.suiteKey);
  const usual = usualRequests(target);
  const requests = explore ? whole('explore', explore, 1, 'a number of requests') : usual;
  if (requests > plan.perDay)
    throw bad(
      `--explore ${requests} is more than the plan ${target.suiteKey} has in a day (${plan.perDay}).`,
      `Ask for fewer, e.g. --explore ${usual}, or give the key of a larger plan.`,
    );
  const animals =
    exploreAnimals === undefined ? USUAL_ANIMALS : whole('explore-animals', exploreAnimals, 0, 'a number of animals');
  if (replay === undefined)
    return { requests, animals, seed: seed === undefined && usualSeed !== undefined ? usualSeed : seedOf(seed) };
  if (seed !== undefined) throw bad('--replay names its seed itself.', 'Leave out --seed.');
  const [, from, path] = /^(-?\d{1,10})((?::\d{1,6})+)$/.exec(replay) ?? [];
  if (from === undefined || path === undefined)
    throw bad(`--replay takes SEED:PATH, and “${replay}” is none.`, 'Copy it from the report, e.g. --replay 7:12:0:3.');
  return { requests, animals, seed: seedOf(from), replay: [path.slice(1)] };
}

/** The seed of the first of some stories, `SEED:PATH`; undefined where there is none. */
export const seedOfStories = ([first]: readonly string[]): number | undefined =>
  first === undefined ? undefined : Number(first.split(':', 1)[0]);

/** So many requests a story may take, with those that confirm what it shows. */
const PER_STORY = 12;

/** Exploring that begins with the stories of its seed that showed a failure before; only with these where nothing else was asked. */
export function exploreAgain(
  asked: ExploreRequest | undefined,
  stories: readonly string[],
  target: Target,
): ExploreRequest | undefined {
  const seed = asked?.seed ?? seedOfStories(stories);
  if (seed === undefined || stories.length === 0 || asked?.replay) return asked;
  const replay = stories.flatMap((story) => (story.startsWith(`${seed}:`) ? [story.slice(`${seed}:`.length)] : []));
  const requests = Math.max(usualRequests(target), PER_STORY * stories.length);
  return { requests, animals: USUAL_ANIMALS, ...asked, seed, replay, ...(asked && { onward: true }) };
}

function seedOf(text: string | undefined): number {
  if (text === undefined) return randomInt(MOST_SEED);
  const seed = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isInteger(seed) && Math.abs(seed) <= MOST_SEED) return seed;
  throw bad(`--seed takes a whole number of at most ${MOST_SEED}, and “${text}” is none.`, 'For example --seed 7.');
}

function whole(option: string, text: string, least: number, what: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least) return number;
  throw bad(
    `--${option} takes ${what} from ${least}, and “${text}” is none.`,
    `For example --${option} ${Math.max(least, USUAL_ANIMALS)}.`,
  );
}

const bad = (message: string, fix: string): UsageError => badOption(message, fix);

/** Of a target on this machine or beside it, with what is judged meanwhile, ms a request. */
const REQUEST_MS = 10;
/** Wait before the repeated request for a missing animal, s. */
const LATE_SECONDS = 2;

/**
 * What exploring is going to take, seconds: of each window it uses all but one request, and after load it lets one pass.
 * What the suites left of the first is not known before.
 */
export function secondsOfExploring(requests: number, target: Target, isAfterLoad: boolean): number {
  const { perMinute } = planOf(target, target.suiteKey);
  const windows = Math.ceil(requests / Math.max(1, perMinute - 1)) - 1;
  return Math.ceil(
    (isAfterLoad ? target.windows.minute + 1 : 0) +
      windows * target.windows.minute +
      (requests * REQUEST_MS) / 1000 +
      LATE_SECONDS,
  );
}
