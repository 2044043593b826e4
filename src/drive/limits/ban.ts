import { NOTHING_RUN, type KeySeries, type BanSeries } from '../../judge/limits/series.js';
import type { Target } from '../../wire/targets/target.js';
import type { Report } from '../load/reporter.js';
import { type Lab, progressEvery } from '../load/lab.js';
import { type KeySession, collector } from '../load/key-session.js';
import { bySending, wasRefused, type Sample, wasServed, refusedIn } from '../../judge/limits/sample.js';
import {
  type Ban,
  banSeen,
  ALLOWANCES,
  LONGEST_WATCH_MS,
  banDeadline,
  GRACE_MS,
} from '../../judge/limits/ban-seen.js';
import { minuteMs, type Figures } from '../../judge/limits/bounds.js';
import type { Cost, CostGiven } from './cost.js';
import { burstSeconds } from './question-numbers.js';
import { Enough, KeyPlayer } from './key-player.js';
import { burst, eachOperation } from './play-burst.js';
import { whenAllowed } from '../../judge/limits/when-allowed.js';
import { banMarks, banSentence } from './ban-sentences.js';

/** Further requests of a ban: one before the wait for its end, one after. */
const PROBES = 2;

export const banCost = (figures: Figures, { latencyMs, ban }: CostGiven): Cost => ({
  requests: ALLOWANCES * figures.perMinute + ban.maxRequests + PROBES,
  seconds: burstSeconds(figures, latencyMs) + (ban.maxSeconds ?? LONGEST_WATCH_MS / 1000),
});

/**
 * Returns when to probe for the end of the ban: just after it is due. Without a ban it probes whether only
 * the limit refused. Null if neither responses nor operator name a time; then it probes now and then, for 15
 * minutes.
 */
function banProbeAt(
  ban: Ban | null,
  pushed: Sample,
  { figures, lab }: { readonly figures: Figures; readonly lab: Lab },
): number | null {
  const last = ban?.last ?? pushed;
  const clock = lab.clock();
  const at = ban === null ? whenAllowed(last, figures, clock) : banDeadline(ban, figures, clock);
  // A 429 may name the year 9999, for which no run can wait.
  if (at === null || at > last.answeredAt + LONGEST_WATCH_MS + (figures.banSeconds ?? 0) * 1000) return null;
  return Math.max(at + GRACE_MS, last.answeredAt);
}

/**
 * Runs the ban before all else: it probes another key during the ban, and the questions later exhaust the
 * other keys. Returns when the ban has begun or none has. `watching` ends with the ban, which can take long.
 *
 * @param session the sacrificial key
 * @param other key of a probe during the ban
 */
export async function banPhase(
  lab: Lab,
  session: KeySession,
  other: KeySession | null,
  target: Pick<Target, 'ban' | 'exclusive'>,
  report: Report,
): Promise<{ readonly watching: Promise<KeySeries> }> {
  const startedAt = lab.now();
  const ask = other && (() => other.ask('listPets', collector('ban')));
  const before = ask && (await ask());
  const found = await push(session, lab, target.ban);
  const asksOther = found.pushed.some(wasRefused) && !lab.signal.aborted;
  const otherKey =
    ask && before && asksOther
      ? { key: other.key, figures: other.figures, before, during: await ask() }
      : null;
  const watched = async (): Promise<KeySeries> => {
    const ban = await watch(session, lab, { ...found, otherKey });
    // The last pushed request may have caused the ban; then the first response after the silence shows it.
    const began = banSeen(ban, session.figures, lab.clock())?.began ?? null;
    const marks = banMarks(began, ban.watched.at(-1));
    report('ban', startedAt, { sentence: banSentence(ban, began), marks });
    const { key, figures } = session;
    return { key, figures, exclusive: target.exclusive, aloneSince: startedAt, ...NOTHING_RUN, ban };
  };
  return { watching: watched() };
}

/** Longest part of a body to keep: an Error fits in. */
const LONGEST_BODY = 200;

/**
 * Exhausts the sacrificial key and continues at a bounded rate, until a ban or the most refusals. Those of
 * one window may be too few for a ban.
 */
async function push(session: KeySession, lab: Lab, { maxRequests, perSecond }: Target['ban']) {
  const { figures, key } = session;
  const used = await useUp(new KeyPlayer(session, lab));
  let lastBody: string | null = null;
  const sink = collector('ban', {
    isPassive: () => false,
    onAnswer: (_sample, body) => (lastBody = body?.slice(0, LONGEST_BODY) ?? null),
  });
  used.forEach(sink.take);
  const pushed = sink.samples;
  const report = progressEvery(lab, 'ban', key, () => `${refusedIn(pushed)} refused, no ban yet`);
  const from = lab.now();
  const most = ALLOWANCES * figures.perMinute + maxRequests;
  for (let sent = 0; pushed.some(wasRefused) && pushed.length <= most; sent += 1) {
    if (refusedIn(pushed) > maxRequests) break;
    if (!(await lab.pause(from + (sent * 1000) / perSecond, 'the next request after 429'))) break;
    const answer = await session.ask('listPets', sink);
    const isBanned = banSeen({ pushed, watched: [] }, figures, null) !== null;
    if (isBanned || answer.status === 0) break;
    report();
  }
  return { pushed, lastBody };
}

/** Waits in silence for the end of the ban, then probes; at growing intervals if no end is known. */
async function watch(session: KeySession, lab: Lab, found: Omit<BanSeries, 'watched'>): Promise<BanSeries> {
  const { figures, key } = session;
  const sink = collector('ban', { isPassive: () => false });
  const series = { ...found, watched: sink.samples };
  const last = found.pushed.at(-1);
  if (last === undefined || !found.pushed.some(wasRefused)) return series;
  const seen = (): Ban | null => banSeen(series, figures, lab.clock());
  for (let wait = minuteMs(figures); ; wait *= 2) {
    const ban = seen();
    const dueAt = banProbeAt(ban, last, { figures, lab });
    const what = ban === null ? `Retry-After on the ${key} key` : `the end of the ${key} key's ban`;
    if (!(await lab.pause(dueAt ?? lab.now() + wait, what))) return series;
    const answer = await session.ask('listPets', sink);
    const longEnough = answer.sentAt - last.answeredAt > LONGEST_WATCH_MS;
    // If an end is known, the first response after it decides, unless it is the first of a ban.
    const decides = dueAt !== null && (ban !== null || seen() === null);
    if (wasServed(answer) || answer.status === 0 || decides || longEnough || lab.signal.aborted)
      return series;
  }
}

/**
 * Uses up a key's allowance, to the first refusal. A key whose first request is refused was used or banned
 * before: it waits once as that refusal asks. Returns what it sent.
 */
async function useUp(player: KeyPlayer): Promise<readonly Sample[]> {
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
