import { statusOf } from '../exchange/headers.js';
import { untried, type Judgement } from '../findings/finding.js';
import { listed } from '../format/format.js';
import type { Probes } from '../probes/probes.js';

type Telltale = Awaited<ReturnType<Probes['telltales']>>[number];

const untold = (left: readonly Telltale[], why: string): readonly Judgement[] =>
  left.length > 0 ? [untried(`${listed(left.map(({ what }) => what))} (${why})`)] : [];

/** Reports creations with an easily mangled part that failed, so no response shows its effect. */
export async function untakenNames(probes: Pick<Probes, 'telltales'>): Promise<readonly Judgement[]> {
  const left = (await probes.telltales()).filter(({ creation }) => statusOf(creation.exchange) !== 201);
  return untold(left, 'no creation with such a name was accepted');
}

/**
 * Reports those parts without an animal whose fetch was compared with a listing.
 * @param compared names of the compared animals
 */
export async function reportUncompared(
  compared: ReadonlySet<unknown>,
  probes: Pick<Probes, 'telltales'>,
): Promise<readonly Judgement[]> {
  const left = (await probes.telltales()).filter(({ creation }) => !compared.has(creation.sent.name));
  return untold(left, 'no animal with such a name was both listed and fetched');
}
