import { samplesOf } from '../../limits/samples-of.js';
import { shownByFreshBurst } from './fresh-burst.js';
import { gotLess, gotNearlyAll } from './gains.js';
import { waitsTooLong } from './waits-too-long.js';
import { freshBurst } from './drive-fresh.js';
import { steady } from './drive.js';
import { steadyPlan } from './schedule.js';
import { freshSentence, steadySentence } from './tell.js';
import type { KeyRun } from '../key-run.js';

/**
 * The run at 95 % of the plan where it is asked for or where a burst leaves the verdict to it; before it, where a burst got
 * nearly all, one more burst after two windows without a request.
 * @param burst whether one came before that ended with a refusal and was let back; `latencyMs` is what it measured
 */
export async function steadily(
  { session, lab, drive, add, sofar }: KeyRun,
  burst: { readonly isSound: boolean; readonly latencyMs: number },
): Promise<void> {
  const { figures } = session;
  const { report, steadyAskedFor, earlier } = drive;
  const fits = (more: number): boolean => session.samples().length + earlier.length + more <= figures.perDay;
  const steadyRequests = steadyPlan(figures, null, null).requests;
  const before = sofar();
  const needed = before.burst !== null && burst.isSound && gotLess(before, samplesOf(before));
  const gotMost = needed && gotNearlyAll(before, samplesOf(before));
  let isDecided = false;
  if (gotMost && fits(steadyRequests + figures.perMinute + 1)) {
    const startedAt = lab.now();
    const series = await freshBurst(session, lab, burst.latencyMs);
    add({ fresh: series });
    if (series !== null) report('steady', startedAt, freshSentence(series, figures));
    isDecided = series !== null && shownByFreshBurst(sofar(), series) !== null;
  }
  const paces = steadyAskedFor || (needed && !isDecided) || (burst.isSound && waitsTooLong(before));
  if (!paces || !fits(steadyRequests) || lab.signal.aborted) return;
  const startedAt = lab.now();
  const series = await steady(session, lab);
  add({ steady: series });
  if (series !== null) report('steady', startedAt, steadySentence(series));
}
