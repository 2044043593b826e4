import { isLongBySeconds, ROUNDED_UP_MS } from '../../judge/limits/bounds.js';
import { resetTime } from '../../judge/limits/clock.js';
import { wasRefused, wasServed, type Sample } from '../../judge/limits/sample.js';
import { whenAllowed } from '../../judge/limits/when-allowed.js';
import type { KeyPlayer } from './key-player.js';
import { burst, type Burst } from './play-burst.js';
import { BACK_SHARE, EDGE_LEFT, UNEVEN } from './question-numbers.js';

/** A request that would leave later than this share of a window after the burst begins the next question. */
const CLEARLY_WITHIN = 0.95;
/** Later returns wait for what the first one left at most: what is back by then shows the rate. */
const AT_MOST_SHARE = 1 - BACK_SHARE;
/** And this at least: a pacer allows one request at a time, and more returns show another client of its key. */
const AT_LEAST_SHARE = 1 / 24;

/** A refill at a tenth more than the plan's rate keeps up with this, and the plan's own does not. */
const FASTER = 1.08;
/** Meanwhile the plan's rate brings five fewer, of which two were left, one is rounded and one all but there. */
const PACED = 65;

/**
 * Comes back at Retry-After and takes what there is, to the next refusal; again for as long as that is
 * clearly sooner than a window after the burst began. Returns when the last refusal is over.
 */
export async function back(player: KeyPlayer, refusal: Sample, began: number): Promise<number> {
  let from = began;
  let last = refusal;
  const [lone] = player.record.asked;
  const held = lone === undefined ? player.limit : player.leftBy(lone, 1) + 1;
  const share = Math.min(AT_MOST_SHARE, Math.max(AT_LEAST_SHARE, (BACK_SHARE * held) / player.limit));
  // Within a short window there is often no second return, and its refusals need no moment.
  const pacedAt = isLongBySeconds(player.session.figures) ? 2 : 1;
  for (let time = 1; ; time += 1) {
    const allowed = player.allowedAt(last);
    const next =
      time === 1
        ? allowed
        : Math.max(
            allowed,
            last.answeredAt +
              share * (player.windowMs + (time * player.intervalMs) / (AT_MOST_SHARE * UNEVEN)),
          );
    if (next > from + CLEARLY_WITHIN * player.windowMs) return allowed;
    await player.pauseAfter(last, next);
    const at = player.lab.now();
    const { refusal: refused, served } =
      time === pacedAt ? await paced(player) : await burst(player, 'back', { isTimed: time === 1 });
    if (refused === null) return player.lab.now();
    // A window of the clock may bring a whole allowance so soon, once.
    if (time === 1 && served > CLEARLY_WITHIN * player.limit) from = at;
    last = refused;
  }
}

/**
 * Takes what there is except a few, then sends somewhat faster than the plan, to the next refusal. Only so a
 * bucket that is full again at each Retry-After shows how fast it refills.
 */
async function paced(player: KeyPlayer): Promise<Burst> {
  const { lab, limit, windowMs } = player;
  const near = await burst(player, 'back', { spare: EDGE_LEFT });
  if (near.refusal !== null) return near;
  const gapMs = windowMs / (FASTER * limit);
  const began = lab.now();
  for (let sent = 1; sent <= PACED && player.showsLeft; sent += 1) {
    const due = began + sent * gapMs;
    // A target too far away for one request at a time is asked by a burst.
    if (!(await lab.sleepUntil(due, lab.signal)) || lab.now() > due + gapMs) break;
    const answer = await player.ask('back', 'paced');
    if (wasRefused(answer)) return { ...near, served: near.served + sent - 1, refusal: answer };
  }
  return burst(player, 'back');
}

/**
 * Is true if the Reset of a refusal comes clearly sooner than its Retry-After, and not before the refusal.
 * Both are whole seconds.
 */
export function promisesTwoTimes(player: KeyPlayer, refusal: Sample): boolean {
  const { session, lab } = player;
  const reset = resetTime(refusal, lab.clock());
  return (
    reset !== null &&
    reset.latest > refusal.sentAt - ROUNDED_UP_MS &&
    reset.latest + ROUNDED_UP_MS < whenAllowed(refusal, session.figures, lab.clock()) - ROUNDED_UP_MS
  );
}

/** Asks a second after Reset, before Retry-After is over. */
export async function atReset(player: KeyPlayer, refusal: Sample): Promise<void> {
  const { session, lab } = player;
  const reset = resetTime(refusal, lab.clock());
  if (reset === null) return;
  // A sliding counter returns its first request an interval later.
  const laterMs = Math.max(player.intervalMs, secondLeavesMs(player.record.asked));
  await player.pause(reset.latest + ROUNDED_UP_MS + laterMs, `Reset on the ${session.key} plan`);
  await player.ask('reset', 'return');
}

/** A log that counts refusals allows a request only as its second one leaves it: so long after the first, ms. */
function secondLeavesMs(asked: readonly Sample[]): number {
  const [first, second] = asked.filter(wasServed);
  return first === undefined || second === undefined ? 0 : second.sentAt - first.sentAt;
}
