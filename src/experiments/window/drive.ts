import { burstCeiling } from '../../load/bursting/pace.js';
import { burstsAgain } from './further-bursts.js';
import type { Bursts } from './window-progress.js';
import type { Sample } from '../../limits/sample.js';
import { firstOver, sinkOf, type Lab } from '../../load/lab.js';
import type { KeySession } from '../../load/key-session.js';
import { approach, burstConnections, quickly } from '../../load/bursting/burst.js';

/**
 * Bursts again as long as refusals let the client back before a window can have passed, as `WindowSeries` describes it.
 * @param before the bursts so far, the first one first
 * @param start the served request that the next of them begins with; null where none was sent
 * @param earlier what the run had sent with the key before its first burst, oldest first
 * @returns the bursts with those that were added
 */
export async function bursts(
  session: KeySession,
  lab: Lab,
  before: Bursts,
  start: Sample | null,
  latencyMs: number,
  earlier: readonly Sample[],
): Promise<Bursts> {
  const { figures, key } = session;
  const connections = burstConnections(latencyMs, figures);
  const begun = before[0]?.[0]?.sentAt ?? lab.now();
  const all = [...before];
  const again = (): number | null => burstsAgain(all, figures, lab.clock(), earlier);
  for (let at = again(); at !== null; at = again()) {
    if (!(await lab.pause(at, `the ${key} plan's next burst, since its 429 lets it back early`))) break;
    const sink = sinkOf('window', figures);
    const { samples } = sink;
    if (all.length === before.length && start !== null) sink.take(start);
    const more = (): boolean => !lab.signal.aborted && firstOver(samples) === undefined;
    if (samples.length === 0) await session.ask('listPets', sink);
    if (more()) await quickly(session, lab, sink, { connections, windowFrom: 0 });
    await approach(session, lab, sink, {
      windowFrom: 0,
      connections,
      latencyMs,
      ceiling: () => burstCeiling(figures, lab.now() - begun, samples),
      operation: () => 'listPets',
    });
    all.push(samples);
  }
  return all;
}
