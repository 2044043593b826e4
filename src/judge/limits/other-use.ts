import { hadBy, SILENT_SHARE, type Account, type Step } from './account.js';
import { FEWEST, MANY, minuteMs, refillIntervalMs, ROUNDED_UP_MS, SLACK } from './bounds.js';
import { resetTime } from './clock.js';
import { holdsLess } from './holds-less.js';
import { dipIn, isFullAgain, isWatched } from './watched.js';
import type { OtherUse } from './other-use-text.js';
import { leftOf, leftsOf, wasRefused, wasServed } from './sample.js';

/* Use of a key by something else than the run: its target file says that there is none. */

/** A server that counts some requests twice may do so this many times as often in silences as in bursts. */
const BY_CHANCE = 4;
/** Share of the plan that somebody else uses at the same moment: no server counts one request so often. */
const AT_ONCE_SHARE = 1 / 20;

export const otherUseIn = (account: Account): OtherUse | null =>
  inSilences(account) ??
  atOnce(account) ??
  beforeTheRun(account) ??
  nearlyFull(account) ??
  inBucket(account) ??
  lacking(account) ??
  refusedAlways(account);

const lacking = (account: Account): OtherUse | null => {
  const found = lacksAtLast(account) ?? holdsLess(account);
  return found && { requests: found.requests, pause: null, always: found.left, isSure: false };
};

/**
 * After two windows of silence a watched key has less than before: by then all is back, whatever the
 * algorithm. A key that has nothing after one window cannot be watched any more.
 */
function lacksAtLast({
  asked,
  figures,
  watched,
}: Account): (Pick<OtherUse, 'requests'> & { left: number }) | null {
  const lone = asked.findLast(({ part }) => part === 'lone');
  const left = lone === undefined ? null : hadBy(lone, figures);
  const isWatched = lone?.question === 'watch';
  if (left === null || (!isWatched && left > 0)) return null;
  const most = Math.max(...asked.map((one) => hadBy(one, figures) ?? 0));
  // A server that says what another request had is right the next time.
  const requests = most - Math.max(left, isWatched ? (watched[1] ?? -Infinity) + 1 : left);
  return requests >= SLACK ? { left, requests } : null;
}

/** A server that refuses for ever serves some requests first. */
const refusedAlways = ({ all, figures }: Account): OtherUse | null =>
  all.some(wasRefused) && !all.some(wasServed)
    ? { requests: figures.perMinute, pause: null, isSure: true }
    : null;

/** Returns somebody else who came within some steps, the one to name first. */
function within(steps: readonly Step[], isSure: boolean): OtherUse | null {
  const pauses = steps.map(({ before, after, had, lost: requests }) => ({
    sentAt: before.sentAt,
    from: before.answeredAt,
    to: after.answeredAt,
    requests,
    isEmptied: had === 0,
  }));
  const [pause] = pauses;
  return pause === undefined ? null : { requests: pause.requests, pause, pauses, isSure };
}

/**
 * Remaining falls over silences in which the run sends nothing, by more than that of a server that counts
 * some requests twice. It is sure where it fell by two in one of them, or by three in all: a rounded
 * Remaining may fall by one more than was sent.
 */
function inSilences(account: Account): OtherUse | null {
  const { steps, figures } = account;
  const silent = steps.filter(({ silentMs }) => silentMs >= SILENT_SHARE * minuteMs(figures));
  const falls = silent.filter(({ lost }) => lost > 0).toSorted((one, other) => other.lost - one.lost);
  const sum = falls.reduce((all, { lost }) => all + lost, 0);
  const isSure = sum >= FEWEST || (falls[0]?.lost ?? 0) > 1;
  return sum > 1 && sum > BY_CHANCE * silent.length * countedTwice(account) ? within(falls, isSure) : null;
}

/**
 * Returns the share of requests that the server counts once more than it should, by the burst that shows the
 * fewest: bursts are so quick that hardly anybody else comes between.
 */
function countedTwice({ bursts, figures }: Account): number {
  const shares = bursts.flatMap((burst) => {
    const lefts = leftsOf(burst, figures);
    const fall = Math.max(...lefts) - Math.min(...lefts);
    return lefts.length < MANY ? [] : [Math.max(0, fall / (lefts.length - 1) - 1)];
  });
  return shares.length === 0 ? 0 : Math.min(...shares);
}

/** Remaining falls by many between two requests of the same kind. */
function atOnce({ steps, figures }: Account): OtherUse | null {
  const least = Math.max(FEWEST, AT_ONCE_SHARE * figures.perMinute);
  const falls = steps.filter(
    ({ before, after, lost }) =>
      lost > least && before.operation === 'listPets' && after.operation === 'listPets',
  );
  return within(falls, false);
}

/** A key that the run did not use for a window has less than it had at another time, whatever the algorithm. */
function beforeTheRun({ asked: [first, ...later], figures }: Account): OtherUse | null {
  const had = first === undefined ? null : hadBy(first, figures);
  if (had === null) return null;
  const lefts = later.filter(wasServed).map((one) => leftOf(one, figures) ?? 0);
  const requests = Math.min(Math.max(0, ...lefts) + 1, figures.perMinute) - had;
  return requests >= FEWEST ? { requests, pause: null, isSure: false } : null;
}

/**
 * The first request of a key finds a bucket that is not quite full, by its Reset, and after a refusal none is
 * served.
 */
function nearlyFull({ asked: [first], all, figures, clock }: Account): OtherUse | null {
  const reset = first === undefined ? null : resetTime(first, clock);
  const requests = figures.perMinute - ((first && hadBy(first, figures)) ?? figures.perMinute);
  const refusal = all.find(wasRefused);
  const isServedLater = all.some((one) => wasServed(one) && one.sentAt > (refusal?.answeredAt ?? -Infinity));
  if (first === undefined || reset === null || requests < 1 || requests > FEWEST || isServedLater)
    return null;
  // The request itself, and a part of one.
  const fullMs = (requests + 2) * refillIntervalMs(figures);
  return reset.earliest < first.answeredAt + fullMs + ROUNDED_UP_MS
    ? { requests, pause: null, isSure: false }
    : null;
}

/**
 * A watched bucket lacks some after a pause in which a lone one is full, or still fills after two windows,
 * little by little: what is back in one go was not gone.
 */
function inBucket({ asked, steps, watched: had, figures }: Account): OtherUse | null {
  const watched = steps.filter(isWatched);
  const dip = isFullAgain(had) ? dipIn(watched, figures) : null;
  if (dip !== null) return within([{ ...dip, lost: 1 }], false);
  const back = watched.reduce((sum, { lost }) => sum - lost, 0);
  const [first] = watched;
  const requests = Math.max(...asked.map((one) => hadBy(one, figures) ?? 0)) - (had[0] ?? Infinity);
  const isJump = ({ lost, silentMs }: Step): boolean =>
    -lost > Math.max(requests / 2, silentMs / refillIntervalMs(figures) + FEWEST);
  if (first === undefined || requests < FEWEST || back < FEWEST || watched.some(isJump)) return null;
  const to = first.before.sentAt;
  const from = to - minuteMs(figures);
  return {
    requests,
    pause: null,
    pauses: [{ sentAt: from, from, to, requests, isEmptied: false }],
    isSure: false,
  };
}
