import { burstCeiling, pauseForRefills } from '../../limits/decisions/burst.js';
import { steadyPlan } from '../../limits/decisions/paced.js';
import type { FreshSeries } from '../../limits/series.js';
import { firstOver, isOver, sinkOf } from '../field.js';
import type { Field } from '../field.js';
import type { KeyLine } from '../key-line.js';
import { approach } from '../bursting/approach.js';
import { burstConnections, quickly } from '../bursting/quickly.js';

/** The allowance once more after two windows of silence, to the first refusal, as `FreshSeries` describes it. */
export async function freshBurst(line: KeyLine, field: Field, latencyMs: number): Promise<FreshSeries | null> {
  const { figures, key } = line;
  const lastAnswer = line.samples().reduce((latest, { answeredAt }) => Math.max(latest, answeredAt), 0);
  const from = Math.max(field.now(), lastAnswer + steadyPlan(figures, null, null).silenceMs);
  if (!(await field.pause(from, `two windows of silence on the ${key} plan, before its allowance is counted`)))
    return null;

  return field.inTurn(async () => {
    const sink = sinkOf('steady', figures);
    const { samples } = sink;
    const connections = burstConnections(latencyMs, figures);
    const first = await line.ask('listPets', sink);
    if (!isOver(first)) await quickly(line, field, sink, { connections, windowFrom: 0 });
    const pauseMs = firstOver(samples) !== undefined ? 0 : pauseForRefills(first.answeredAt, field.now(), figures);
    if (pauseMs === 0 || (await field.pause(field.now() + pauseMs, `requests of the ${key} plan that may come back`)))
      await approach(line, field, sink, {
        windowFrom: 0,
        connections,
        latencyMs,
        ceiling: () => burstCeiling(figures, field.now() - first.sentAt, samples),
        operation: () => 'listPets',
      });
    return { silentMs: first.sentAt - lastAnswer, samples };
  });
}
