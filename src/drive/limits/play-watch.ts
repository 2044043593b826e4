import { MOST_REFUSED } from '../../judge/limits/asked.js';
import { REMEMBERED_WINDOWS } from '../../judge/limits/bounds.js';
import type { KeyPlayer } from './key-player.js';
import { each, told, type Played } from './played.js';
import { beatMs, WATCH_ROUNDS, type WatchRound } from './question-numbers.js';

/**
 * Watches keys that somebody else may use: single requests after two windows of silence, as long as others
 * may explain a fault, and nothing shows or excludes them.
 */
export async function watch(some: readonly Played[], mayBeShared: (one: Played) => boolean): Promise<void> {
  // A key that was refused too often has one refusal left for it.
  for (const { player } of some) player.isDone = player.session.unserved() >= MOST_REFUSED;
  await each(
    some.filter((one) => !one.player.isDone && mayBeShared(one)),
    (one) =>
      told(one, 'watch', async () => {
        await fromSilence(one.player);
        for (const [at, rounds] of WATCH_ROUNDS.entries()) {
          // A full bucket hides others for a while.
          if (at > 0 && !mayBeShared(one)) return;
          for (const round of rounds) if (!(await singles(one.player, round))) return;
        }
      }),
  );
}

const whatOf = ({ session }: KeyPlayer): string => `a pause that shows other users of the ${session.key} key`;

async function fromSilence(player: KeyPlayer): Promise<void> {
  const last = player.record.last()?.answeredAt ?? player.lab.now();
  await player.pause(last + REMEMBERED_WINDOWS * player.windowMs, whatOf(player));
  await player.ask('watch', 'lone');
}

/** Sends single requests; false where one more refusal might be one too many. */
async function singles(player: KeyPlayer, { short, longer }: WatchRound): Promise<boolean> {
  const { session, lab, record } = player;
  const beat = beatMs(session.figures);
  const after = async (ms: number): Promise<boolean> => {
    if (session.unserved() >= MOST_REFUSED - 2) return false;
    await player.pause(lab.now() + ms, whatOf(player));
    await player.ask('watch', 'pause');
    return true;
  };
  const from = record.last()?.sentAt ?? lab.now();
  for (const beats of short) if (!(await after(beats * beat))) return false;
  const bothMs = (record.last()?.answeredAt ?? lab.now()) - from;
  for (const more of longer) if (!(await after(bothMs + more * beat))) return false;
  return true;
}
