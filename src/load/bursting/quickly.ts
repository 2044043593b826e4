import { connectionsFor, tailLength } from './pace.js';
import type { Sample } from '../../limits/sample.js';
import type { Figures } from '../../limits/series.js';
import { isOver, leftBy, type Lab, progressEvery } from '../lab.js';
import type { Collector, KeySession } from '../key-session.js';

/** Where one connection is too slow, a few more cost nothing and keep what comes back meanwhile small. */
const A_FEW = 10;

/** Connections for the quick part of a burst. */
export function burstConnections(latencyMs: number, figures: Figures): number {
  const { connections } = connectionsFor(latencyMs, figures);
  return connections === 1 ? 1 : Math.max(A_FEW, connections);
}

/** How many were sent since the window began, and how many it should have left. */
const leftOfWindow = (samples: readonly Sample[], windowFrom: number, { figures }: KeySession): number => {
  const byCount = figures.perMinute - (samples.length - windowFrom);
  return Math.max(0, Math.min(leftBy(samples.at(-1), figures) ?? byCount, byCount));
};

/** Most of the allowance, as fast as the connections carry it; leaves what the single part needs. */
export async function quickly(
  session: KeySession,
  lab: Lab,
  sink: Collector,
  { connections, windowFrom }: { readonly connections: number; readonly windowFrom: number },
): Promise<void> {
  const { samples } = sink;
  const from = samples.length;
  const { quick } = tailLength(leftOfWindow(samples, windowFrom, session), connections);
  const tell = progressEvery(
    lab,
    sink.profile,
    session.key,
    () => `${samples.length} of ${session.figures.perMinute} sent`,
  );
  if (connections === 1) {
    while (samples.length - from < quick && !lab.signal.aborted) {
      if (isOver(await session.ask('listPets', sink))) return;
      tell();
    }
    return;
  }
  if (quick === 0) return;
  let sent = 0;
  const tellSent = progressEvery(
    lab,
    sink.profile,
    session.key,
    () => `${from + sent} of ${session.figures.perMinute} sent`,
  );
  await session.inParallel(
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
