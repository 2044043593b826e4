import pLimit from 'p-limit';
import type { OperationName } from '../contract/types.js';
import type { KeySeries, OtherKeyProbe } from '../limits/series.js';
import { driveKey } from './drive-key.js';
import type { Drive } from './key-run.js';
import { sinkOf, type Lab } from '../load/lab.js';
import type { KeySession } from '../load/key-session.js';
import { freshAnswer } from './burst/first-answer.js';

/** What one key is put through, but for what hangs on the others. */
export type OwnDrive = Omit<Drive, 'refusalOperation' | 'spreads' | 'askOther' | 'afterBurst'>;

/** The operation to which each plan's first refusal falls, smallest plan first: there a creation that is not refused is cheapest. */
const REFUSALS: readonly OperationName[] = ['createPet', 'getPet', 'listPets'];

/**
 * Puts all plans' keys through their profiles side by side, smallest plan first in the list. Only the smallest plan's
 * burst goes alone: the next plan's key is asked before and after it, and nothing else may explain what that one sees.
 */
export async function sideBySide(
  sessions: readonly KeySession[],
  lab: Lab,
  driveOf: (session: KeySession) => OwnDrive,
): Promise<readonly KeySeries[]> {
  const [smallest, witness] = sessions;
  if (smallest === undefined) return [];
  const bursts = driveOf(smallest).profiles.has('burst');
  const askOther = witness !== undefined && bursts && !lab.signal.aborted ? await watchedBy(witness, lab) : null;
  let release: (() => void) | undefined;
  const released = new Promise<void>((open) => (release = open));
  const letOthersIn = (): void => release?.();

  const drive = async (session: KeySession, place: number): Promise<KeySeries> => {
    const isFirst = session === smallest;
    if (!isFirst) await released;
    try {
      return await driveKey(session, lab, {
        ...driveOf(session),
        refusalOperation: refusalOperationOf(place, lab.operations),
        // The smallest plan's burst is what the others wait for: it is not drawn out where there is another.
        spreads: !isFirst || witness === undefined,
        askOther: isFirst ? askOther : null,
        afterBurst: isFirst ? letOthersIn : () => undefined,
      });
    } finally {
      letOthersIn();
    }
  };
  const limit = pLimit(sessions.length);
  return Promise.all(sessions.map((session, place) => limit(drive, session, place)));
}

/** Asks a key now, and gives what asks it once more when another is exhausted; null where it is not served itself. */
async function watchedBy(witness: KeySession, lab: Lab): Promise<(() => Promise<OtherKeyProbe>) | null> {
  const before = await freshAnswer(witness, lab);
  if (before === null) return null;
  return async () => {
    const during = await witness.ask('listPets', sinkOf('burst', witness.figures));
    return { key: witness.key, figures: witness.figures, before, ownSince: 1, during };
  };
}

const refusalOperationOf = (place: number, operations: readonly OperationName[]): OperationName => {
  const inScope = REFUSALS.filter((operation) => operations.includes(operation));
  return inScope[Math.min(place, inScope.length - 1)] ?? 'listPets';
};
