import { untried, type Judgement } from '../findings/finding.js';
import { listed } from '../format/format.js';
import type { Probes } from '../probes/probes.js';

/** That a name which is easily mangled was not taken, so that nothing shows what later answers would make of it. */
export async function untakenNames(probes: Pick<Probes, 'namesNotTaken'>): Promise<readonly Judgement[]> {
  const names = await probes.namesNotTaken();
  return names.length > 0 ? [untried(`what becomes of ${listed(names)} (no creation with it was taken)`)] : [];
}
