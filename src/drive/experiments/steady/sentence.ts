import { count, counted, duration } from '../../../base/kernel/format.js';
import type { Figures } from '../../../judge/limits/bounds.js';
import { refusedIn, servedIn } from '../../../judge/limits/sample.js';
import type { FreshSeries } from '../../../judge/limits/series.js';
import { steadyGapMs } from '../../../judge/limits/steady-run.js';
import { refilledMeanwhile } from '../../../judge/limits/allowed-words.js';

/** Describes a burst after two windows of silence. */
export function freshSentence({ samples }: FreshSeries, figures: Figures): string {
  const served = `${count(servedIn(samples))} of ${count(figures.perMinute)} requests allowed`;
  const end = refusedIn(samples) > 0 ? 'then 429' : 'no 429';
  return `${served}${refilledMeanwhile(samples, figures)} after two idle windows, ${end}.`;
}

/** Describes a run at 95 % of the plan. */
export function steadySentence({ samples }: FreshSeries, figures: Figures): string {
  const served = `${count(servedIn(samples))} of ${counted(samples.length, 'request')} allowed`;
  return `${served} at 95 % of the plan's rate, one every ${duration(steadyGapMs(figures))}.`;
}
