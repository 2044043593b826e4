import { MOST_REFUSED } from '../load/refusal-bound.js';
import type { KeyPlayer } from './key-player.js';
import { minuteMs, type Figures } from '../../judge/limits/bounds.js';
import { each, told, type Played } from './played.js';

/** Even a bucket that refills at half the rate is full after so many windows. */
export const SILENT_WINDOWS = 2;
/** Pauses between single requests, in beats: longer ones and shorter ones by turns. */
const PAUSES = [3, 5.3, 2.6, 6.1, 3.7, 4.4, 2.9, 5.7, 3.3, 4.9, 2.7, 6.4, 3.9];

/** Beats in a window at most: so often others may come, whatever the plan. */
const BEATS = 60;

/** A key that shows nobody is watched on, so often: a full bucket hides others for a while. */
const MOST_TIMES = 3;

/** Most requests of a watched key. */
export const WATCH_REQUESTS = MOST_TIMES * PAUSES.length + 1;

/** Returns the time between two beats, ms. */
const beatMs = (figures: Figures): number => minuteMs(figures) / Math.min(BEATS, figures.perMinute);

/** Returns how long a key is watched after the silence at most, ms. */
export const watchedMs = (figures: Figures): number =>
  MOST_TIMES * PAUSES.reduce((sum, beats) => sum + beats, 0) * beatMs(figures);

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
  await player.pause(last + SILENT_WINDOWS * player.windowMs, whatOf(player));
  await player.ask('watch', 'lone');
}

/** Sends single requests; false where one more refusal might be one too many. */
async function singles(player: KeyPlayer): Promise<boolean> {
  const { session, lab } = player;
  for (const beats of PAUSES) {
    if (session.refused() >= MOST_REFUSED - 2) return false;
    await player.pause(lab.now() + beats * beatMs(session.figures), whatOf(player));
    await player.ask('watch', 'pause');
  }
  return true;
}
