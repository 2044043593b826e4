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

/** Of the plan: no sound limiter refuses it, but for a strict pacer (part 8, measured). */
export const STEADY_SHARE = 0.95;

/** A window that is longer than the plan's refuses at 95 % only after 1 / 0.95 of the plan's window. */
const STEADY_WINDOWS = 1.1;

/** The steady run: silence before it, gap between requests, and how long it lasts, in ms. */
interface SteadyPlan {
  readonly silenceMs: number;
  readonly gapMs: number;
  readonly requests: number;
}

/**
 * A steady run has to hold one whole window, also a clock-aligned one that had begun before it: it lasts a little more than one, and
 * what the first answer's Reset leaves of the one before. Give null for the first answer to learn the longest.
 */
export function steadyPlan(figures: Figures, first: Sample | null, clock: ServerClock | null): SteadyPlan {
  const gapMs = refillIntervalMs(figures) / STEADY_SHARE;
  const window = minuteMs(figures);
  const reset = first === null ? null : resetTime(first, clock);
  const untilReset = first === null || reset === null ? window : reset.latest - first.sentAt;
  // What is left of a window that has begun already does not count: the next has to be filled too.
  const begun = untilReset < 0.95 * window;
  const whole = STEADY_WINDOWS * window;
  const lasts = first === null ? whole + window : whole + (begun ? Math.max(0, untilReset) : 0);
  return { silenceMs: 2 * window + leeway(figures), gapMs, requests: Math.ceil(lasts / gapMs) };
}

/** Whether the last answers of a steady run make going on pointless: three refusals in a row are no strict pacer's. */
const steadyDecided = (samples: readonly Sample[]): boolean =>
  samples.length >= 3 && samples.slice(-3).every(wasRefused);

/** What comes back bit by bit and, once a day, all at once; a few more show that it is no rounding. */
export function dayCeiling(figures: Figures, elapsedMs: number): number {
  const back = (figures.perDay * elapsedMs) / (figures.daySeconds * 1000);
  return Math.floor(figures.perDay + back) + BEYOND;
}

/** So many refusals in a row are no pacer's, whatever their times say. */
const MOST_IN_A_ROW = 10;

/** Creations at these places, so that each operation is seen to use what comes back: few, since each leaves an animal behind. */
const CREATIONS: ReadonlySet<number> = new Set([5, 15, 25, 35]);

/** Whether going on is pointless: refused several times in a row, and too late for a strict pacer to have done so. */
function isDecided(samples: readonly Sample[], session: KeySession): boolean {
  if (!steadyDecided(samples)) return false;
  if (samples.slice(-MOST_IN_A_ROW).every(wasRefused)) return true;
  // What it holds is the judge's to know: here it is enough that nothing excuses the refusal.
  return steadyRefusals({ samples }, session.figures, 0, session.seen().quickestMs).some(
    ({ strictPacer }) => !strictPacer,
  );
}

/** 95 % of the plan on an absolute schedule, after two windows without a request, as `SteadySeries` describes it. */
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
      // A run of 95 % is one only if it makes up for what this machine delays; what comes too soon then excuses a refusal.
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
