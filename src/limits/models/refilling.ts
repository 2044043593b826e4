import { mayHaveRefilled, refilled, refillIntervalMs, worstSpan } from '../bounds.js';
import { nothingRefills } from '../refill.js';
import { readRetryAfter } from '../headers/retry-after.js';
import { count, duration } from '../../format/format.js';
import { windowsSeen } from '../windows-seen.js';
import { type Model, refusalsOf, type Trace } from './model.js';
import { wasServed } from '../sample.js';

/** Requests of slack, for rounding and for timers of whole milliseconds. */
const TOLERANCE = 2;

/** Slack for a wait in whole seconds: servers round it up, some twice. */
const WAIT_ROUNDED_S = 2;

/** Smallest burst that the limiter must allow to explain all allowed requests. */
function heldAtLeast({ figures, samples }: Trace): number {
  const worst = worstSpan(samples.filter(wasServed), 1 / refillIntervalMs(figures));
  return worst === null ? 0 : worst.count - mayHaveRefilled(figures, worst.to - worst.from);
}

function misfit(trace: Trace): string | null {
  const { figures, samples } = trace;
  const held = heldAtLeast(trace);
  if (held > figures.perMinute) return `allowed ${count(held)} requests besides refills`;
  for (const { samples: piece } of windowsSeen(samples, figures).pieces) {
    const proof = nothingRefills(piece, figures);
    if (proof !== null) return `refilled nothing while ${count(proof.due)} requests were due`;
  }
  const next = refillIntervalMs(figures) / 1000 + WAIT_ROUNDED_S;
  const told = refusalsOf(trace).flatMap(({ retryAfter }) => {
    const after = readRetryAfter(retryAfter);
    return after.kind === 'seconds' && after.seconds > next ? [after.seconds] : [];
  });
  const [longest] = told;
  if (longest !== undefined) return `demanded a wait of ${duration(longest * 1000)}`;
  const served = samples.filter(wasServed);
  for (const refusal of refusalsOf(trace)) {
    // The bucket is empty if, over some span up to the refusal, its content and its refills were used up.
    const before = served.filter(({ sentAt }) => sentAt < refusal.answeredAt);
    const empty = before.some((first, index) => {
      const back = refilled(figures, refusal.sentAt - first.answeredAt);
      return before.length - index >= held - TOLERANCE + back;
    });
    if (!empty && held > 0) return `sent 429 although requests had been refilled`;
  }
  return null;
}

/**
 * A token bucket of any size up to the plan's limit, filled at the plan's rate. GCRA counts a theoretical arrival time
 * in place of tokens; a client cannot see the difference.
 */
export const refilling: Model = { label: 'a token bucket or GCRA', misfit };
