import * as fc from 'fast-check';
import pLimit from 'p-limit';
import type { Find, Happening, Held, Hunt, Judged } from './hunt.js';
import { seedOf, shuffled } from './seeds.js';

export interface Bounds {
  readonly seed: number;
  /** Unix ms. */
  readonly until: number;
  /** This search takes every `of`th case, from the `nth` on. */
  readonly nth: number;
  readonly of: number;
}

/** Time limit of shrinking, in cases: each step judges one. */
const SHRINKING_CASES = 12;

/** Judges cases until the time is over, and shrinks every find. */
export async function search<Case>(
  hunt: Hunt<Case>,
  { seed, until, nth, of }: Bounds,
  say: (happening: Happening) => void,
): Promise<void> {
  const deck = hunt.deck && shuffled(hunt.deck, seedOf(seed, hunt.name, 0));
  const limit = pLimit(hunt.inParallel);
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
      say(await judgeOne(hunt, { seed: seedOf(seed, hunt.name, index + 1), drawn }));
    });
    begun.add(judging);
    void judging.finally(() => begun.delete(judging));
    // Limits the queue to as many waiting cases as run in parallel, because a deck may be endless.
    if (begun.size >= 2 * hunt.inParallel) await Promise.race(begun);
  }
  await Promise.all(begun);
}

interface Drawing<Case> {
  readonly seed: number;
  /** Case from a deck or a replay. */
  readonly drawn: Case | undefined;
}

/** Judges one case, given or drawn from the seed; shrinks a find as far as possible. */
export async function judgeOne<Case>(
  hunt: Hunt<Case>,
  { seed, drawn }: Drawing<Case>,
): Promise<Extract<Happening, { type: 'judged' | 'found' }>> {
  let as: Held = 'left open';
  let what: readonly string[] = [];
  let first: { readonly subject: Case; readonly at: number } | undefined;
  const property = fc.asyncProperty(hunt.cases, async (subject) => {
    // After the time limit nothing is judged, so the find stays as it is.
    if (first !== undefined && Date.now() > first.at + SHRINKING_CASES * hunt.caseMs) return true;
    const came = await hunt.judge(subject).catch(thrown);
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

/** An exception of the kit is a find. */
const thrown = (error: unknown): Judged => ({
  kind: 'found',
  what: [`the kit threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
});
