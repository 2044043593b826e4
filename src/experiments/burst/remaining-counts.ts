import {
  blocked,
  outOfScope,
  unestablished,
  untried,
  isViolated,
  kept,
  violated,
  type Judged,
  type Judgement,
} from '../../findings/finding.js';
import type { OperationName } from '../../contract/types.js';
import { mayHaveRefilled, minuteMs, type Figures } from '../../limits/bounds.js';
import { isTooFast, isTooSlow, mayBeTooSlow, type Movement, movement } from '../../limits/remaining-movement.js';
import type { Clump } from '../../limits/refill-steps.js';
import { plainInteger } from '../../limits/headers/header-number.js';
import { waitOf } from '../../limits/headers/retry-after.js';
import { count, counted, duration } from '../../format/format.js';
import { subject, type KeySeries } from '../../limits/series.js';
import type { KeyFacts } from '../facts.js';
import { underWay, windowsSeen } from '../../limits/windows-seen.js';
import { countedSamples } from '../../limits/over-served.js';
import {
  bySending,
  lone,
  describesDay,
  describesMinute,
  wasRefused,
  wasServed,
  type Sample,
  leftsOf,
  mayHaveSlid,
  servedIn,
  runsOf,
} from '../../limits/sample.js';

/** Shortest burst that shows counting. A strict pacer ends it immediately; then its steady run decides. */
const SHORT_BURST = 3;

/** Splits responses by Limit; those without one go with their neighbours. */
function sameLimit(samples: readonly Sample[]): readonly (readonly Sample[])[] {
  let known: number | null = null;
  const told = samples.map((sample) => ({ sample, limit: (known = plainInteger(sample.limit) ?? known) }));
  const runs = runsOf(told, (one, next) => one.limit === null || one.limit === next.limit);
  return runs.map((run) => run.map(({ sample }) => sample));
}

/** Remaining just before a 429 to a client without concurrent requests; null if it was 0 or unknown. */
function brokenPromise(samples: readonly Sample[], figures: Figures): number | null {
  const ordered = bySending(samples);
  const at = ordered.findIndex(wasRefused);
  const [refusal, before] = [ordered[at], ordered[at - 1]];
  if (refusal === undefined || before === undefined || !wasServed(before)) return null;
  if (ordered.slice(0, at).some(({ answeredAt }) => answeredAt > refusal.sentAt)) return null;
  // A request sent slightly later may have arrived first and used the last one.
  if (ordered.slice(at + 1).some(({ sentAt }) => sentAt < refusal.answeredAt)) return null;
  const told = plainInteger(refusal.limit) !== null;
  const otherWindow = told && describesDay(refusal, figures) !== describesDay(before, figures);
  // Of concurrent requests, the last one sent need not be the last one to arrive.
  const beside = ordered.slice(0, at).filter(({ answeredAt }) => answeredAt > before.sentAt);
  const left = Math.min(...beside.map(({ remaining }) => plainInteger(remaining) ?? 0));
  return !otherWindow && left >= 1 ? left : null;
}

/** Slack: a part of a request may be rounded up to one. */
const ROUNDED_UP = 1;

/**
 * First 429 of the minute to a client without concurrent requests; null without one. The wait identifies a day's 429
 * that carries the minute's headers.
 */
function refusalOfMinute(samples: readonly Sample[], figures: Figures): Sample | null {
  const ordered = bySending(samples);
  const alone = new Set(lone(ordered));
  const refusal = ordered.find((sample) => wasRefused(sample) && alone.has(sample));
  const speaks = refusal !== undefined && describesMinute(refusal, figures);
  return speaks && (waitOf(refusal) ?? 0) <= 2 * minuteMs(figures) ? refusal : null;
}

/** A run of responses, whole and split at its longest pause: a full bucket takes no refill in a pause. */
function partsOf(run: readonly Sample[]): readonly (readonly Sample[])[] {
  let [longest, at, answered] = [0, 0, -Infinity];
  for (const [index, { sentAt, answeredAt }] of run.entries()) {
    if (index > 0 && sentAt - answered > longest) [longest, at] = [sentAt - answered, index];
    answered = Math.max(answered, answeredAt);
  }
  return at === 0 ? [run] : [run, run.slice(0, at), run.slice(at)];
}

/**
 * Returns the moves of Remaining over a burst's windows and Limits; over the steady run if a pacer ends the burst early.
 * @param past all samples except the burst's
 */
export function movesOf(key: KeySeries, past: readonly Sample[], exempt: ReadonlySet<OperationName>, clump: Clump) {
  const { figures, burst, steady } = key;
  const inBurst = burst?.samples ?? [];
  const enough = servedIn(inBurst) >= SHORT_BURST;
  const samples = countedSamples(enough ? inBurst : (steady?.samples ?? []), exempt);
  const judged = windowsSeen(samples, figures).pieces.flatMap(({ samples: all, slack }) => {
    // A request without a response may have counted or not.
    const lost = all.filter(({ status }) => status === 0).length;
    const runs = sameLimit(all.filter(wasServed));
    // When the headers switch to the other window, open requests may count on either side.
    const turnAt = (run: readonly Sample[] | undefined): number =>
      run?.[0] === undefined || run === runs[0] ? 0 : underWay(all, all.indexOf(run[0]));
    return runs.flatMap((run, index) => {
      const turned = turnAt(run) + turnAt(runs[index + 1]);
      return partsOf(run).flatMap((part, nth) => {
        const sooner = part[0] === undefined ? [] : run.slice(0, run.indexOf(part[0]));
        const move = movement(key, part, [...past, ...sooner], slack + turned + lost, clump);
        return move === null ? [] : [{ move, answers: nth === 0 ? move.requests : 0 }];
      });
    });
  });
  const answers = judged.reduce((sum, one) => sum + one.answers, 0);
  return { samples, moves: judged.map(({ move }) => move), answers };
}

