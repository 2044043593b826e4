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
import { subject, type BanSeries } from '../../limits/series.js';
import { looksBanned, isBan, refusesKey } from '../../limits/ban-signs.js';
import { isPlanAnswer, wasRefused, type Sample, wasServed, refusedIn } from '../../limits/sample.js';
import { readRetryAfter, nextAllowedAt } from '../../limits/headers/retry-after.js';
import { burstSeconds } from '../../load/bursting/pace.js';
import type { Experiment } from '../experiment.js';
import type { KeyFacts } from '../facts.js';

function temporary(ban: Ban, series: BanSeries, clock: ServerClock | null, name: string): Judgement {
  const deadline = banDeadline(ban, series.declaredSeconds, clock);
  const lastedMs = (sample: Sample): number => sample.sentAt - ban.began.answeredAt;
  const lasted = (sample: Sample): string => duration(lastedMs(sample));
  const overdue = series.watched.find(
    (sample) => sample.status !== 0 && !ban.isOver(sample) && sample.sentAt >= (deadline ?? NaN) + GRACE_MS,
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
  if (ban.end !== undefined) return kept([], `The ban was over after ${lasted(ban.end)}.`);
  const last = series.watched.at(-1);
  const why =
    last !== undefined && lastedMs(last) >= LONGEST_WATCH_MS
      ? `The ban was still active after ${lasted(last)}, and no header or setting gives its length.`
      : 'The run did not watch the ban to its end.';
  return unestablished('too-little-data', why);
}

function onlyThatKey({ began, end }: Ban, { otherKey }: BanSeries): Judgement {
  const during = otherKey?.during;
  if (!during || during.sentAt < began.answeredAt || during.answeredAt > (end?.sentAt ?? Infinity))
    return unestablished('no-key', 'No other key sent a request during the ban.');
  const { key, before, figures } = otherKey;
  const { status } = during;
  // An exhausted key gets 429 by its own limit.
  const isUnexplained = looksBanned(during, figures) || (plainInteger(before.remaining) ?? 0) > 2;
  if (refusesKey(during) || (wasRefused(during) && isUnexplained)) {
    return violated([], 'A ban of one key also affects another key.', {
      expected: `the ${key} key allowed during the ban`,
      actual: `status ${status}`,
      measured: { status },
    });
  }
  if (isPlanAnswer(during) && !wasRefused(during)) return kept([], `The ${key} key was allowed during the ban.`);
  return unestablished(
    status === 0 ? 'transport' : 'unavailable',
    `The other key was not allowed during the ban (${status || 'no response'}), but the ban need not be the cause.`,
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
  (judge: (ban: Ban, series: BanSeries, clock: ServerClock | null, name: string) => Judged, isObservation = false) =>
  ({ key, clock }: Pick<KeyFacts, 'key' | 'clock'>): Judged => {
    const { ban: series } = key;
    if (series === null) return null;
    const name = subject(key.key);
    const seen = banSeen(series, key.figures, clock);
    if (seen !== null) return judge(seen, series, clock, name);
    const refusals = counted(refusedIn(series.pushed), 'refused request');
    if (!series.pushed.some(wasRefused)) return unestablished('prerequisite', `${name} got no 429.`);
    if ([series.pushed.at(-1), series.watched.at(-1)].some((last) => last?.status === 0))
      return unestablished('transport', `After ${refusals} no complete response came.`);
    const why = `No ban came after ${refusals}.`;
    return isObservation ? observed([], why, ASKED) : outOfScope('not-observed', why);
  };

function asObserved({ began, end, refusals }: Ban, { lastBody }: BanSeries): Judged {
  const body = lastBody?.trim() || 'no body';
  const what = `Banned after ${counted(refusals, 'refused request')}: status ${began.status} with ${body}, ${overText(end, began)}.`;
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
 * limit's 429. Then the first response after the wait is the ban's first. `refusals` are the 429s before it. `last`
 * names the end of the ban, and `isOver` is true for a response after it: a success, or the limit's own 429, since the
 * limit counts during the ban.
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
  const isOfBan = (answer: Sample): boolean => isBan(answer, limitRefusal, figures);
  const place = pushed.findIndex((sample, index) => index > firstRefusal && isOfBan(sample));
  const found = (began: Sample, before: readonly Sample[], named: Sample) => {
    const isOver = (answer: Sample): boolean =>
      wasServed(answer) || (isOfBan(began) && wasRefused(answer) && !isOfBan(answer));
    return { began, refusals: refusedIn(before), last: named, isOver, end: watched.find(isOver) };
  };
  const began = pushed[place];
  if (began !== undefined) return found(began, pushed.slice(0, place), last);
  const back = nextAllowedAt(last, clock);
  const waitedOut = watched.find(
    (sample) => refusesKey(sample) || (back !== null && sample.sentAt >= back + GRACE_MS) || wasServed(sample),
  );
  if (waitedOut === undefined || wasServed(waitedOut) || waitedOut.status === 0) return null;
  return found(waitedOut, pushed, waitedOut);
}

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
