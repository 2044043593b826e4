import {
  violated,
  about,
  kept,
  unestablished,
  outOfScope,
  observed,
  type Finding,
  type Judged,
  type Judgement,
} from '../../findings/finding.js';
import type { ServerClock } from '../../limits/clock.js';
import { plainInteger } from '../../limits/headers/header-number.js';
import { counted, duration } from '../../format/format.js';
import type { Figures } from '../../limits/bounds.js';
import { subject, type BanSeries, type KeySeries } from '../../limits/series.js';
import { looksBanned, isBan, refusesKey } from '../../limits/ban-signs.js';
import { isPlanAnswer, wasRefused, type Sample, wasServed, refusedIn } from '../../limits/sample.js';
import { readRetryAfter, nextAllowedAt } from '../../limits/headers/retry-after.js';
import { burstSeconds } from '../../load/bursting/pace.js';
import type { Experiment } from '../experiment.js';
import type { KeyFacts } from '../facts.js';

function temporary(key: KeySeries, series: BanSeries, ban: Ban, clock: ServerClock | null): Judgement {
  const name = subject(key.key);
  const deadline = banDeadline(ban, series.declaredSeconds, clock);
  const end = series.watched.find((sample) => isOver(sample, ban, key.figures));
  const lastedMs = (sample: Sample): number => sample.sentAt - ban.began.answeredAt;
  const lasted = (sample: Sample): string => duration(lastedMs(sample));
  const overdue = series.watched.find(
    (sample) =>
      sample.status !== 0 && !isOver(sample, ban, key.figures) && sample.sentAt >= (deadline ?? NaN) + GRACE_MS,
  );
  if (overdue !== undefined && deadline !== null) {
    const { status } = overdue;
    const dueMs = deadline - ban.began.answeredAt;
    return violated([], `${name}'s ban does not end when it should.`, {
      expected: `allowed ${duration(dueMs)} after the ban began`,
      actual: `${status} after ${lasted(overdue)}`,
      measured: { dueMs, tookMs: lastedMs(overdue), status },
    });
  }
  if (end !== undefined) return kept([], `The ban was over after ${lasted(end)}.`);
  const last = series.watched.at(-1);
  const why =
    last !== undefined && lastedMs(last) >= LONGEST_WATCH_MS
      ? `The ban was still active after ${lasted(last)}, and no header or setting gives its length.`
      : 'The run did not watch the ban to its end.';
  return unestablished('too-little-data', why);
}

function onlyThatKey({ figures: own }: KeySeries, series: BanSeries, ban: Ban): Judgement {
  const end = series.watched.find((sample) => isOver(sample, ban, own))?.sentAt ?? Infinity;
  const during = series.otherKeys.filter(
    ({ during }) => during.sentAt >= ban.began.answeredAt && during.answeredAt <= end,
  );
  const hit = during.find(({ during, before, figures }) => {
    if (refusesKey(during)) return true;
    const left = plainInteger(before?.remaining ?? null);
    // An exhausted key gets 429 by its own limit.
    return wasRefused(during) && (looksBanned(during, figures) || (left !== null && left > 2));
  });
  if (hit !== undefined) {
    return violated([], 'A ban of one key also affects another key.', {
      expected: `the ${hit.key} key allowed during the ban`,
      actual: `status ${hit.during.status}`,
      measured: { status: hit.during.status },
    });
  }
  const served = during.find(({ during }) => isPlanAnswer(during) && !wasRefused(during));
  if (served !== undefined) return kept([], `The ${served.key} key was allowed during the ban.`);
  if (during.length === 0) return unestablished('no-key', 'No other key sent a request during the ban.');
  const statuses = during.map(({ during: { status } }) => status || 'no response').join(', ');
  return unestablished(
    during.every(({ during: { status } }) => status === 0) ? 'transport' : 'unavailable',
    `The other key was not allowed during the ban (${statuses}), but the ban need not be the cause.`,
  );
}

/** Returns the findings on the three ban requirements without a sacrificial key. */
export const noBanTried = (): readonly Finding[] =>
  ban.judges.map(([row]) =>
    about(row, outOfScope('opt-in', 'The ban experiment runs only on request, with a key that may be banned.')),
  );

/** Returns when a ban was over, in words. */
export const overText = (end: Sample | undefined, began: Sample): string =>
  end === undefined ? 'not over at the last request' : `over after ${duration(end.sentAt - began.answeredAt)}`;

const ASKED = 'requests continued after 429';

