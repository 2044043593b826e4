import { askedFor, type Asked } from './asked.js';
import { minuteMs, OVERTAKEN, type Figures } from './bounds.js';
import type { ServerClock } from './clock.js';
import { leftOf, leftsOf, wasRefused, wasServed, type Sample } from './sample.js';
import { type KeySeries, samplesOf } from './series.js';

/** What Remaining of a key says over time: one reading for all who ask what others used. */
export interface Account {
  readonly figures: Figures;
  readonly clock: ServerClock | null;
  readonly all: readonly Sample[];
  readonly asked: readonly Asked[];
  /** Bursts from silence. */
  readonly bursts: readonly (readonly Asked[])[];
  /** From request to request, in order of time. */
  readonly steps: readonly Step[];
  /** Requests that were left after each silence of a window or two. */
  readonly afterSilence: readonly number[];
  /** Requests that were left for each one of a watched key. */
  readonly watched: readonly number[];
}

/** From some requests to a later one on its own. */
export interface Step {
  readonly before: Asked;
  readonly after: Asked;
  /** Requests that were left for `after`. */
  readonly had: number;
  /** Time in which the run sent nothing, ms. */
  readonly silentMs: number;
  /** By how much Remaining fell further than the run's requests explain; negative: so many came back. */
  readonly lost: number;
}

/** A silence is at least this share of a window: the pauses of the run are a twentieth. */
export const SILENT_SHARE = 1 / 25;

export function accountOf(key: KeySeries, clock: ServerClock | null): Account {
  const { figures } = key;
  const asked = key.asked ?? [];
  const bursts = (['whole', 'second', 'third'] as const).map((name) => askedFor(asked, name));
  const hadFor = (some: readonly Asked[]) => some.flatMap((sample) => hadBy(sample, figures) ?? []);
  return {
    figures,
    clock,
    all: samplesOf(key),
    asked,
    bursts,
    steps: stepsIn(asked, leftAtRefusal(bursts, figures), figures),
    afterSilence: hadFor(asked.filter(({ part }) => part === 'lone')),
    watched: hadFor(askedFor(asked, 'watch')),
  };
}

/** Returns how many requests the server had left for one and those after it; null if it does not say. */
export function hadBy(sample: Sample, figures: Figures): number | null {
  const left = leftOf(sample, figures);
  if (left === null) return null;
  return wasServed(sample) ? left + 1 : wasRefused(sample) && left === 0 ? 0 : null;
}

/**
 * Returns the least Remaining at which a burst was refused: above 0 where the limit is lower than the headers
 * say. Somebody else hardly uses the key within a burst, so the difference is the server's.
 */
function leftAtRefusal(bursts: readonly (readonly Asked[])[], figures: Figures): number {
  const lefts = bursts.filter((burst) => burst.some(wasRefused)).flatMap((burst) => leftsOf(burst, figures));
  return lefts.length === 0 ? 0 : Math.min(...lefts);
}

function stepsIn(asked: readonly Asked[], unused: number, figures: Figures): readonly Step[] {
  const cost = costOf(asked, figures);
  const sent = asked.toSorted((one, other) => one.sentAt - other.sentAt);
  let answered = -Infinity;
  /** The latest request, and those that were under way when it was sent. */
  let open: readonly Asked[] = [];
  /** What the latest few responses on their own left to those after them. */
  let few: readonly { readonly left: number; readonly since: number; readonly at: number }[] = [];
  return sent.flatMap((after, at): readonly Step[] => {
    const silentMs = after.sentAt - answered;
    answered = Math.max(answered, after.answeredAt);
    const [earlier, before] = [open, open.at(-1)];
    open = [...open.filter((one) => one.answeredAt > after.sentAt), after];
    const isLone = silentMs >= 0 && (sent[at + 1]?.sentAt ?? Infinity) >= after.answeredAt;
    const had = hadBy(after, figures);
    // A server that counts late shows too many left at first: these are the run's own all the same.
    const own = Math.min(...few.map(({ left, since }) => left - since * cost));
    few = few
      .map(({ left, since, at }) => ({ left, since: since + 1, at }))
      .filter(({ since, at }) => since <= OVERTAKEN && after.sentAt - at <= SILENT_SHARE * minuteMs(figures));
    if (isLone && wasServed(after) && had !== null)
      few = [...few, { left: had - 1, since: 0, at: after.answeredAt }];
    if (before === undefined || !isLone || had === null) return [];
    // Parallel requests overtake one another: the least Remaining holds.
    const least = Math.min(...earlier.map((one) => (wasServed(one) ? leftOf(one, figures) : null) ?? NaN));
    const lost = Math.min(least, own) - had - (cost - 1) - (wasRefused(after) ? unused : 0);
    return Number.isNaN(lost) ? [] : [{ before, after, had, silentMs, lost }];
  });
}

/** Returns what the server counts for one request: a mistaken one counts each more than once. */
function costOf(asked: readonly Asked[], figures: Figures): number {
  const costs = asked.flatMap((sample, at) => {
    const before = asked[at - 1];
    if (sample.part !== 'operations' || before === undefined) return [];
    const [from, to] = [leftOf(before, figures), leftOf(sample, figures)];
    return from === null || to === null ? [] : [from - to];
  });
  return Math.max(1, costs.toSorted((one, other) => one - other)[Math.floor(costs.length / 2)] ?? 1);
}
