import { unestablished, type Judgement } from '../../judge/findings/finding.js';

/** Thrown if a requirement cannot be judged further, with the judgement. Not a kit fault. */
export class Unjudgeable extends Error {
  override name = 'Unjudgeable';
  constructor(readonly judgement: Judgement) {
    super('reason' in judgement ? judgement.reason.text : 'unjudgeable');
  }
}

/** Returns the error of a requirement that another run may decide. */
export const undecided = (...why: Parameters<typeof unestablished>): Unjudgeable =>
  new Unjudgeable(unestablished(...why));

/** Returns the judgement that explains a failed attempt; null if it succeeded. */
export async function obstacleTo(attempt: Promise<unknown>): Promise<Judgement | null> {
  try {
    await attempt;
    return null;
  } catch (error) {
    if (error instanceof Unjudgeable) return error.judgement;
    throw error;
  }
}
