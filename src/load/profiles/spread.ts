import { wasRefused } from '../../limits/answers.js';
import { minuteMs } from '../../limits/bounds.js';
import { leeway } from '../../limits/decisions/leeway.js';
import { isAllButTheLast, lastOfSpreadAt, servedAfterSpreadAt } from '../../limits/decisions/spread.js';
import { isWithinReach, letsBackAt } from '../../limits/lets-back-at.js';
import type { Sample } from '../../limits/sample.js';
import type { SpreadSeries } from '../../limits/series.js';
import { burstConnections, quickly } from '../bursting/quickly.js';
import { firstOver, sinkOf } from '../field.js';
import type { Field } from '../field.js';
import { collector } from '../key-line.js';
import type { Collector, KeyLine } from '../key-line.js';

/** The allowance spread over most of a window, and one request a window after the first, as `SpreadSeries` describes it. */
export async function spread(line: KeyLine, field: Field, latencyMs: number): Promise<SpreadSeries | null> {
  const { figures, key } = line;
  const before = line.samples();
  const refusal = before.findLast(wasRefused);
  const lastAnswer = before.reduce((latest, { answeredAt }) => Math.max(latest, answeredAt), 0);
  const back = refusal === undefined ? null : letsBackAt(refusal, field.clock());
  const from = Math.max(field.now(), back ?? 0, lastAnswer + minuteMs(figures) + leeway(figures));
  if (!isWithinReach(from, field.now(), figures)) return null;
  if (!(await field.pause(from, `the ${key} plan's allowance to be whole, to spread it over a window`))) return null;
  const sink = sinkOf('window', figures);
  const { samples } = sink;
  await field.inTurn(async () => {
    await line.ask('listPets', sink);
    const connections = burstConnections(latencyMs, figures);
    if (firstOver(samples) === undefined) await quickly(line, field, sink, { connections, windowFrom: 0 });
    await allButTheLast(line, field, sink, 0);
  });
  const [first] = samples;
  if (first === undefined || firstOver(samples) !== undefined) return { samples, last: null };
  const ask = async (at: number, what: string, into: Collector): Promise<Sample | null> =>
    (await field.pause(at, `${what} of the ${key} plan's allowance, spread over a window`))
      ? line.ask('listPets', into)
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
export async function allButTheLast(
  line: KeyLine,
  { signal }: Field,
  sink: Collector,
  windowFrom: number,
): Promise<void> {
  const { samples } = sink;
  const isUsed = (): boolean => isAllButTheLast(samples.slice(windowFrom), line.figures);
  while (!signal.aborted && firstOver(samples) === undefined && !isUsed()) await line.ask('listPets', sink);
}