/** Judges one of the ban's requirements by the requests on the sacrificial key after 429. */
const byBan =
  (judge: (key: KeySeries, series: BanSeries, ban: Ban, clock: ServerClock | null) => Judged, isObservation = false) =>
  ({ key, clock }: Pick<KeyFacts, 'key' | 'clock'>): Judged => {
    const { ban: series } = key;
    if (series === null) return null;
    const seen = banSeen(series, key.figures, clock);
    if (seen !== null) return judge(key, series, seen, clock);
    const refusals = counted(refusedIn(series.pushed), 'refused request');
    if (!series.pushed.some(wasRefused)) return unestablished('prerequisite', `${subject(key.key)} got no 429.`);
    if ([series.pushed.at(-1), series.watched.at(-1)].some((last) => last?.status === 0))
      return unestablished('transport', `After ${refusals} no complete response came.`);
    const why = `No ban came after ${refusals}.`;
    return isObservation ? observed([], why, ASKED) : outOfScope('not-observed', why);
  };

function asObserved(key: KeySeries, series: BanSeries, ban: Ban): Judged {
  const end = series.watched.find((sample) => isOver(sample, ban, key.figures));
  const body = series.lastBody?.trim() || 'no body';
  const what = `Banned after ${counted(ban.refusals, 'refused request')}: status ${ban.began.status} with ${body}, ${overText(end, ban.began)}.`;
  return observed([], what, ASKED);
}

/** Longest watch on a ban of unknown length. */
export const LONGEST_WATCH_MS = 15 * 60 * 1000;
/** Slack, ms: the end of a ban is in whole seconds, and timers may be late. */
export const GRACE_MS = 1000 + 250;

type Ban = NonNullable<ReturnType<typeof banSeen>>;

/**
 * Finds the ban in requests after a 429; null without one. A ban shows as a refusal of the key itself, as a 429 that no
 * window explains, or as a 429 after the wait. The last of those requests may have caused the ban and still got the
 * limit's 429. Then the first response after the wait is the ban's first. `refusals` are the 429s before it, and
 * `limitRefusal` is the limit's own. `last` names the end of the ban. `tellsItself`: its responses differ from the limit's.
 */
export function banSeen(
  { pushed, watched }: Pick<BanSeries, 'pushed' | 'watched'>,
  figures: Figures,
  clock: ServerClock | null,
) {
  const firstRefusal = pushed.findIndex(wasRefused);
  const limitRefusal = pushed[firstRefusal];
  const last = pushed.at(-1);
  if (limitRefusal === undefined || last === undefined) return null;
  const place = pushed.findIndex((sample, index) => index > firstRefusal && isBan(sample, limitRefusal, figures));
  const began = pushed[place];
  if (began !== undefined)
    return { began, refusals: refusedIn(pushed.slice(0, place)), last, limitRefusal, tellsItself: true };
  const back = nextAllowedAt(last, clock);
  const waitedOut = watched.find(
    (sample) => refusesKey(sample) || (back !== null && sample.sentAt >= back + GRACE_MS) || wasServed(sample),
  );
  if (waitedOut === undefined || wasServed(waitedOut) || waitedOut.status === 0) return null;
  const tellsItself = isBan(waitedOut, limitRefusal, figures);
  return { began: waitedOut, refusals: refusedIn(pushed), last: waitedOut, limitRefusal, tellsItself };
}

/** True if the ban is over: a success, or the limit's own 429. The limit counts during the ban. */
const isOver = (answer: Sample, ban: Ban, figures: Figures): boolean =>
  wasServed(answer) || (ban.tellsItself && wasRefused(answer) && !isBan(answer, ban.limitRefusal, figures));

/** Returns when a ban must be over, by our clock: at its named end or the operator's, whichever is earlier. */
export function banDeadline({ began, last }: Ban, declaredSeconds: number | null, clock: ServerClock | null) {
  // Reset describes a window, not the ban; an unreadable wait says nothing.
  const isTold = ['seconds', 'date'].includes(readRetryAfter(last.retryAfter).kind);
  const told = isTold ? nextAllowedAt(last, clock) : null;
  const declared = declaredSeconds === null ? null : began.answeredAt + declaredSeconds * 1000;
  if (told === null || declared === null) return told ?? declared;
  return Math.min(told, declared);
}

/** Pushes a sacrificial key beyond its 429, to see whether it gets banned. */
export const ban: Experiment = {
  name: 'ban',
  after: [],
  keys: 'sacrificial',
  runs: { kind: 'opt-in', because: 'may get a key banned' },
  cost: (figures, { latencyMs, ban: { maxRequests, maxSeconds } }) => ({
    requests: figures.perMinute + maxRequests + 2,
    seconds: burstSeconds(figures, latencyMs) + (maxSeconds ?? LONGEST_WATCH_MS / 1000),
  }),
  judges: [
    ['ban-observed', byBan(asObserved, true)],
    ['ban-temporary', byBan(temporary)],
    ['ban-only-that-key', byBan(onlyThatKey)],
  ],
};
