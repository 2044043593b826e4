import pLimit from 'p-limit';
import type { OperationName } from '../contract/types.js';
import type { KeySeries, OtherKeyProbe } from '../limits/series.js';
import { driveKey } from './drive-key.js';
import type { Drive } from './driving/passage.js';
import { sinkOf } from './field.js';
import type { Field } from './field.js';
import type { KeyLine } from './key-line.js';
import { freshAnswer } from './bursting/first-answer.js';

/** What one key is put through, but for what hangs on the others. */
export type OwnDrive = Omit<Drive, 'refusalOperation' | 'spreads' | 'askOther' | 'afterBurst'>;

/** The operation to which each plan's first refusal falls, smallest plan first: there a creation that is not refused is cheapest. */
const REFUSALS: readonly OperationName[] = ['createPet', 'getPet', 'listPets'];

/**
 * Puts all plans' keys through their profiles side by side, smallest plan first in the list. Only the smallest plan's
 * burst goes alone: the next plan's key is asked before and after it, and nothing else may explain what that one sees.
 */
export async function sideBySide(
  lines: readonly KeyLine[],
  field: Field,
  driveOf: (line: KeyLine) => OwnDrive,
): Promise<readonly KeySeries[]> {
  const [smallest, witness] = lines;
  if (smallest === undefined) return [];
  const bursts = driveOf(smallest).profiles.has('burst');
  const askOther = witness !== undefined && bursts && !field.signal.aborted ? await watchedBy(witness, field) : null;
  let release: (() => void) | undefined;
  const gate = new Promise<void>((open) => (release = open));
  const letOthersIn = (): void => release?.();

  const drive = async (line: KeyLine, place: number): Promise<KeySeries> => {
    const isFirst = line === smallest;
    if (!isFirst) await gate;
    try {
      return await driveKey(line, field, {
        ...driveOf(line),
        refusalOperation: refusalOperationOf(place, field.operations),
        // The smallest plan's burst is what the others wait for: it is not drawn out where there is another.
        spreads: !isFirst || witness === undefined,
        askOther: isFirst ? askOther : null,
        afterBurst: isFirst ? letOthersIn : () => undefined,
      });
    } finally {
      letOthersIn();
    }
  };
  const limit = pLimit(lines.length);
  return Promise.all(lines.map((line, place) => limit(drive, line, place)));
}

/** Asks a key now, and gives what asks it once more when another is exhausted; null where it is not served itself. */
async function watchedBy(witness: KeyLine, field: Field): Promise<(() => Promise<OtherKeyProbe>) | null> {
  const before = await freshAnswer(witness, field);
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
