import { minuteMs, refillIntervalMs } from '../../limits/bounds.js';
import { resetTime, type ServerClock } from '../../limits/clock.js';
import type { Figures, SteadySeries } from '../../limits/series.js';
import { BEYOND } from '../../load/bursting/pace.js';
import { wasRefused, type Sample } from '../../limits/sample.js';
import { leeway } from '../../limits/timing.js';
import type { OperationName } from '../../contract/types.js';
import { steadyRefusals } from './steady-run.js';
import { endings, isOver, type Lab, progressEvery } from '../../load/lab.js';
import { collector, type KeySession } from '../../load/key-session.js';
import { paced } from '../../load/paced.js';

/** Share of the plan that every correct limiter allows, except a strict pacer (part 8, measured). */
export const STEADY_SHARE = 0.95;

/** Length of the run, in windows: a window that is too long refuses at 95 % only after 1 / 0.95 windows. */
const STEADY_WINDOWS = 1.1;

/** Silence before a steady run, gap between requests and number of requests; times in ms. */
interface SteadyPlan {
  readonly silenceMs: number;
  readonly gapMs: number;
  readonly requests: number;
}

/**
 * Plans a steady run that holds one whole window, even a clock-aligned one: a little more than W, plus the rest of the
 * window before by the first Reset. With null it returns the longest plan.
 */
export function steadyPlan(figures: Figures, first: Sample | null, clock: ServerClock | null): SteadyPlan {
  const gapMs = refillIntervalMs(figures) / STEADY_SHARE;
  const window = minuteMs(figures);
  const reset = first === null ? null : resetTime(first, clock);
  const untilReset = first === null || reset === null ? window : reset.latest - first.sentAt;
  // The rest of a window that has already begun does not count: the next one must fit too.
  const begun = untilReset < 0.95 * window;
  const whole = STEADY_WINDOWS * window;
  const lasts = first === null ? whole + window : whole + (begun ? Math.max(0, untilReset) : 0);
  return { silenceMs: 2 * window + leeway(figures), gapMs, requests: Math.ceil(lasts / gapMs) };
}

/** True if three 429s in a row make more requests pointless: a strict pacer never gives three. */
const steadyDecided = (samples: readonly Sample[]): boolean =>
  samples.length >= 3 && samples.slice(-3).every(wasRefused);

/** Returns the most that a day can allow: gradual refills and one reset, plus a few to rule out rounding. */
export function dayCeiling(figures: Figures, elapsedMs: number): number {
  const back = (figures.perDay * elapsedMs) / (figures.daySeconds * 1000);
  return Math.floor(figures.perDay + back) + BEYOND;
}

/** 429s in a row that no pacer gives, whatever the times. */
const MOST_IN_A_ROW = 10;

/** Places of creations, so that each operation uses a refill. They are few: each leaves a pet behind. */
const CREATIONS: ReadonlySet<number> = new Set([5, 15, 25, 35]);

/** True if more requests are pointless: several 429s in a row, too late for a strict pacer. */
function isDecided(samples: readonly Sample[], session: KeySession): boolean {
  if (!steadyDecided(samples)) return false;
  if (samples.slice(-MOST_IN_A_ROW).every(wasRefused)) return true;
  // The judge knows what the limiter holds; here it is enough that nothing excuses the 429.
  return steadyRefusals({ samples }, session.figures, 0, session.seen().quickestMs).some(
    ({ strictPacer }) => !strictPacer,
  );
}

/** Runs at 95 % of the plan on a fixed schedule, after two windows of silence, as `SteadySeries` describes. */
export async function steady(session: KeySession, lab: Lab): Promise<SteadySeries | null> {
  const { figures, key } = session;
  const { signal, clock } = lab;
  const longest = steadyPlan(figures, null, null);
  const lastAnswer = session.samples().reduce((latest, { answeredAt }) => Math.max(latest, answeredAt), 0);
  const from = Math.max(lab.now(), lastAnswer + longest.silenceMs);
  if (!(await lab.pause(from, `two windows of the ${key} plan without a request, before a run at 95 % of it`)))
    return null;

  const sink = collector('steady');
  const { samples } = sink;
  const reads: readonly OperationName[] = lab.operations.filter((operation) => operation !== 'createPet');
  const creates = lab.operations.includes('createPet');
  let requests = longest.requests;
  const tell = progressEvery(lab, 'steady', key, () => `${samples.length} of ${requests} sent`);
  await paced(
    session,
    {
      from: lab.now(),
      gapMs: longest.gapMs,
      // A 95 % run must make up for this machine's delays; requests too close together then excuse a 429.
      mostLateMs: Infinity,
      requests: () => requests,
      operation: (place) =>
        creates && CREATIONS.has(place) ? 'createPet' : (reads[place % reads.length] ?? 'listPets'),
      stopsAt: (sample) => {
        if (samples.length === 1) requests = steadyPlan(figures, sample, clock()).requests;
        tell();
        return isDecided(samples, session) || (isOver(sample) && !wasRefused(sample));
      },
    },
    sink,
    lab,
  );
  const [first] = samples;
  const fault = endings(samples).find((sample) => !wasRefused(sample));
  const end =
    fault === undefined
      ? signal.aborted
        ? 'interrupted'
        : 'ceiling'
      : fault.status === 0
        ? 'transport'
        : 'unexpected-status';
  return { silentMs: (first?.sentAt ?? from) - lastAnswer, gapMs: longest.gapMs, samples, end };
}
