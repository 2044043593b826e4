import type { Asked, QuestionName } from '../../judge/limits/plain/asked.js';
import { wasServed, type Sample } from '../../judge/limits/sample.js';
import { leftOf } from '../../judge/limits/plain/left.js';
import { NOTHING_RUN, type DayQuotaSeries, type KeySeries } from '../../judge/limits/series.js';
import type { KeySession } from '../load/key-session.js';
import type { Lab } from '../load/lab.js';
import { banMetSince } from './ban.js';
import { useUpDay } from './day-quota.js';
import type { KeyOptions } from './key-options.js';
import { Enough, KeyPlayer } from './key-player.js';
import { burst, eachOperation, edge, fromSilence } from './play-burst.js';
import { atReset, back, promisesTwoTimes } from './play-return.js';
import { steady } from './play-steady.js';
import { QUESTIONS } from './questions.js';
import { sentenceOf } from './sentences.js';

/** A key with its player and its options. */
interface Played {
  readonly player: KeyPlayer;
  readonly drive: KeyOptions;
}

/** Keys whose refusals are timed: each takes up to a second, and two show windows of either kind. */
const TIMED_KEYS = 2;

type Round = 'whole' | 'second' | 'third';

/**
 * Asks all keys the selected questions, side by side, smallest plan first. It knows responses, waits and a
 * budget, and nothing of rows.
 *
 * @param isUnsure whether something was seen only once: then the burst is asked once more
 */
export async function askAllKeys(
  sessions: readonly KeySession[],
  lab: Lab,
  driveOf: (session: KeySession) => KeyOptions,
  isUnsure: (keys: readonly KeySeries[]) => boolean,
): Promise<readonly KeySeries[]> {
  const all = sessions.map((session, at) => ({
    player: new KeyPlayer(session, lab, at < TIMED_KEYS ? at : null),
    drive: driveOf(session),
  }));
  const asks = (question: QuestionName): readonly Played[] => all.filter((one) => isSelected(one, question));

  // A key that was in use within the last window begins a window later, beside the others.
  const sent = new Map<Played, Asked>();
  await each(asks('whole'), async (one) => {
    const lone = await firstOfFresh(one);
    if (lone !== null) sent.set(one, lone);
  });
  const begin = (some: readonly Played[]): Promise<void> => firstRound(some, lab, sent);
  await Promise.all([
    begin(asks('whole').filter((one) => sent.has(one))),
    silentAtFirst(asks('whole').filter((one) => !sent.has(one))).then(begin),
  ]);
  await anotherRound(asks('second'), 'second', lab);
  const again = asks('second').filter(({ player }) => !player.isDone);
  if (again.length > 0 && !lab.signal.aborted && isUnsure(all.map((one) => seriesOf(one))))
    await anotherRound(again, 'third', lab);

  const series: KeySeries[] = [];
  for (const one of all) series.push({ ...seriesOf(one), dayQuota: await dayOf(one) });
  await Promise.all(all.map(({ player }) => player.close()));
  return series;
}

/** Is true if a question was selected, by the name of its profile. */
const isSelected = ({ drive }: Played, question: QuestionName): boolean =>
  QUESTIONS.some(({ name, profile }) => name === question && drive.profiles.has(profile));

/** Does some work with each key that can go on, side by side. */
async function each(some: readonly Played[], work: (one: Played) => Promise<void>): Promise<void> {
  await Promise.all(
    some.map(async (one) => {
      if (one.player.isDone) return;
      try {
        await work(one);
      } catch (error) {
        if (!(error instanceof Enough)) throw error;
        one.player.isDone = true;
      }
    }),
  );
}

/** Waits until each key was silent for a window. */
async function silent(some: readonly Played[]): Promise<readonly Played[]> {
  await each(some, ({ player, drive }) =>
    player.silence(`a window of the ${player.session.key} plan without a request`, drive.earlier),
  );
  return some;
}

/** Waits for the silence of keys that the run has used. */
function silentAtFirst(some: readonly Played[]): Promise<readonly Played[]> {
  for (const one of some) announce(one, 'whole', one.player.windowMs);
  return silent(some);
}

/**
 * Sends the first request of a key, unless the run used it already; null if the key was in use. A single
 * request of the run that found the whole allowance is the first one: preflight sends it.
 */
