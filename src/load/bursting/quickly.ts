import { connectionsFor, tailLength } from '../../limits/decisions/burst.js';
import type { Sample } from '../../limits/sample.js';
import type { Figures } from '../../limits/series.js';
import { isOver, leftBy } from '../field.js';
import type { Field } from '../field.js';
import type { Collector, KeyLine } from '../key-line.js';
import { progressEvery } from '../progress.js';

/** Where one connection is too slow, a few more cost nothing and keep what comes back meanwhile small. */
const A_FEW = 10;

/** Connections for the quick part of a burst. */
export function burstConnections(latencyMs: number, figures: Figures): number {
  const { connections } = connectionsFor(latencyMs, figures);
  return connections === 1 ? 1 : Math.max(A_FEW, connections);
}

/** How many were sent since the window began, and how many it should have left. */
const leftOfWindow = (samples: readonly Sample[], windowFrom: number, { figures }: KeyLine): number => {
  const byCount = figures.perMinute - (samples.length - windowFrom);
  return Math.max(0, Math.min(leftBy(samples.at(-1), figures) ?? byCount, byCount));
};

/** Most of the allowance, as fast as the connections carry it; leaves what the single part needs. */
export async function quickly(
  line: KeyLine,
  field: Field,
  sink: Collector,
  { connections, windowFrom }: { readonly connections: number; readonly windowFrom: number },
): Promise<void> {
  const { samples } = sink;
  const from = samples.length;
  const { quick } = tailLength(leftOfWindow(samples, windowFrom, line), connections);
  const tell = progressEvery(
    field,
    sink.profile,
    line.key,
    () => `${samples.length} of ${line.figures.perMinute} sent`,
  );
  if (connections === 1) {
    while (samples.length - from < quick && !field.signal.aborted) {
      if (isOver(await line.ask('listPets', sink))) return;
      tell();
    }
    return;
  }
  if (quick === 0) return;
  let sent = 0;
  const tellSent = progressEvery(
    field,
    sink.profile,
    line.key,
    () => `${from + sent} of ${line.figures.perMinute} sent`,
  );
  await line.volley(
    {
      connections: Math.min(connections, quick),
      next: () => {
        if (sent >= quick) return null;
        sent += 1;
        tellSent();
        return 'listPets';
      },
      stopsAt: isOver,
    },
    sink,
  );
}
