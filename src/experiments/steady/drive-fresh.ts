import { burstCeiling, pauseForRefills } from '../../load/bursting/pace.js';
import { steadyPlan } from './schedule.js';
import type { FreshSeries } from '../../limits/series.js';
import { firstOver, isOver, sinkOf, type Lab } from '../../load/lab.js';
import type { KeySession } from '../../load/key-session.js';
import { approach, burstConnections, quickly } from '../../load/bursting/burst.js';

/** The allowance once more after two windows without a request, to the first refusal, as `FreshSeries` describes it. */
export async function freshBurst(session: KeySession, lab: Lab, latencyMs: number): Promise<FreshSeries | null> {
  const { figures, key } = session;
  const lastAnswer = session.samples().reduce((latest, { answeredAt }) => Math.max(latest, answeredAt), 0);
  const from = Math.max(lab.now(), lastAnswer + steadyPlan(figures, null, null).silenceMs);
  if (!(await lab.pause(from, `two windows of the ${key} plan without a request, before its allowance is counted`)))
    return null;

  return lab.inTurn(async () => {
    const sink = sinkOf('steady', figures);
    const { samples } = sink;
    const connections = burstConnections(latencyMs, figures);
    const first = await session.ask('listPets', sink);
    if (!isOver(first)) await quickly(session, lab, sink, { connections, windowFrom: 0 });
    const pauseMs = firstOver(samples) !== undefined ? 0 : pauseForRefills(first.answeredAt, lab.now(), figures);
    if (pauseMs === 0 || (await lab.pause(lab.now() + pauseMs, `requests of the ${key} plan that may come back`)))
      await approach(session, lab, sink, {
        windowFrom: 0,
        connections,
        latencyMs,
        ceiling: () => burstCeiling(figures, lab.now() - first.sentAt, samples),
        operation: () => 'listPets',
      });
    return { silentMs: first.sentAt - lastAnswer, samples };
  });
}
