import { now } from '../../exchange/connection.js';
import { burstCeiling } from '../../limits/decisions/burst.js';
import { burstsAgain } from '../../limits/decisions/further-bursts.js';
import type { Sample } from '../../limits/sample.js';
import type { BurstSeries, WindowSeries } from '../../limits/series.js';
import { firstOver, sinkOf } from '../field.js';
import type { Field } from '../field.js';
import type { KeyLine } from '../key-line.js';
import { approach } from '../bursting/approach.js';
import { burstConnections, quickly } from '../bursting/quickly.js';

/** The bursts, and those of their samples that stand in no other series. */
export interface Window {
  readonly series: WindowSeries | null;
  readonly samples: readonly Sample[];
}

/**
 * Bursts again as long as refusals let the client back before a window can have passed, as `WindowSeries` describes it.
 * @param retry the request that was served after the first refusal
 * @param earlier what the run had sent with the key before its first burst, oldest first
 */
export async function bursts(
  line: KeyLine,
  field: Field,
  first: Pick<BurstSeries, 'samples'>,
  retry: Sample,
  latencyMs: number,
  earlier: readonly Sample[],
): Promise<Window> {
  const { figures, key } = line;
  const connections = burstConnections(latencyMs, figures);
  const begun = first.samples[0]?.sentAt ?? now();
  const all: (readonly Sample[])[] = [first.samples];
  const own: Sample[] = [];
  const again = (): number | null => burstsAgain(all, figures, field.clock(), earlier);
  for (let at = again(); at !== null; at = again()) {
    if (!(await field.pause(at, `the ${key} plan's next burst, since its 429 lets it back early`))) break;
    const sink = sinkOf('window', figures);
    const { samples } = sink;
    if (all.length === 1) sink.take(retry);
    const more = (): boolean => !field.signal.aborted && firstOver(samples) === undefined;
    if (samples.length === 0) await line.ask('listPets', sink);
    if (more()) await quickly(line, field, sink, { connections, windowFrom: 0 });
    await approach(line, field, sink, {
      windowFrom: 0,
      connections,
      latencyMs,
      ceiling: () => burstCeiling(figures, now() - begun),
      operation: () => 'listPets',
    });
    all.push(samples);
    own.push(...samples.filter((sample) => sample !== retry));
  }
  return { series: all.length === 1 ? null : { bursts: all }, samples: own };
}
