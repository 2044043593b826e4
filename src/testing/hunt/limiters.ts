import { loadLedger } from '../../contract/ledger.js';
import type { Behaviour } from '../limiters/server.js';
import { fold, partlyOf, verdictOf } from '../../verdict/verdict.js';
import { simulate } from '../simulated/simulate.js';
import { held, type Hunt, type Judged } from './hunt.js';
import { ALGORITHMS } from './limiter-algorithms.js';
import { limiterCases, type LimiterCase, type Rounding } from './limiter-case.js';
import { truthOf, type Refusal } from './limiter-truth.js';

const whole: Readonly<Record<Rounding, (seconds: number) => number>> = {
  up: Math.ceil,
  down: Math.floor,
  nearest: Math.round,
};

/** The limiter as the simulated server has it; it notes what was true of each refusal. */
function behaviourOf(limiter: LimiterCase, note: (refusal: Refusal) => void): Behaviour {
  const { algorithm, window, over, retryAfter, retryAfterAs, reset, beats } = limiter;
  const make = ALGORITHMS[algorithm]?.make(beats);
  if (make === undefined) throw new Error(`there is no algorithm named "${algorithm}"`);
  return {
    make,
    applied: (figures) => ({
      ...figures,
      // As many of a hundred on any plan.
      perMinute: figures.perMinute + Math.sign(over) * Math.ceil((Math.abs(over) * figures.perMinute) / limiter.limit),
      minuteSeconds: (figures.minuteSeconds * window) / 100,
    }),
    spoil: (draft, { key, now, decision }) => {
      const resetText = String(whole[reset](decision.resetAt / 1000));
      if (draft.status !== 429) return { ...draft, reset: resetText };
      const isDate = retryAfterAs === 'date';
      const seconds = Math.max(0, whole[retryAfter]((decision.retryAt - (isDate ? 0 : now)) / 1000));
      note({ key, at: now, shortBy: decision.retryAt - (seconds * 1000 + (isDate ? 0 : now)) });
      return {
        ...draft,
        reset: resetText,
        retryAfter: isDate ? new Date(seconds * 1000).toUTCString() : String(seconds),
      };
    },
  };
}

/** Rows that the simulated profiles leave open: whether keys share an allowance takes more of them than two. */
const LEFT_OPEN = ['rate-per-key'];

const rows = loadLedger().requirements.filter(
  ({ id, judgedBy }) => (judgedBy.kind === 'load' || judgedBy.kind === 'passive') && !LEFT_OPEN.includes(id),
);

/** What is said of the smaller key of two, and excuses nothing else. */
const OF_ONE_KEY = ['renews the time', 'shorter than the one told'];

/** Whether a row that speaks of how much is let through, and when, passed in part. */
const isInPart = ({ id, partly }: { readonly id: string; readonly partly: readonly string[] }): boolean =>
  (id === 'rate-window' || id === 'rate-not-early') &&
  partly.some((what) => !OF_ONE_KEY.some((part) => what.includes(part)));

/** Judges a limiter in virtual time by the driver and the oracles, and holds that against the truth. */
export async function judgeLimiter(limiter: LimiterCase): Promise<Judged> {
  const refusals: Refusal[] = [];
  const { findings, record } = await simulate(
    behaviourOf(limiter, (refusal) => refusals.push(refusal)),
    {
      seed: limiter.seed,
      minuteSeconds: limiter.minute,
      freeLimit: limiter.limit,
      latencyMs: limiter.latency,
      jitterMs: limiter.jitter,
      offsetMs: limiter.offset,
      staleMs: limiter.stale,
      grainMs: limiter.grain,
      usedBefore: limiter.usedBefore,
      dayLeft: null,
    },
  );
  const judged = rows.flatMap(({ id, level }) => {
    const found = findings.filter(({ requirement }) => requirement === id);
    if (found.length === 0) return [];
    const outcome = fold(level, found);
    return [{ id, level, outcome, partly: partlyOf(outcome, found) }];
  });
  const red = judged.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned' || outcome === 'error');
  // What others were told before the run began, nobody could hold against it.
  const begun = Math.min(...record.keys.map(({ aloneSince }) => aloneSince)) + limiter.offset - limiter.grain;
  const truth = truthOf(
    limiter,
    refusals.filter(({ at }) => at >= begun),
  );
  if (truth.kind === 'sound') {
    const breaches = findings.flatMap((finding) =>
      finding.kind === 'violated' ? [`wrongly red: ${finding.requirement}: ${finding.message}`] : [],
    );
    if (red.length > 0) return { kind: 'found', what: [...new Set(breaches)] };
    return held(
      judged.some(({ level, outcome }) => level === 'must' && outcome === 'inconclusive') ? 'left open' : 'let pass',
    );
  }
  if (red.length > 0) return held('caught');
  if (truth.kind === 'free') return held('declared free');
  // What it lets through and when is told in part by windows of a few seconds, and the rows that passed say so.
  const isSaid = [...truth.of].every((of) => of === 'allowance') && judged.some(isInPart);
  return verdictOf(judged, { complete: true, fault: false }) === 'conformant' && !isSaid
    ? { kind: 'found', what: [`conformant although ${truth.why.join(', ')}`] }
    : held('left open');
}

/** Limiters made at random, in virtual time. */
export const limiters: Hunt<LimiterCase> = {
  name: 'limiters',
  cases: limiterCases,
  judge: judgeLimiter,
  // It waits for nothing.
  sideBySide: 1,
  // Much less, but making a case smaller takes many steps.
  caseMs: 1_000,
};
