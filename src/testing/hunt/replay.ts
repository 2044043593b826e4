import { findLines } from './account.js';
import { HUNT_NAMES, type Happening, type HuntName } from './hunt.js';
import { HUNTS } from './hunts.js';
import { judgeOne } from './search.js';

/** Case that no hunt of that name has. */
export class UnknownCaseError extends Error {
  readonly code = 'unknown-case';

  constructor(
    readonly hunt: HuntName,
    readonly subject: string,
  ) {
    super(`the hunt "${hunt}" has no such case: ${subject}`);
    this.name = 'UnknownCaseError';
  }
}

/**
 * Judges one case with the first hunt of that name that knows it, and shrinks a find. Throws
 * UnknownCaseError.
 */
export async function judgeCase(
  name: HuntName,
  subject: unknown,
): Promise<Extract<Happening, { type: 'judged' | 'found' }>> {
  for (const hunt of HUNTS) {
    const judging = hunt((it) =>
      it.name === name && it.cases.canShrinkWithoutContext(subject)
        ? judgeOne(it, { seed: 0, drawn: subject })
        : null,
    );
    if (judging !== null) return judging;
  }
  throw new UnknownCaseError(name, JSON.stringify(subject));
}

/** Judges a printed case and prints the result; returns 0 if the kit gets it right, else 1. */
export async function replayed(
  only: readonly HuntName[],
  text: string,
  say: (text: string) => void,
): Promise<number> {
  const [name = HUNT_NAMES[0]] = only;
  const came = await judgeCase(name, JSON.parse(text));
  if (came.type === 'judged') say(`✓ ${name}: ${came.as}`);
  else findLines(came.find).forEach(say);
  return came.type === 'judged' ? 0 : 1;
}
