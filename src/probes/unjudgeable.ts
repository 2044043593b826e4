import type { Judgement } from '../findings/finding.js';

/** Thrown where a requirement cannot be judged any further: the judgement says why. Not a fault of the kit. */
export class Unjudgeable extends Error {
  override name = 'Unjudgeable';
  constructor(readonly judgement: Judgement) {
    super('reason' in judgement ? judgement.reason.text : 'unjudgeable');
  }
}

/** Why something could not be brought about, as a judgement; null where it could. */
export async function obstacleTo(attempt: Promise<unknown>): Promise<Judgement | null> {
  try {
    await attempt;
    return null;
  } catch (error) {
    if (error instanceof Unjudgeable) return error.judgement;
    throw error;
  }
}
