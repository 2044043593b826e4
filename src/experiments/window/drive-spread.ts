import { wasRefused } from '../../limits/answers.js';
import { minuteMs } from '../../limits/bounds.js';
import { leeway } from '../../limits/leeway.js';
import { tellTheClock } from '../burst/tell-the-clock.js';
import { isAllButTheLast, lastOfSpreadAt, servedAfterSpreadAt } from './spread.js';
import { isWithinReach, letsBackAt } from '../../limits/lets-back-at.js';
import type { Sample } from '../../limits/sample.js';
import type { SpreadSeries } from '../../limits/series.js';
import { burstConnections, quickly } from '../../load/bursting/burst.js';
import { firstOver, leftBy, sinkOf, type Lab } from '../../load/lab.js';
import { collector, type Collector, type KeySession } from '../../load/key-session.js';

/** The allowance spread over most of a window, and one request a window after the first, as `SpreadSeries` describes it. */
export async function spread(session: KeySession, lab: Lab, latencyMs: number): Promise<SpreadSeries | null> {
  const { figures, key } = session;
  const before = session.samples();
  const refusal = before.findLast(wasRefused);
  const lastAnswer = before.reduce((latest, { answeredAt }) => Math.max(latest, answeredAt), 0);
  const back = refusal === undefined ? null : letsBackAt(refusal, lab.clock());
  const from = Math.max(lab.now(), back ?? 0, lastAnswer + minuteMs(figures) + leeway(figures));
  if (!isWithinReach(from, lab.now(), figures)) return null;
  if (!(await lab.pause(from, `the ${key} plan's allowance to be whole, to spread it over a window`))) return null;
  const sink = sinkOf('window', figures);
  const { samples } = sink;
  await lab.inTurn(async () => {
    await session.ask('listPets', sink);
    const connections = burstConnections(latencyMs, figures);
    if (firstOver(samples) === undefined) await quickly(session, lab, sink, { connections, windowFrom: 0 });
    await allButTheLast(session, lab, sink, 0);
  });
  const [first] = samples;
  if (first === undefined || firstOver(samples) !== undefined) return { samples, last: null };
  const ask = async (at: number, what: string, into: Collector): Promise<Sample | null> =>
    (await lab.pause(at, `${what} of the ${key} plan's allowance, spread over a window`))
      ? session.ask('listPets', into)
      : null;
  await ask(lastOfSpreadAt(first, figures), 'the last', sink);
  if (firstOver(samples) !== undefined) return { samples, last: null };
  const last = await ask(
    servedAfterSpreadAt(first, figures),
    'the end',
    collector('window', { isPassive: () => false }),
  );
  return { samples, last };
}

/** One by one, until but the last of the allowance is left. */
export async function allButTheLast(session: KeySession, lab: Lab, sink: Collector, windowFrom: number): Promise<void> {
  const { signal } = lab;
  const { samples } = sink;
  const isUsed = (): boolean => isAllButTheLast(samples.slice(windowFrom), session.figures);
  while (!signal.aborted && firstOver(samples) === undefined && !isUsed()) {
    const own = samples[windowFrom];
    if (own) await tellTheClock(own, leftBy(samples.at(-1), session.figures), session, lab);
    await session.ask('listPets', sink);
  }
}
