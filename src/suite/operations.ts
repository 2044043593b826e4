import { untried, type Judgement } from '../findings/finding.js';
import type { OperationName } from '../contract/types.js';
import type { Exchange } from '../exchange/types.js';
import type { Probes } from '../probes/probes.js';
import type { RunFacts } from './fixture.js';

/**
 * "All operations", as far as this run may use them: without creations where writes are off, and without the deprecated
 * one from the day of its removal on.
 */
export function operationsOf(probes: Probes, facts: RunFacts): readonly OperationName[] {
  return [
    'listPets',
    ...(facts.removal === 'before' ? (['getPet'] as const) : []),
    ...(probes.writes ? (['createPet'] as const) : []),
  ];
}

/** What of “all operations” writes that are off leave out. */
export const creationsLeftOut = ({ writes }: Probes): readonly Judgement[] =>
  writes ? [] : [untried('creations (writes are off)')];

/** The request of an operation that has to succeed, as the control of those that differ from it in one thing. */
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
