import { bySending, wasRefused, wasServed, type Sample } from '../../judge/limits/sample.js';
import { Enough } from './enough.js';
import type { KeyPlayer } from './key-player.js';
import { burst, eachOperation } from './play-burst.js';

/**
 * Uses up a key's allowance, to the first refusal. A key whose first request is refused was used or banned
 * before: it waits once as that refusal asks. Returns what it sent.
 */
export async function useUp(player: KeyPlayer): Promise<readonly Sample[]> {
  player.profile = 'ban';
  try {
    const first = await player.ask('whole', 'lone');
    if (wasRefused(first)) {
      await player.pause(player.allowedAt(first), `Retry-After on the ${player.session.key} key`);
      await player.ask('whole', 'return');
    }
    const from = player.record.asked.slice(-1);
    if (from.every(wasServed))
      await burst(player, 'whole', { before: [...from, ...(await eachOperation(player, 'whole'))] });
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return bySending(player.record.originals);
}
