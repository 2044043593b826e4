import * as fc from 'fast-check';
import { deck, mixed } from './deck.js';
import { makersOf, type Scope } from './stories.js';
import type { Story } from './story.js';

/** Stories without end, the nth of which is the same for the same seed and scope. */
export interface Programme {
  /**
   * The nth story, or the one that a path leads to in fast-check's way, shrink by shrink: `N:0:3`. Null for a path that leads
   * nowhere.
   */
  readonly at: (path: string) => Story | null;
  /** The ways in which the story at a path can be made smaller, plainest first, at most so many. */
  readonly smaller: (path: string, most: number) => readonly Story[];
}

/**
 * The kinds of story, as often as they come in a round of about 400 requests. What is created stays behind, so that
 * creations, which show most, are as many as the usual number of animals allows.
 */
const ROUND = {
  created: 31,
  wrong: 17,
  open: 3,
  stranger: 17,
  listing: 21,
  openListing: 4,
  fetch: 6,
  atOnce: 4,
  again: 1,
} as const;

type Kind = keyof typeof ROUND;

const NEED_WRITES: readonly Kind[] = ['created', 'wrong', 'open'];

/** The stories of a seed: round after round, each in an order of its own, with one request a hundred times at its end. */
export function programmeOf(seed: number, scope: Scope): Programme {
  const makers = makersOf(seed, scope);
  const all = (Object.keys(ROUND) as Kind[])
    .filter((kind) => (scope.writes || !NEED_WRITES.includes(kind)) && (scope.fetches || kind !== 'fetch'))
    .flatMap((kind) => Array.from({ length: ROUND[kind] }, () => kind));
  const kinds = deck(seed, 0, all);

  function storyAt(nth: number): fc.Arbitrary<Story> {
    const round = Math.floor(nth / (all.length + 1));
    const at = nth % (all.length + 1);
    if (at === all.length) return makers.manyTimes(round);
    const [kind, ...before] = Array.from({ length: at + 1 }, (_, back) => kinds(round * all.length + at - back));
    if (kind === undefined) throw new RangeError(`there is no story ${nth}`);
    return makers[kind](round * ROUND[kind] + before.filter((other) => other === kind).length);
  }

  const sampled = (path: string, numRuns: number): readonly Story[] => {
    const [nth = '', ...shrinks] = path.split(':');
    return fc.sample(storyAt(Number(nth)), {
      seed: mixed(seed, 99, Number(nth)),
      path: ['0', ...shrinks].join(':'),
      numRuns,
      unbiased: true,
    });
  };

  /** fast-check throws where a path goes on behind the last shrink. */
  function at(path: string): Story | null {
    try {
      return sampled(path, 1)[0] ?? null;
    } catch {
      return null;
    }
  }

  return { at, smaller: (path, most) => sampled(`${path}:0`, most) };
}
