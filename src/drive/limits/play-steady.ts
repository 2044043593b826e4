import { NEARLY, type Figures } from '../../judge/limits/bounds.js';
import { wasServed } from '../../judge/limits/sample.js';
import { MOST_REFUSED, STEADY_SHARE } from '../../judge/limits/asked.js';
import { sendEvenly } from './even-pace.js';
import type { KeyPlayer } from './key-player.js';
import { PAUSE_SHARE, STEADY_WINDOWS } from './question-numbers.js';

/** Refusals in a row after which it waits as the refusal asks: no lone mishap, and half of the bound. */
const WAITS_AFTER = MOST_REFUSED / 2;
/** Waits that a client believes before it goes on. */
const COMES_BACK = 3;

export const steadyGapMs = ({ perMinute, minuteSeconds }: Figures): number =>
  (minuteSeconds * 1000) / (STEADY_SHARE * perMinute);

async function acrossPause(player: KeyPlayer): Promise<void> {
  const last = player.record.last();
  if (last?.question !== 'steady' || last.part !== 'paced' || !wasServed(last)) {
    // Refused in spite of its wait, a client waits again.
    for (let tries = 0; tries < COMES_BACK; tries += 1) {
      const first = await player.ask('steady', 'paced');
      if (wasServed(first)) break;
      await player.pauseAfter(first, player.allowedAt(first));
    }
  }
  const what = `a pause that shows other users of the ${player.session.key} key`;
  await player.pause(player.lab.now() + PAUSE_SHARE * player.windowMs, what);
  await player.ask('steady', 'pause');
}

/** Sends 95 % of the plan, evenly, whatever is refused. After four refusals in a row it waits. */
export async function steady(player: KeyPlayer): Promise<void> {
  const { lab, session } = player;
  const began = lab.now();
  await acrossPause(player);
  const { sink } = player.keeping('steady', 'paced');
  const end = began + STEADY_WINDOWS * player.windowMs;
  // The second pause comes in the first window, which is not judged: then a log and a bucket hold some.
  let pauseAt = began + NEARLY * player.windowMs;
  await sendEvenly(player, {
    gapMs: steadyGapMs(session.figures),
    until: end,
    async next(due, settled) {
      if (due > pauseAt && session.refused() === 0) {
        pauseAt = Infinity;
        await settled();
        await acrossPause(player);
        return lab.now();
      }
      if (session.refused() < WAITS_AFTER) return due;
      await settled();
      const refusal = player.record.asked.findLast((sample) => !wasServed(sample) && sample.status !== 0);
      if (session.refused() < WAITS_AFTER || refusal === undefined) return due;
      const back = player.allowedAt(refusal);
      if (back > end) return null;
      await player.pauseAfter(player.record.last(), back);
      return due;
    },
    send: (due) => player.askPaced(sink, due),
  });
}