/** Finds how Remaining miscounts; null if it counts all. `may-be`: uncertain. */
export function miscountIn({ moves }: ReturnType<typeof movesOf>) {
  if (moves.some(isTooFast)) return 'too-fast';
  if (moves.some(isTooSlow)) return 'too-slow';
  return moves.some(mayBeTooSlow) ? 'may-be' : null;
}

const TO_THE_LAST = untried('X-RateLimit-Remaining on a 429 (no isolated 429 seen)');

/** Judges `rate-remaining-counts`: on an exclusive key, Remaining falls by one a request. */
export function remainingCounts(facts: KeyFacts): Judged {
  const { key, figures, burst, exclusive } = facts.key;
  const name = subject(key);
  if (!exclusive) return outOfScope('keys-shared', `${name}'s key has other users, whose requests count too.`);
  if (burst === null) return unestablished('too-little-data', `${name} sent too few requests.`);
  if (facts.isMalformed())
    return blocked('rate-headers-wellformed', 'X-RateLimit-Remaining is malformed, so its count cannot be checked.');
  const { samples, moves, answers } = facts.moves();
  // The other rows report what Remaining did not count.
  const isEarly = facts.early().some(isViolated);
  const isOverServed = facts.over() !== null;
  const wrong = moves.find((move) => isTooFast(move) || (isTooSlow(move) && !isOverServed));
  if (wrong !== undefined) return miscounted(name, wrong);
  const promised = brokenPromise(samples, figures);
  if (promised !== null && !isEarly) return promiseBroken(name, promised);
  const refusal = isEarly ? null : refusalOfMinute(samples, figures);
  const left = plainInteger(refusal?.remaining ?? null) ?? 0;
  if (left > ROUNDED_UP)
    return violated([], `${name} gets 429 with requests left.`, {
      expected: '429 with X-RateLimit-Remaining: 0',
      actual: `429 with X-RateLimit-Remaining: ${count(left)}`,
      measured: { status: 429, most: 0, got: left },
    });
  const stuck = isOverServed ? null : stuckInParallel(facts);
  if (stuck !== null) return miscounted(name, stuck);
  if (promised !== null) return blocked('rate-not-early', 'the 429 came too early, so Remaining could not be checked.');
  if (isOverServed)
    return blocked('rate-429', 'more requests were allowed than the limit, so Remaining could not be checked.');
  if (moves.some(mayBeTooSlow)) {
    const why = 'fell too slowly, unless requests from before the run came back just then';
    return unestablished('too-little-data', `${name}'s Remaining ${why}.`);
  }
  if (answers === 0)
    return unestablished('headers-missing', `${name} got too few readable X-RateLimit-Remaining values.`);
  const found = kept([], `Remaining counted correctly over ${counted(answers, 'response')}.`);
  return refusal === null ? [found, TO_THE_LAST] : [found];
}

/**
 * Parallel requests at which Remaining hardly moved; null if it did. As many as there are connections may get the same
 * value, from a server that reads the counter after others raise it.
 */
function stuckInParallel({ unpaused, past, exempt, known }: KeyFacts): Movement | null {
  const { figures, burst, concurrent } = unpaused();
  if (concurrent === null) return null;
  const served = countedSamples(concurrent.samples, exempt).filter(wasServed);
  for (const { samples, slack } of windowsSeen(served, figures).pieces) {
    const lefts = leftsOf(samples, figures).map(({ left }) => left);
    const sentAt = Math.min(...samples.map((sample) => sample.sentAt));
    const answeredAt = Math.max(...samples.map((sample) => sample.answeredAt));
    const elapsedMs = answeredAt - sentAt;
    // Meanwhile a log drops the requests of one window before.
    const slid = mayHaveSlid([...(burst?.samples ?? []), ...past()], figures, sentAt, answeredAt).length;
    const fall = Math.max(...lefts) - Math.min(...lefts);
    const least = Math.ceil(
      lefts.length -
        1 -
        concurrent.connections -
        slack -
        slid -
        mayHaveRefilled(figures, elapsedMs) -
        known().clump.size,
    );
    if (lefts.length > 0 && fall < least) {
      return { fall, least, most: lefts.length, requests: lefts.length, elapsedMs, slack };
    }
  }
  return null;
}

/** Returns the violation by a 429 although something was left of the minute, or of the day. */
export const promiseBroken = (name: string, promised: number, isOfDay = false): Judgement =>
  violated([], `${name} gets 429 while ${isOfDay ? "the day's " : ''}X-RateLimit-Remaining is above 0.`, {
    expected: `a request allowed while X-RateLimit-Remaining is ${count(promised)}`,
    actual: '429 to the next request, with no other request open',
    measured: { most: 0, got: promised, ...(isOfDay && { what: ['day'] }) },
  });

/** Returns the violation by a movement that the requests do not explain. */
export const miscounted = (name: string, { fall, least, most, elapsedMs }: Movement): Judgement =>
  violated([], `${name}'s Remaining does not count its requests.`, {
    expected: `X-RateLimit-Remaining to fall by ${count(Math.max(0, least))} to ${count(most)} in ${duration(elapsedMs)}`,
    actual: fall < 0 ? `it rose by ${count(-fall)}` : `it fell by ${count(fall)}`,
    measured: { most: fall < least ? least : most, got: fall },
  });