async function firstOfFresh({ player, drive }: Played): Promise<Asked | null> {
  const since = player.lab.now() - player.windowMs;
  const recent = [...drive.earlier, ...player.session.samples()].filter(
    ({ answeredAt }) => answeredAt > since,
  );
  const [early] = recent;
  if (early !== undefined) {
    const isFirst = recent.length === 1 && wasServed(early) && leftOf(early, player.session.figures) !== null;
    return isFirst && player.leftBy(early, 1) >= player.limit - 1 ? player.adopt('whole', early) : null;
  }
  const lone = await player.ask('whole', 'lone');
  if (wasServed(lone) && player.leftBy(lone, 1) >= player.limit - 1) return lone;
  player.forget();
  return null;
}

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
    const last = one.player.last();
    // A strict pacer refuses what comes sooner.
    if (last !== undefined && one.player.leftBy(last, 1) < 1)
      await one.player.pause(last.answeredAt + one.player.windowMs / one.player.limit, 'the pace of a plan');
    const other = await one.player.ask(round, 'others');
    before.set(one, [...(before.get(one) ?? []), other]);
  });
  await each(others, inTurn);
}

/** Asks all questions that follow the first burst; each key goes on by itself. */
async function firstRound(
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
  if (isSelected(one, 'reset') && refusal !== null && promisesTwoTimes(player, refusal)) {
    const first = refusal;
    await told(one, 'reset', () => atReset(player, first));
  }
  if (isSelected(one, 'back') && refusal !== null) {
    const first = refusal;
    let allowed = 0;
    await told(one, 'back', async () => {
      allowed = await back(player, first, began);
      if (isSelected(one, 'steady')) return;
      // The steady run begins with such a request.
      await player.pause(allowed, `Retry-After on the ${player.session.key} plan`);
      await player.ask('back', 'return');
    });
    await player.pause(allowed, `Retry-After on the ${player.session.key} plan`);
  }
  if (isSelected(one, 'steady')) await told(one, 'steady', () => steady(player));
  if (isSelected(one, 'edge') && !player.isTooSlow)
    await told(one, 'edge', async () => void (await edge(player, 'edge')));
}

/** Asks all from silence once more, to the edge. */
async function anotherRound(some: readonly Played[], round: 'second' | 'third', lab: Lab): Promise<void> {
  const quick = some.filter(({ player }) => !player.isTooSlow);
  for (const one of quick) if (!one.player.isDone) announce(one, round);
  await silent(quick);
  await fromSilenceTogether(
    quick.filter(({ player }) => !player.isDone),
    round,
    lab,
    (one, before) =>
      told(one, round, async () => {
        if (before.some((sample) => !wasServed(sample))) return;
        const operations = await eachOperation(one.player, round);
        await edge(one.player, round, [...before, ...operations]);
      }),
  );
}

/** Tells which question a key is asked now, and for how long. @param silenceMs that comes before */
function announce({ player }: Played, question: QuestionName, silenceMs = 0): void {
  const { session, lab } = player;
  const asked = QUESTIONS.find(({ name }) => name === (question === 'third' ? 'second' : question));
  if (asked === undefined) return;
  const { seconds } = asked.cost(session.figures, { latencyMs: session.seen().quickestMs });
  lab.progress(asked.profile, session.key, `${asked.title}: ${asked.sends}`, silenceMs + seconds * 1000);
}

/** Asks a question and reports what came of it, however it ends. */
async function told(one: Played, question: QuestionName, ask: () => Promise<void>) {
  const { player, drive } = one;
  const profile = QUESTIONS.find(({ name }) => name === question)?.profile ?? 'window';
  const startedAt = player.lab.now();
  if (question !== 'second' && question !== 'third') announce(one, question);
  player.begin(profile);
  try {
    await ask();
  } finally {
    const asked = player.asked.filter((sample) => sample.question === question);
    if (asked.some(({ sentAt }) => sentAt >= startedAt) || question === 'whole') {
      const came = sentenceOf(question, player.asked, player.session.figures);
      const sentence = `${came.sentence}${banMetSince(startedAt, player.session)}`;
      drive.report(profile, asked[0]?.sentAt ?? startedAt, { ...came, sentence });
    }
  }
}

/** Uses up the day of a key where that was selected. */
async function dayOf({ player, drive }: Played): Promise<DayQuotaSeries | null> {
  if (!drive.profiles.has('day-quota') || player.lab.signal.aborted) return null;
  const startedAt = player.lab.now();
  const { series, sentence } = await useUpDay(player, drive);
  drive.report('day-quota', startedAt, { sentence });
  return series;
}

/** Everything that was recorded of a key. */
function seriesOf({ player, drive }: Played): KeySeries {
  const { session } = player;
  const placed = new Set(player.originals);
  return {
    ...NOTHING_RUN,
    key: session.key,
    figures: session.figures,
    exclusive: drive.exclusive,
    aloneSince: drive.aloneSince,
    earlier: [...drive.earlier, ...session.samples()].filter((sample) => !placed.has(sample)),
    asked: [...player.asked],
  };
}
