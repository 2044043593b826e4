import type { OperationName } from '../../base/interface/types.js';
import { MOST_REFUSED, type Asked, type QuestionName } from '../../judge/limits/asked.js';
import type { KeyPlayer } from './key-player.js';
import { burst, type Burst } from './play-burst.js';
import { AT_ONCE, EDGE_LEFT } from './question-numbers.js';

/** Goes to where a few are left, then sends more than that at the same moment, then each operation once. */
export async function edge(
  player: KeyPlayer,
  question: QuestionName,
  before: readonly Asked[] = [],
): Promise<Burst> {
  const near = await burst(player, question, { spare: EDGE_LEFT, before });
  if (near.refusal === null && near.left < AT_ONCE)
    await player.together(question, 'together', AT_ONCE, near.left);
  // Without Remaining, or with a wrong one, more may be left than counted.
  if (player.session.refused() === 0)
    await burst(player, question, { before: player.record.asked.filter((one) => one.question === question) });
  const probes: readonly OperationName[] = [
    ...player.lab.operations.filter((operation) => operation !== 'listPets'),
    'listPets',
  ];
  // One refusal is left for the request after the silence.
  for (const operation of probes)
    if (player.session.unserved() < MOST_REFUSED - 1) await player.ask(question, 'probe', operation);
  return near;
}
