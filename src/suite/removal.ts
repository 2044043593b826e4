import { daysUntil, type RemovalPhase } from '../contract/removal-phase.js';
import { outOfScope } from '../findings/finding.js';
import { Unjudgeable } from '../probes/unjudgeable.js';
import { counted } from '../format/format.js';

type RemovalFacts = { readonly removal: RemovalPhase; readonly removalDate: string; readonly asOf: string };

/** Guards rows that hold until the removal. Throws Unjudgeable. */
export function beforeRemoval({ removal, removalDate }: RemovalFacts): void {
  if (removal === 'on-the-day') throw onTheDay(removalDate);
  if (removal === 'after')
    throw new Unjudgeable(
      outOfScope('removal-date', `not applicable after ${removalDate}, when the operation was to go`),
    );
}

/** Guards the row that holds once the operation is removed. Throws Unjudgeable. */
export function afterRemoval({ removal, removalDate, asOf }: RemovalFacts): void {
  if (removal === 'on-the-day') throw onTheDay(removalDate);
  if (removal === 'before')
    throw new Unjudgeable(
      outOfScope(
        'removal-date',
        `not applicable before ${removalDate} (${daysLeft(daysUntil(removalDate, asOf))} left)`,
      ),
    );
}

const onTheDay = (removalDate: string): Unjudgeable =>
  new Unjudgeable(
    outOfScope('removal-date', `not applicable on ${removalDate}, the day of the removal, when it may be there or not`),
  );

const daysLeft = (days: number): string => counted(days, 'day');
