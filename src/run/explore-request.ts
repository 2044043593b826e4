import { pathsOf } from '../drive/explore/replay-paths.js';
import { randomInt } from 'node:crypto';
import { planOf, type Target } from '../wire/targets/target.js';
import type { ExploreRequest } from './request.js';
import { badOption } from '../base/kernel/errors.js';

/** Options of exploring as on the command line; one without a value is an empty text. */
interface ExploreWords {
  readonly explore?: string | undefined;
  readonly seed?: string | undefined;
  readonly replay?: string | undefined;
  readonly exploreAnimals?: string | undefined;
  readonly only?: string | undefined;
  readonly profile: readonly string[];
}

/** Most animals that a run leaves behind by default, because they cannot be removed. */
export const USUAL_ANIMALS = 100;
/** Default share of the plan's minute. The rest is for other clients and the suites. */
const SHARE = 1 / 4;

/** Most requests by default, whatever the plan: some ten seconds near the target, some minutes far from it. */
const MOST_USUAL = 1000;

export function usualRequests(target: Target): number {
  const { perMinute, perDay } = planOf(target, target.suiteKey);
  return Math.max(1, Math.min(Math.floor(perMinute * SHARE), perDay, MOST_USUAL));
}

/** A seed, then the paths of stories: numbers, the fetch of one animal, or the listing of all. */
const REPLAY =
  /^(-?\d{1,10}):((?:\d{1,6}(?::\d{1,6})*|pets(?:\/-?\d{1,19})?)(?:,(?:\d{1,6}(?::\d{1,6})*|pets(?:\/-?\d{1,19})?))*)$/;

/** Largest seed of fast-check: 32 bits. */
const MOST_SEED = 2 ** 31 - 1;

/** Undefined if not requested. Throws UsageError. */
export function exploreRequest(
  words: ExploreWords,
  target: Target,
  usualSeed?: number,
): ExploreRequest | undefined {
  const { explore, seed, replay, exploreAnimals, only, profile } = words;
  const isProfile = profile.includes('explore');
  if (explore === undefined && replay === undefined && !isProfile) {
    const [alone] = [
      ['seed', seed],
      ['explore-animals', exploreAnimals],
    ].filter(([, value]) => value !== undefined);
    if (alone)
      throw badOption(`--${alone[0]} needs --explore.`, `Add --explore, or leave out --${alone[0]}.`);
    return undefined;
  }
  if (only === 'load')
    throw badOption(
      'Exploring needs the suites, but --only load leaves them out.',
      'Leave out one of the two.',
    );
  if (profile.length > 0 && !isProfile)
    throw badOption(
      `--${explore === undefined ? 'replay' : 'explore'} needs the suites, but --profile leaves them out.`,
      'Add --profile explore, or leave out --profile.',
    );
  const plan = planOf(target, target.suiteKey);
  const usual = usualRequests(target);
  const requests = explore ? whole('explore', explore, 1, 'a number of requests') : usual;
  if (requests > plan.perDay)
    throw badOption(
      `--explore ${requests} exceeds the day of the ${target.suiteKey} plan (${plan.perDay}).`,
      `Use fewer, e.g. --explore ${usual}, or give the key of a larger plan.`,
    );
  const animals =
    exploreAnimals === undefined
      ? USUAL_ANIMALS
      : whole('explore-animals', exploreAnimals, 0, 'a number of animals');
  if (replay === undefined)
    return {
      requests,
      animals,
      seed: seed === undefined && usualSeed !== undefined ? usualSeed : seedOf(seed),
    };
  if (seed !== undefined) throw badOption('--replay already contains the seed.', 'Leave out --seed.');
  const [, from, path] = REPLAY.exec(replay) ?? [];
  if (from === undefined || path === undefined)
    throw badOption(
      `--replay takes SEED:PATH, not "${replay}".`,
      'Copy it from the report, e.g. --replay 7:12:0:3.',
    );
  return { requests, animals, seed: seedOf(from), replay: pathsOf(path) };
}

/** Returns the seed of the first story, `SEED:PATH`; undefined for none. */
export const seedOfStories = ([first]: readonly string[]): number | undefined =>
  first === undefined ? undefined : Number(first.split(':', 1)[0]);

/** Requests of a story, with its confirmation. */
const PER_STORY = 12;

/**
 * Returns settings that first replay the failed stories of their seed; only these if nothing else was
 * requested.
 */
export function exploreAgain(
  asked: ExploreRequest | undefined,
  stories: readonly string[],
  target: Target,
): ExploreRequest | undefined {
  const seed = asked?.seed ?? seedOfStories(stories);
  if (seed === undefined || stories.length === 0 || asked?.replay) return asked;
  const replay = stories.flatMap((story) =>
    story.startsWith(`${seed}:`) ? pathsOf(story.slice(`${seed}:`.length)) : [],
  );
  const requests = Math.max(usualRequests(target), PER_STORY * stories.length);
  return { requests, animals: USUAL_ANIMALS, ...asked, seed, replay, ...(asked && { onward: true }) };
}

function seedOf(text: string | undefined): number {
  if (text === undefined) return randomInt(MOST_SEED);
  const seed = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isInteger(seed) && Math.abs(seed) <= MOST_SEED) return seed;
  throw badOption(
    `--seed takes a whole number of at most ${MOST_SEED}, not "${text}".`,
    'Write it as --seed 7.',
  );
}

function whole(option: string, text: string, least: number, what: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least) return number;
  throw badOption(
    `--${option} takes ${what} from ${least}, not "${text}".`,
    `Write it as --${option} ${Math.max(least, USUAL_ANIMALS)}.`,
  );
}

/** Time of a request to a target on this machine or nearby, with the judging, ms. */
const REQUEST_MS = 10;
/** Wait before the repeated request for a missing animal, s. */
const LATE_SECONDS = 2;

/**
 * Estimates the seconds of exploring, which uses all but one request of each window, and skips one after
 * load.
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
