import { burstCeiling } from '../../limits/decisions/burst.js';
import { burstsAgain } from '../../limits/decisions/further-bursts.js';
import type { Bursts } from '../../limits/oracles/window-progress.js';
import type { Sample } from '../../limits/sample.js';
import { firstOver, sinkOf } from '../field.js';
import type { Field } from '../field.js';
import type { KeyLine } from '../key-line.js';
import { approach } from '../bursting/approach.js';
import { burstConnections, quickly } from '../bursting/quickly.js';

/**
 * Bursts again as long as refusals let the client back before a window can have passed, as `WindowSeries` describes it.
 * @param before the bursts so far, the first one first
 * @param start the served request that the next of them begins with; null where none was sent
 * @param earlier what the run had sent with the key before its first burst, oldest first
 * @returns the bursts with those that were added
 */
export async function bursts(
  line: KeyLine,
  field: Field,
  before: Bursts,
  start: Sample | null,
  latencyMs: number,
  earlier: readonly Sample[],
): Promise<Bursts> {
  const { figures, key } = line;
  const connections = burstConnections(latencyMs, figures);
  const begun = before[0]?.[0]?.sentAt ?? field.now();
  const all = [...before];
  const again = (): number | null => burstsAgain(all, figures, field.clock(), earlier);
  for (let at = again(); at !== null; at = again()) {
    if (!(await field.pause(at, `the ${key} plan's next burst, since its 429 lets it back early`))) break;
    const sink = sinkOf('window', figures);
    const { samples } = sink;
    if (all.length === before.length && start !== null) sink.take(start);
    const more = (): boolean => !field.signal.aborted && firstOver(samples) === undefined;
    if (samples.length === 0) await line.ask('listPets', sink);
    if (more()) await quickly(line, field, sink, { connections, windowFrom: 0 });
    await approach(line, field, sink, {
      windowFrom: 0,
      connections,
      latencyMs,
      ceiling: () => burstCeiling(figures, field.now() - begun, samples),
      operation: () => 'listPets',
    });
    all.push(samples);
  }
  return all;
}
