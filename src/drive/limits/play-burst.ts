import type { Asked, QuestionName } from '../../judge/limits/asked.js';
import { BRIEF, CLEARLY_MORE, FEWEST, MANY, MOSTLY } from '../../judge/limits/bounds.js';
import { wasRefused, wasServed, type Sample } from '../../judge/limits/sample.js';
import { heldUp } from '../../wire/exchange/stalls.js';
import { MOST_UNCERTAIN } from '../load/refusal-bound.js';
import { type KeyPlayer, Enough } from './key-player.js';
import { AT_ONCE, MOST_OPEN } from './question-numbers.js';

/** Requests left for the part one by one, in addition to two for each open one. */
const NEAR = 7;
/** A burst from silence that leaves fewer than this has no room for three of each operation. */
const ROOM_FOR_EACH = 20;

export interface Burst {
  readonly served: number;
  readonly refusal: Sample | null;
  /** Requests left by the last response; as far as Remaining was true before. */
  readonly left: number;
}

/** From silence: one request, unless it was sent already, and where more are left six at the same moment. */
export async function fromSilence(
  player: KeyPlayer,
  question: QuestionName,
  sent: Asked | null = null,
): Promise<readonly Asked[]> {
  const lone = sent ?? (await player.ask(question, 'lone'));
  return wasServed(lone) && player.leftBy(lone, 1) >= MOST_UNCERTAIN
    ? [lone, ...(await player.together(question, 'six', MOST_UNCERTAIN))]
    : [lone];
}

/**
 * Three of each operation, one by one: one or two may meet a refill. Their time shows how many requests a
 * burst needs open.
 */
export async function eachOperation(player: KeyPlayer, question: QuestionName): Promise<readonly Asked[]> {
  const answers: Asked[] = [];
  const latest = player.record.last();
  if (latest !== undefined && player.leftBy(latest, 1) < ROOM_FOR_EACH) return [];
  for (const operation of player.lab.operations)
    for (let sent = 0; sent < FEWEST; sent += 1)
      if (answers.every(wasServed)) answers.push(await player.ask(question, 'operations', operation));
  const times = answers
    .map(({ sentAt, answeredAt }) => answeredAt - sentAt)
    .sort((one, other) => one - other);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  // It should be brief, so that little comes back meanwhile.
  const open = (player.limit * median) / (BRIEF * player.windowMs);
  player.width = Math.min(MOST_OPEN, Math.max(1, Math.ceil(open)));
  // Near the edge requests must come clearly faster than they come back.
  const near = (CLEARLY_MORE * player.limit * median) / player.windowMs;
  player.nearWidth = Math.min(AT_ONCE, Math.max(1, Math.ceil(near)));
  // A burst that takes longer on all connections would not distinguish a refill from an excess.
  if ((player.limit * (times[0] ?? 0)) / MOST_OPEN > MOSTLY * player.windowMs) throw new Enough();
  return answers;
}

/**
 * Uses up the allowance: in parallel, one by one near the edge and beyond it, and in parallel again past what
 * was promised. It ends with the first refusal, with a second response that is neither success nor 429, with
 * more than two allowances, or with the window.
 *
 * @param spare ends where no more are left, before the edge
 * @param isTimed sends the first request beyond the allowance at a moment that shows how Retry-After is
 *   rounded
 */
