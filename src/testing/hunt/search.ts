import * as fc from 'fast-check';
import pLimit from 'p-limit';
import type { Find, Happening, Held, Hunt, Judged } from './hunt.js';
import { seedOf, shuffled } from './seeds.js';

/** Within what a search is done. */
export interface Bounds {
  readonly seed: number;
  /** Unix ms. */
  readonly until: number;
  /** This search takes every `of`th case, from the `nth` on. */
  readonly nth: number;
  readonly of: number;
  readonly directory: string;
}

/** Making a case smaller may take as long as this many cases: each step judges one. */
const SHRINKING_CASES = 12;

/** Judges case after case until the time is over, and makes what it finds as small as it can be. */
export async function search<Case>(
  hunt: Hunt<Case>,
  { seed, until, nth, of, directory }: Bounds,
  say: (happening: Happening) => void,
): Promise<void> {
  const deck = hunt.deck && shuffled(hunt.deck, seedOf(seed, hunt.name, 0));
  const limit = pLimit(hunt.sideBySide);
  const begun = new Set<Promise<void>>();
  const isOver = (): boolean => Date.now() + hunt.caseMs > until;
  for (let index = nth; !isOver(); index += of) {
    const drawn = deck?.[index];
    if (deck !== undefined && drawn === undefined) {
      say({ type: 'exhausted', hunt: hunt.name });
      break;
    }
    const judging = limit(async () => {
      if (isOver()) return;
      say({ type: 'begun', hunt: hunt.name });
      say(await judgeOne(hunt, { seed: seedOf(seed, hunt.name, index + 1), drawn, directory }));
    });
    begun.add(judging);
    void judging.finally(() => begun.delete(judging));
    // As many as are judged at a time wait in the queue as well, and no more: a deck may be without end.
    if (begun.size >= 2 * hunt.sideBySide) await Promise.race(begun);
  }
  await Promise.all(begun);
}

interface Drawing<Case> {
  readonly seed: number;
  /** The case itself, where it comes from a deck or from a replay. */
  readonly drawn: Case | undefined;
  readonly directory: string;
}

/** One case, drawn by the seed unless given; where it was got wrong the smallest that is got wrong as well. */
export async function judgeOne<Case>(
  hunt: Hunt<Case>,
  { seed, drawn, directory }: Drawing<Case>,
): Promise<Extract<Happening, { type: 'judged' | 'found' }>> {
  let as: Held = 'left open';
  let what: readonly string[] = [];
  let first: { readonly subject: Case; readonly at: number } | undefined;
  const property = fc.asyncProperty(hunt.cases, async (subject) => {
    // What comes too late is not judged, and so cannot be smaller.
    if (first !== undefined && Date.now() > first.at + SHRINKING_CASES * hunt.caseMs) return true;
    const came = await hunt.judge(subject, directory).catch(thrown);
    if (came.kind === 'held') {
      as = came.as;
      return true;
    }
    first ??= { subject, at: Date.now() };
    what = came.what;
    return false;
  });
  const examples: [Case][] = drawn === undefined ? [] : [[drawn]];
  const { failed, counterexample } = await fc.check(property, { seed, numRuns: 1, examples });
  if (!failed || counterexample === null) return { type: 'judged', hunt: hunt.name, as };
  const subject = JSON.stringify(counterexample[0]);
  const find: Find = { hunt: hunt.name, subject, what, drawn: JSON.stringify(first?.subject) };
  return { type: 'found', find };
}

/** A kit that throws has judged nothing. */
const thrown = (error: unknown): Judged => ({
  kind: 'found',
  what: [`the kit threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
});
