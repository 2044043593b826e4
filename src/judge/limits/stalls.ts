import { heldUp } from '../../wire/exchange/stalls.js';
import { duration } from '../../base/kernel/format.js';
import type { KeyRun } from './key-run.js';
import type { Sample } from './sample.js';
import { open, type Open } from './shown.js';
import { spanMs } from './spans.js';

/**
 * Returns why requests took too long: `machine-busy` where they would have been quick enough without the
 * stalls of this machine, else `slow-responses`.
 *
 * @param isQuick whether such a time would have been short enough, ms
 */
export function slow(
  { stalls }: Pick<KeyRun, 'stalls'>,
  samples: readonly Sample[],
  text: string,
  isQuick: (ms: number) => boolean,
): Open {
  const from = Math.min(...samples.map(({ sentAt }) => sentAt));
  const heldMs = heldUp(stalls, from, from + spanMs(samples));
  const isOurs = heldMs > 0 && isQuick(spanMs(samples) - heldMs);
  const held = `this machine was held up for ${duration(heldMs)} of ${duration(spanMs(samples))}`;
  return isOurs ? open('machine-busy', `${text}; ${held}`) : open('slow-responses', text);
}