export async function burst(
  player: KeyPlayer,
  question: QuestionName,
  {
    spare = 0,
    before = [],
    isTimed = false,
  }: { readonly spare?: number; readonly before?: readonly Asked[]; readonly isTimed?: boolean } = {},
): Promise<Burst> {
  const began = player.lab.now();
  let served = before.filter(wasServed).length;
  /** Allowed in this window. */
  let used = served;
  let least = player.limit;
  let refusal: Sample | null = before.find(wasRefused) ?? null;
  let odd = 0;
  const latest = before.findLast(wasServed);
  // Of those under way together any answer may have come last.
  const last = before.filter((sample) => wasServed(sample) && sample.answeredAt >= (latest?.sentAt ?? 0));
  let left =
    latest === undefined ? player.limit : Math.min(...last.map((sample) => player.leftBy(sample, served)));
  /** False after a response that may have counted unseen: fewer may be left than was read. */
  let isLeftSure = true;
  /** When the answer came that told it. */
  let toldAt = -Infinity;
  const [opening] = before;
  let promise = opening === undefined ? null : player.leftBy(opening, 1) + 1;
  const note = (sample: Sample): void => {
    if (wasServed(sample)) {
      served += 1;
      odd = 0;
      isLeftSure = true;
      const own = player.leftBy(sample, served);
      const isAnew = own > least + MOST_OPEN;
      // Of those under way together the last answer may have been counted first.
      if (isAnew || own <= left || sample.sentAt >= toldAt) [left, toldAt] = [own, sample.answeredAt];
      // A window that begins promises all of it.
      if (isAnew) promise = player.limit;
      used = isAnew ? player.limit - left : used + 1;
      least = isAnew ? left : Math.min(least, left);
      promise ??= left + served;
    } else if (wasRefused(sample)) refusal ??= sample;
    else {
      isLeftSure = false;
      if (sample.status !== 0 && (odd += 1) > 1) refusal ??= sample;
    }
  };
  const really = (): number => Math.max(0, left - player.lies);
  const isOver = (): boolean =>
    refusal !== null ||
    served > CLEARLY_MORE * player.limit ||
    player.lab.now() > began + player.windowMs ||
    player.lab.signal.aborted;
  /** Requests that an even refill brought since the first one. */
  const back = (): number =>
    ((player.lab.now() - (opening?.sentAt ?? began)) * player.limit) / player.windowMs;
  // No refusal is near: then several in parallel.
  const isBeyond = (): boolean => used > (promise ?? player.limit) + back() + MANY;
  const inParallel = async (width: number, isNear: () => boolean): Promise<void> => {
    // Each call sends: without room, or with all responses lost, it would not end.
    while (!isOver() && !isNear() && player.session.room() > 0) {
      const [far, before] = [player.limit + back() - used, used];
      // A window that begins again has room for more connections.
      const hasRoom = (): boolean => !isOver() && !isNear() && used >= before;
      const sent = await player.inParallel(question, 'burst', width, hasRoom, { note, far });
      if (sent.every(({ status }) => status === 0)) return;
    }
  };

  const goesOn = (): boolean => !isOver() && !isBeyond();
  /** Goes on until so many are left; where requests are slow, several in parallel, as long as they leave more. */
  const downTo = async (last: number): Promise<void> => {
    const isAbove = (): boolean => goesOn() && really() > last;
    if (player.nearWidth > 1) {
      await inParallel(player.nearWidth, () => !isAbove() || really() <= last + player.nearWidth);
      // What comes back meanwhile would keep it from the edge.
      const most = really() - last;
      if (isAbove()) await player.inParallel(question, 'burst', player.nearWidth, isAbove, { note, most });
      return;
    }
    while (isAbove()) {
      const [leftBefore, isSure] = [left, isLeftSure];
      note(await player.ask(question, 'burst'));
      if (refusal !== null && isSure && player.showsLeft) player.lies = Math.max(player.lies, leftBefore);
    }
  };
  /** Goes beyond what is left, faster than it comes back. */
  const pastTheEdge = async (): Promise<void> => {
    if (goesOn()) note(await player.ask(question, 'burst'));
    while (goesOn())
      if (player.nearWidth > 1)
        await player.inParallel(question, 'burst', player.nearWidth, goesOn, { note });
      else note(await player.ask(question, 'burst'));
    await inParallel(AT_ONCE, () => false);
  };

  if (player.session.refused() > 0 && !isOver()) note(await player.ask(question, 'return'));
  // By the latest response, of a window that is over, too few would be open: one request shows what is left.
  else if (opening === undefined && player.width > MOST_UNCERTAIN && !isOver())
    note(await player.ask(question, 'burst'));
  await inParallel(player.width, () => really() <= 2 * Math.min(player.width, MOST_UNCERTAIN) + NEAR);
  await downTo(spare);
  if (spare === 0) {
    if (isTimed && goesOn()) await player.untilMoment(opening?.answeredAt ?? began);
    await pastTheEdge();
  }
  const until = player.lab.now();
  // Where this machine was held up for most of it, another burst may be quicker.
  if (refusal === null && until > began + player.windowMs)
    player.isTooSlow = heldUp(player.lab.stalls, began, until) < MOSTLY * (until - began);
  return { served, refusal, left: really() };
}
