import { minuteMs } from '../../../judge/limits/bounds.js';
import { gotLessThanLimit, gotWholeAtFirst } from '../../../judge/limits/burst-counts.js';
import { readAsMinute } from '../../../judge/limits/headers/one-window.js';
import { isWithinReach, nextAllowedAt } from '../../../judge/limits/headers/retry-after.js';
import { readKey } from '../../../judge/limits/reading.js';
import { samplesOf } from '../../../judge/limits/key-samples.js';
import { lastAnswerOf, wasRefused, wasServed, type Sample } from '../../../judge/limits/sample.js';
import type { KeySeries } from '../../../judge/limits/series.js';
import { PAUSE_SHARE, PAUSES, SILENT_WINDOWS, useInPauses } from '../../../judge/limits/silence.js';
import { isEvenBucket } from '../../../judge/limits/slow-return.js';
import { leeway } from '../../../judge/limits/timing.js';
import { counted, duration } from '../../../base/kernel/format.js';
import { type Collector, collector, type KeySession } from '../../load/key-session.js';
import type { Lab } from '../../load/lab.js';
import { MOST_REFUSED } from '../../load/refusal-bound.js';
import type { KeyRun, Outcome } from '../key-run.js';

/** Attempts to begin after a 429: others may have used up the window. */
const MOST_STARTS = 3;

/** True if something else may have used the key: Remaining fell too fast, or a burst got less than its limit. */
function mayBeShared(received: KeySeries, lab: Lab): boolean {
  const key = readAsMinute(received);
  if (!key.exclusive || key.burst?.end !== 'refused' || isEvenBucket(key)) return false;
  const gotTooLittle = gotLessThanLimit(key) && !gotWholeAtFirst(key);
  return gotTooLittle || readKey(key, lab.clock(), []).otherUse !== null;
}

/**
 * Sends pairs of requests with silence between them, if something else may have used the key: what Remaining
 * loses in the silence is somebody else's.
 */
export async function watchPauses({ session, lab, record }: KeyRun): Promise<Outcome | null> {
  const key = record();
  const { figures } = session;
  if (!mayBeShared(key, lab) || session.samples().length + 2 * PAUSES > figures.perDay) return null;
  const sink = collector('steady');
  const { samples } = sink;
  if (!(await begun(session, lab, sink)))
    // What is refused after two windows of silence, each time, shows use by others as well.
    return samples.some(wasRefused)
      ? { series: { pauses: samples }, sentence: silenceSentence({ ...record(), pauses: samples }) }
      : null;
  const what = `a pause without a request, to see whether something else uses the ${session.key} key`;
  for (let pause = 0; pause < PAUSES && samples.every(goesOn); pause += 1) {
    await session.ask('listPets', sink);
    if (!(await lab.pause(lab.now() + PAUSE_SHARE * minuteMs(figures), what))) break;
    await session.ask('listPets', sink);
  }
  return { series: { pauses: samples }, sentence: pausesSentence({ ...record(), pauses: samples }) };
}

const goesOn = (sample: Sample): boolean => wasServed(sample) || wasRefused(sample);

/** Waits for two windows of silence, and sends the first request; false if none is allowed. */
async function begun(session: KeySession, lab: Lab, sink: Collector): Promise<boolean> {
  const { figures, key } = session;
  let at = lastAnswerOf(session.samples()) + SILENT_WINDOWS * minuteMs(figures) + leeway(figures);
  const what = `two windows without a request of the ${key} plan, as something else may use its key`;
  for (let start = 0; start < MOST_STARTS && session.refused() < MOST_REFUSED; start += 1) {
    if (!isWithinReach(at, lab.now(), figures) || !(await lab.pause(at, what))) return false;
    const first = await session.ask('listPets', sink);
    if (wasServed(first)) return true;
    if (!wasRefused(first)) return false;
    at = nextAllowedAt(first, lab.clock()) ?? Infinity;
  }
  return false;
}

/** Describes what came after silence: "After two windows without a request, 3 of 3 requests got 429." */
function silenceSentence({ pauses }: KeySeries): string {
  const samples = pauses ?? [];
  const got = `${samples.filter(wasRefused).length} of ${counted(samples.length, 'request')} got 429`;
  return `After two windows without a request of the key, ${got}.`;
}

/**
 * Describes what pauses showed: "In 4 pauses of 7.5 s without a request, Remaining shows 31 of somebody
 * else."
 */
function pausesSentence(key: KeySeries): string {
  const { figures } = key;
  const use = useInPauses(key, samplesOf(key));
  const length = duration(PAUSE_SHARE * minuteMs(figures));
  const pauses = `In ${counted(PAUSES, 'pause')} of ${length} without a request`;
  if (use === 'unknown') return `${pauses}, Remaining does not show whether something else used the key.`;
  return use === 'nobody'
    ? `${pauses}, Remaining did not fall: nobody else used the key then.`
    : `${pauses}, Remaining shows ${use.requests} of somebody else.`;
}
