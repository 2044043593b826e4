import type { Asked, QuestionName } from '../../judge/limits/asked.js';
import { leftOf, wasServed } from '../../judge/limits/sample.js';
import { NOTHING_RUN, type DayQuotaSeries, type KeySeries } from '../../judge/limits/series.js';
import type { KeySession } from '../load/key-session.js';
import type { Lab } from '../load/lab.js';
import { useUpDay } from './day-quota.js';
import { KeyPlayer } from './key-player.js';
import { anotherRound, firstRound } from './play-rounds.js';
import { watch } from './play-watch.js';
import { announce, each, isSelected, silent, type Played, type KeyOptions } from './played.js';

/** Keys whose refusals are timed: each takes up to a second, and two show windows of either kind. */
const TIMED_KEYS = 2;

/** What the judges decide while a run goes on. */
export interface Judges {
  /** Is true if something was seen only once: then the burst is asked once more. */
  readonly isUnsure: (keys: readonly KeySeries[]) => boolean;
  /** Is true if somebody else on this key may explain a fault: then it is watched. */
  readonly mayBeShared: (key: KeySeries, keys: readonly KeySeries[]) => boolean;
}

/**
 * Asks all keys the selected questions, side by side, smallest plan first. It knows responses, waits and a
 * budget, and nothing of rows.
 *
 * @param judges what the judges would know of what was asked so far
 */
export async function askAllKeys(
  sessions: readonly KeySession[],
  lab: Lab,
  driveOf: (session: KeySession) => KeyOptions,
  judges: Judges,
): Promise<readonly KeySeries[]> {
  const all = sessions.map((session, at) => ({
    player: new KeyPlayer(session, lab, at < TIMED_KEYS ? at : null),
    drive: driveOf(session),
  }));
  const asks = (question: QuestionName): readonly Played[] => all.filter((one) => isSelected(one, question));

  // A key that was in use within the last window begins a window later; the others go on meanwhile.
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
  const goingOn = (question: QuestionName): readonly Played[] =>
    lab.signal.aborted ? [] : asks(question).filter(({ player }) => !player.isDone);
  const again = goingOn('third');
  if (again.length > 0 && judges.isUnsure(all.map(seriesOf))) await anotherRound(again, 'third', lab);
  if (!lab.signal.aborted) await watch(all, (one) => judges.mayBeShared(seriesOf(one), all.map(seriesOf)));

  const series: KeySeries[] = [];
  for (const one of all) {
    const asked = seriesOf(one);
    const dayQuota = await dayOf(one);
    series.push(dayQuota === null ? asked : { ...asked, dayQuota });
  }
  await Promise.all(all.map(({ player }) => player.close()));
  return series;
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
    return isFirst && player.leftBy(early, 1) >= player.limit - 1
      ? player.record.adopt('whole', early)
      : null;
  }
  const lone = await player.ask('whole', 'lone');
  if (wasServed(lone) && player.leftBy(lone, 1) >= player.limit - 1) return lone;
  player.record.forget();
  return null;
}

async function dayOf({ player, drive }: Played): Promise<DayQuotaSeries | null> {
  if (!drive.profiles.has('day-quota') || player.lab.signal.aborted) return null;
  // It begins with a silence, and no question follows.
  player.kept = 0;
  const startedAt = player.lab.now();
  const { series, sentence } = await useUpDay(player, drive);
  drive.report('day-quota', startedAt, { sentence });
  return series;
}

/** What was recorded of each key so far: the same value until something new is. */
const latest = new WeakMap<KeyPlayer, KeySeries>();

function seriesOf({ player, drive }: Played): KeySeries {
  const { session, lab, record } = player;
  const known = latest.get(player);
  const sent = drive.earlier.length + session.samples().length;
  const isCurrent =
    known?.asked?.length === record.asked.length &&
    known.earlier.length + known.asked.length === sent &&
    known.stalls.length === lab.stalls.length;
  if (isCurrent) return known;
  const placed = new Set(record.originals);
  const series: KeySeries = {
    ...NOTHING_RUN,
    key: session.key,
    figures: session.figures,
    exclusive: drive.exclusive,
    aloneSince: drive.aloneSince,
    earlier: [...drive.earlier, ...session.samples()].filter((sample) => !placed.has(sample)),
    asked: [...record.asked],
    stalls: [...lab.stalls],
  };
  latest.set(player, series);
  return series;
}
