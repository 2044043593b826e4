import type { OperationName, PlanName } from '../base/interface/types.js';
import type { SecondRecord } from '../log/capacity-record.js';

/** Use of one key in a second, of a part that shares it with others. */
type KeyUse = NonNullable<SecondRecord['keyUse']>[number];

export type SharedKeys = ReturnType<typeof watchSharedKeys>;

/**
 * Counts by second what a part sends with keys that it shares with other parts. Counts also the 429s that it
 * cannot judge, because it does not know what the others sent. `fleet/decide-refusals.ts` decides once all
 * are there.
 */
export function watchSharedKeys() {
  const sent = new Map<PlanName, number>();
  const undecided = new Map<string, KeyUse['undecided'][number] & { readonly key: PlanName }>();
  return {
    sent: (key: PlanName): void => void sent.set(key, (sent.get(key) ?? 0) + 1),
    /** Notes a 429 that may be within the allowance. */
    undecided(key: PlanName, operation: OperationName, phase: string): void {
      const name = JSON.stringify([key, operation, phase]);
      const count = (undecided.get(name)?.count ?? 0) + 1;
      undecided.set(name, { key, operation, phase, count });
    },
    take(): Pick<SecondRecord, 'keyUse'> {
      const keys = new Set([...sent.keys(), ...[...undecided.values()].map(({ key }) => key)]);
      const keyUse = [...keys].map((key) => ({
        key,
        sent: sent.get(key) ?? 0,
        undecided: [...undecided.values()].flatMap(({ key: own, ...rest }) => (own === key ? [rest] : [])),
      }));
      sent.clear();
      undecided.clear();
      return { keyUse };
    },
  };
}
