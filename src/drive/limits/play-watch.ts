import { MOST_REFUSED } from '../../judge/limits/asked.js';
import { REMEMBERED_WINDOWS } from '../../judge/limits/bounds.js';
import type { KeyPlayer } from './key-player.js';
import { each, told, type Played } from './played.js';
import { beatMs, MOST_TIMES, WATCH_PAUSES } from './question-numbers.js';

/**
 * Watches keys that somebody else may use: single requests after two windows of silence, as long as others
 * may explain a fault, and nothing shows or excludes them.
 */
export const watch = (some: readonly Played[], mayBeShared: (one: Played) => boolean): Promise<void> =>
  each(
    some.filter((one) => !one.player.isDone && mayBeShared(one)),
    (one) =>
      told(one, 'watch', async () => {
        await fromSilence(one.player);
        for (let time = 0; time === 0 || (time < MOST_TIMES && mayBeShared(one)); time += 1)
          if (!(await singles(one.player))) return;
      }),
  );

const whatOf = ({ session }: KeyPlayer): string => `a pause that shows other users of the ${session.key} key`;

async function fromSilence(player: KeyPlayer): Promise<void> {
  const last = player.record.last()?.answeredAt ?? player.lab.now();
  await player.pause(last + REMEMBERED_WINDOWS * player.windowMs, whatOf(player));
  await player.ask('watch', 'lone');
}

/** Sends single requests; false where one more refusal might be one too many. */
async function singles(player: KeyPlayer): Promise<boolean> {
  const { session, lab } = player;
  for (const beats of WATCH_PAUSES) {
    if (session.unserved() >= MOST_REFUSED - 2) return false;
    await player.pause(lab.now() + beats * beatMs(session.figures), whatOf(player));
    await player.ask('watch', 'pause');
  }
  return true;
}
