import type { ProfileName } from '../base/interface/names.js';
import type { RequirementId } from '../base/interface/types.js';
import type { LogRecord } from './record.js';

/** Counts the responses of a profile that satisfied requirements, where there are too many to record each. */
export function keptCounts(profile: ProfileName | 'explore' | 'capacity') {
  const counts = new Map<RequirementId, number>();
  const answers = new Map<RequirementId, Set<string>>();
  return {
    /**
     * Counts responses that satisfied these requirements.
     *
     * @param answer the responses, as `getPet 404`, where no other record names them
     */
    add(requirements: readonly RequirementId[], count = 1, answer?: string): void {
      for (const requirement of requirements) {
        counts.set(requirement, (counts.get(requirement) ?? 0) + count);
        if (answer === undefined) continue;
        const known = answers.get(requirement);
        if (known) known.add(answer);
        else answers.set(requirement, new Set([answer]));
      }
    },
    records: (): readonly LogRecord[] =>
      [...counts].map(([requirement, kept]) => {
        const named = answers.get(requirement);
        return { type: 'tally', requirement, kept, profile, ...(named && { answers: [...named] }) };
      }),
  };
}
