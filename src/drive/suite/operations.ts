import { untried, outOfScope, type Judgement } from '../../judge/findings/finding.js';
import type { OperationName } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Probes } from '../probes/probes.js';
import type { RunFacts } from './fixture.js';
import { daysBetween } from '../../base/kernel/day.js';
import { Unjudgeable } from '../probes/unjudgeable.js';
import { counted, listed } from '../../base/kernel/format.js';
import { statusOf } from '../../wire/exchange/headers.js';

/**
 * Returns “all operations”: without creations if writes are off, without the deprecated one from its removal
 * day.
 */
export const operationsOf = (
  { writes }: Pick<Probes, 'writes'>,
  { removal }: Pick<RunFacts, 'removal'>,
): readonly OperationName[] => [
  'listPets',
  ...(removal === 'before' ? (['getPet'] as const) : []),
  ...(writes ? (['createPet'] as const) : []),
];

export const creationsLeftOut = ({ writes }: Probes): readonly Judgement[] =>
  writes ? [] : [untried('creations (writes are off)')];

/** Sends an operation's valid request, the control of those that differ in one thing. */
export async function controlFor(probes: Probes, operation: OperationName): Promise<Exchange> {
  switch (operation) {
    case 'listPets':
      return (await probes.listed()).exchange;
    case 'getPet':
      return (await probes.existing()).exchange;
    case 'createPet':
      return (await probes.created()).exchange;
  }
}

type RemovalFacts = Pick<RunFacts, 'removal' | 'removalDate' | 'asOf'>;

/** Guards rows that apply until the removal. Throws Unjudgeable. */
export function beforeRemoval({ removal, removalDate }: RemovalFacts): void {
  if (removal === 'on-the-day') throw onTheDay(removalDate);
  if (removal === 'after')
    throw new Unjudgeable(outOfScope('removal-date', `after ${removalDate}, the removal date`));
}

/** Guards the row that applies after the removal. Throws Unjudgeable. */
export function afterRemoval({ removal, removalDate, asOf }: RemovalFacts): void {
  if (removal === 'on-the-day') throw onTheDay(removalDate);
  if (removal === 'before')
    throw new Unjudgeable(
      outOfScope(
        'removal-date',
        `before ${removalDate} (${counted(daysBetween(asOf, removalDate), 'day')} left)`,
      ),
    );
}

const onTheDay = (removalDate: string): Unjudgeable =>
  new Unjudgeable(
    outOfScope('removal-date', `on ${removalDate}, the day of removal: the operation may exist or not`),
  );

type Telltale = Awaited<ReturnType<Probes['telltales']>>[number];

const untested = (left: readonly Telltale[], why: string): readonly Judgement[] =>
  left.length > 0 ? [untried(`${listed(left.map(({ what }) => what))} (${why})`)] : [];

/** Reports creations with an easily mangled part that failed, so no response shows its effect. */
export async function untakenNames(probes: Pick<Probes, 'telltales'>): Promise<readonly Judgement[]> {
  const left = (await probes.telltales()).filter(({ creation }) => statusOf(creation.exchange) !== 201);
  return untested(left, 'no creation with such a name was accepted');
}

/**
 * Reports those parts without an animal whose fetch was compared with a listing.
 *
 * @param compared names of the compared animals
 */
export async function reportUncompared(
  compared: ReadonlySet<unknown>,
  probes: Pick<Probes, 'telltales'>,
): Promise<readonly Judgement[]> {
  const left = (await probes.telltales()).filter(({ creation }) => !compared.has(creation.sent.name));
  return untested(left, 'no animal with such a name was both listed and fetched');
}
