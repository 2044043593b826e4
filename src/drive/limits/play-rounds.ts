import type { Asked } from '../../judge/limits/asked.js';
import { wasServed, type Sample } from '../../judge/limits/sample.js';
import type { Lab } from '../load/lab.js';
import { burst, eachOperation, fromSilence } from './play-burst.js';
import { edge } from './play-edge.js';
import { idle, unlikeTime } from './play-idle.js';
import { atReset, back, promisesTwoTimes } from './play-return.js';
import { steady } from './play-steady.js';
import { announce, each, isSelected, silent, told, type Played } from './played.js';
import { questionOf } from './select.js';

type Round = 'whole' | 'second' | 'third';

/**
 * Bursts from silence. All keys send their first requests; then the smallest plan's allowance is used up
 * while the others are silent, and each of them sends one request before it begins its own.
 */
async function fromSilenceTogether(
  some: readonly Played[],
  round: Round,
  lab: Lab,
  use: (one: Played, before: readonly Asked[]) => Promise<void>,
  sent: ReadonlyMap<Played, Asked> = new Map(),
): Promise<void> {
  const before = new Map<Played, readonly Asked[]>();
  const inTurn = (one: Played): Promise<void> => lab.inTurn(() => use(one, before.get(one) ?? []));
  await each(
    some,
    async (one) => void before.set(one, await fromSilence(one.player, round, sent.get(one) ?? null)),
  );
  const [smallest, ...others] = some;
  await each(smallest === undefined ? [] : [smallest], inTurn);
  await each(others, async (one) => {
    const last = one.player.record.last();
    // A strict pacer refuses what comes sooner.
    if (last !== undefined && one.player.leftBy(last, 1) < 1)
      await one.player.pause(last.answeredAt + one.player.intervalMs, 'the pace of a plan');
    const other = await one.player.ask(round, 'others');
    before.set(one, [...(before.get(one) ?? []), other]);
  });
  await each(others, inTurn);
}

/** Asks all questions that follow the first burst; each key goes on by itself. */
export async function firstRound(
  some: readonly Played[],
  lab: Lab,
  sent: ReadonlyMap<Played, Asked>,
): Promise<void> {
  const going: Promise<void>[] = [];
  const use = async (one: Played, before: readonly Asked[]): Promise<void> => {
    const { player } = one;
    const began = before[0]?.sentAt ?? lab.now();
    let refusal: Sample | null = before.find((sample) => !wasServed(sample)) ?? null;
    await told(one, 'whole', async () => {
      if (refusal !== null) return;
      const operations = await eachOperation(player, 'whole');
      ({ refusal } = await burst(player, 'whole', { before: [...before, ...operations], isTimed: true }));
    });
    going.push(each([one], () => goOn(one, began, refusal)));
  };
  await fromSilenceTogether(some, 'whole', lab, use, sent);
  await Promise.all(going);
}

/** Asks what follows a burst that was used up. */
async function goOn(one: Played, began: number, refusal: Sample | null): Promise<void> {
  const { player } = one;
  if (isSelected(one, 'reset') && refusal !== null && promisesTwoTimes(player, refusal))
    await told(one, 'reset', () => atReset(player, refusal));
  if (isSelected(one, 'back') && refusal !== null) {
    let allowed = 0;
    await told(one, 'back', async () => {
      allowed = await back(player, refusal, began);
      if (isSelected(one, 'steady')) return;
      // The steady run begins with such a request.
      await player.pauseAfter(player.record.last(), allowed);
      await player.ask('back', 'return');
    });
    await player.pauseAfter(player.record.last(), allowed);
  }
  if (isSelected(one, 'steady')) await told(one, 'steady', () => steady(player));
  if (isSelected(one, 'edge') && !player.isTooSlow)
    await told(one, 'edge', async () => void (await edge(player, 'edge')));
}

/** Asks all from silence once more, to the edge. */
export async function anotherRound(
  some: readonly Played[],
  round: 'second' | 'third',
  lab: Lab,
): Promise<void> {
  const quick = some.filter(({ player }) => !player.isTooSlow);
  for (const one of quick) if (!one.player.isDone) announce(one, round);
  await silent(quick);
  await each(quick, ({ player }) => unlikeTime(player));
  for (const { player } of quick) player.profile = questionOf(round).profile;
  const going: Promise<void>[] = [];
  await fromSilenceTogether(
    quick.filter(({ player }) => !player.isDone),
    round,
    lab,
    async (one, before) => {
      await told(one, round, async () => {
        if (before.some((sample) => !wasServed(sample))) return;
        const operations = await eachOperation(one.player, round);
        await edge(one.player, round, [...before, ...operations]);
      });
      going.push(each([one], () => told(one, 'idle', () => idle(one.player))));
    },
  );
  await Promise.all(going);
}
