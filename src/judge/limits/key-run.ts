import type { Stall } from '../../wire/exchange/stalls.js';
import type { ServerClock } from './clock.js';
import { soonestExitMs, type Figures } from './bounds.js';
import { bySending, wasRefused, wasServed, type Sample } from './sample.js';
import { subject, type KeySeries, samplesOf } from './series.js';
import { askedFor, type Asked, type QuestionName } from './asked.js';
import { accountOf, type Account } from './account.js';
import { countersIn, countsApart, fallsSteadily, fellByOne, partsOf, type Plan, planOf } from './bursts.js';
import { otherUseIn } from './other-use.js';
import type { OtherUse } from './other-use-text.js';

/** All that a key was asked, read once. Each judge of a row takes it and nothing else. */
export interface KeyRun {
  readonly key: KeySeries;
  /** "The free plan". */
  readonly name: string;
  readonly figures: Figures;
  /** L: the plan's limit. */
  readonly limit: number;
  /** W, ms. */
  readonly windowMs: number;
  /** L / W. */
  readonly perMs: number;
  readonly clock: ServerClock | null;
  /** All samples of the key, with those of suites and preflight, in order of sending. */
  readonly all: readonly Sample[];
  /** Bursts from silence that nothing spoiled, each in order of the answers. */
  readonly bursts: readonly (readonly Asked[])[];
  readonly steady: readonly Asked[];
  /** Questions that came to the edge, each in order of the answers. */
  readonly edges: readonly (readonly Asked[])[];
  readonly stalls: readonly Stall[];
  /** What spoiled a burst: "2 of 448 requests got no response"; null without. */
  readonly spoiled: string | null;
  readonly account: Account;
  readonly otherUse: OtherUse | null;
  /** Is true if a burst or the first part of the steady run shows that nothing comes back within a window. */
  readonly nothingRefills: boolean;
  /** Is true if the first part of the steady run shows it, except for requests that did not count. */
  readonly fallsSteadily: boolean;
}

const byAnswer = (samples: readonly Asked[]): readonly Asked[] =>
  samples.toSorted((one, other) => one.answeredAt - other.answeredAt);

/** Is true for a response that neither serves nor refuses by the limit: 500, 401. */
const isOdd = (sample: Sample): boolean => sample.status !== 0 && !wasServed(sample) && !wasRefused(sample);

const isSound = (later: Asked, odd: Asked): boolean =>
  wasServed(later) || (wasRefused(later) && later.operation === odd.operation);

/**
 * Returns the requests of a question that got no response, or one that is neither success nor refusal before
 * a success or a refusal: nobody knows whether they counted. One operation may be refused in another way.
 */
const spoilers = (asked: readonly Asked[]): readonly Asked[] =>
  asked.filter(
    (sample) =>
      sample.status === 0 ||
      (isOdd(sample) && asked.some((later) => later.sentAt > sample.answeredAt && isSound(later, sample))),
  );

function spoiledText(asked: readonly Asked[]): string {
  const found = spoilers(asked);
  const lost = found.filter(({ status }) => status === 0).length;
  const [odd] = found.filter(({ status }) => status !== 0);
  const what =
    odd === undefined
      ? 'got no response'
      : lost > 0
        ? `got ${odd.status} or no response`
        : `got ${odd.status}`;
  return `${found.length} of ${asked.length} requests ${what}`;
}

/**
 * Is true if a use by somebody else is that of several counters: Remaining jumps down from one to another. So
 * it does in two windows. One burst alone may be two, within which came back what others used.
 */
function isOfCounters({ always }: OtherUse, rounds: readonly (readonly Asked[])[], plan: Plan): boolean {
  const several = rounds.filter((burst) => partsOf(burst, plan).every((part) => countersIn(part, plan) > 1));
  const isApart = rounds.length > 0 && rounds.every((burst) => countsApart(burst, plan));
  return isApart || several.length >= (always === undefined && rounds.length > 1 ? 2 : 1);
}

export function readRun(key: KeySeries, clock: ServerClock | null): KeyRun {
  const { figures } = key;
  const asked = key.asked ?? [];
  const of = (name: QuestionName): readonly Asked[] => byAnswer(askedFor(asked, name));
  const rounds = (['whole', 'second', 'third'] as const).map(of).filter((burst) => burst.length > 0);
  const sound = rounds.filter((burst) => spoilers(burst).length === 0);
  const spoiled = rounds.find((burst) => spoilers(burst).length > 0);
  const plan = planOf(figures);
  const steady = bySending(askedFor(asked, 'steady'));
  // In the first part of the steady run no window of a sound limiter begins.
  const until = (steady[0]?.sentAt ?? 0) + soonestExitMs(figures);
  const within = steady.filter((sample) => wasServed(sample) && sample.sentAt < until);
  const account = accountOf(key, clock);
  const otherUse = otherUseIn(account);
  return {
    ...plan,
    key,
    account,
    stalls: key.stalls,
    name: subject(key.key),
    clock,
    all: samplesOf(key),
    bursts: sound,
    steady,
    edges: (['edge', 'second', 'third'] as const)
      .map(of)
      .filter((edge) => edge.length > 0 && spoilers(edge).length === 0),
    spoiled: spoiled === undefined ? null : spoiledText(spoiled),
    otherUse: otherUse === null || isOfCounters(otherUse, rounds, plan) ? null : otherUse,
    nothingRefills: [...sound, within].some((some) => fellByOne(some, plan)),
    fallsSteadily: fallsSteadily(within, plan),
  };
}
