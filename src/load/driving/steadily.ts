import { estimate } from '../../limits/decisions/estimate.js';
import { samplesOf } from '../../limits/judge.js';
import { byFreshBurst } from '../../limits/oracles/early/fresh-burst.js';
import { gotLess, gotNearlyAll } from '../../limits/oracles/early/gains.js';
import { waitsTooLong } from '../../limits/oracles/not-early.js';
import { freshBurst } from '../profiles/fresh.js';
import { steady } from '../profiles/steady.js';
import { freshSentence, steadySentence } from '../sentences.js';
import type { Passage } from './passage.js';

/**
 * The run at 95 % of the plan where it is asked for or where a burst leaves the verdict to it; before it, where a burst got
 * nearly all, one more burst after two windows of silence.
 * @param burst whether one came before that ended with a refusal and was let back; `latencyMs` is what it measured
 */
export async function steadily(
  { line, field, drive, add, sofar }: Passage,
  burst: { readonly isSound: boolean; readonly latencyMs: number },
): Promise<void> {
  const { figures } = line;
  const { report, steadyAskedFor, earlier } = drive;
  const fits = (more: number): boolean => line.samples().length + earlier.length + more <= figures.perDay;
  const steadyRequests = estimate('steady', figures).requests;
  const before = sofar();
  const needed = before.burst !== null && burst.isSound && gotLess(before, samplesOf(before));
  const gotMost = needed && gotNearlyAll(before, samplesOf(before));
  let isDecided = false;
  if (gotMost && fits(steadyRequests + estimate('burst', figures).requests)) {
    const startedAt = field.now();
    const series = await freshBurst(line, field, burst.latencyMs);
    add({ fresh: series });
    if (series !== null) report('steady', startedAt, freshSentence(series, figures));
    isDecided = series !== null && byFreshBurst(sofar(), series) !== null;
  }
  const paces = steadyAskedFor || (needed && !isDecided) || (burst.isSound && waitsTooLong(before));
  if (!paces || !fits(steadyRequests) || field.signal.aborted) return;
  const startedAt = field.now();
  const series = await steady(line, field);
  add({ steady: series });
  if (series !== null) report('steady', startedAt, steadySentence(series));
}
