import type { OperationName } from '../../../base/interface/types.js';
import { burstCeiling } from '../bursting/pace.js';
import { LEFT_FOR_THE_LAST } from '../../../judge/limits/spread.js';
import { describesMinute, leftBy, wasRefused, wasServed, type Sample, servedIn } from '../../../judge/limits/sample.js';
import { minuteMs } from '../../../judge/limits/bounds.js';
import { readReset } from '../../../judge/limits/headers/header-number.js';
import { fewestApart } from '../../../judge/limits/operation-use.js';
import { isOver, type Lab } from '../../load/lab.js';
import type { Collector, KeySession } from '../../load/key-session.js';
import { approach, type Approach } from '../bursting/burst.js';
import { refusalAt } from '../../../judge/limits/refusal-phase.js';
import { learnClock } from './first-answer.js';
import type { Drive } from '../key-run.js';

/** Requests of each operation in the single part: two alike may be chance. */
const OF_EACH = 3;

/** Options of a burst of one key. */
export type BurstOptions = Pick<Drive, 'refusalOperation'> & Partial<Pick<Drive, 'spreads' | 'earlier'>>;

/** Sends each operation several times in a row: Remaining shows the cost of each. */
export async function eachOperation(session: KeySession, { operations, signal }: Lab, sink: Collector): Promise<void> {
  const order = (['createPet', 'getPet', 'listPets'] as const).filter((operation) => operations.includes(operation));
  for (const operation of order.flatMap((operation) => Array.from({ length: OF_EACH }, () => operation))) {
    const last = sink.samples.at(-1);
    const isGone = leftBy(last, session.figures) === 0;
    if (signal.aborted || last === undefined || isOver(last) || isGone) return;
    await session.ask(operation, sink);
  }
}

/**
 * Sends the rest of a burst, to the first 429. Past the ceiling it sends every other operation once, to distinguish an
 * operation that is not counted from no limit.
 */
export async function toTheRefusal(
  session: KeySession,
  lab: Lab,
  sink: Collector,
  way: BurstOptions & Pick<Approach, 'windowFrom' | 'latencyMs'>,
): Promise<void> {
  const { figures } = session;
  const { samples } = sink;
  const { windowFrom, refusalOperation } = way;
  const begun = samples[windowFrom]?.sentAt ?? lab.now();
  // Where no header shows a window, only more than two windows' worth within one shows that none is limited.
  const isUnseen = (): boolean =>
    !samples.slice(windowFrom).some((sample) => describesMinute(sample, figures) || readReset(sample.reset) !== null);
  const beyondAnyWindow = (): number =>
    isUnseen() && lab.now() < begun + minuteMs(figures) ? 2 * figures.perMinute + 1 : 0;
  let isGone = false;
  let isTimed = false;
  let last = await approach(session, lab, sink, {
    ...way,
    before: async (latest) => {
      const own = samples[windowFrom];
      if (own === undefined) return;
      const left = leftBy(latest, figures);
      if (!isTimed) await learnClock(own, left, session, lab);
      // The pause comes before the last of the allowance: after it, a refill would count as a request too many.
      const counted = left === 0 ? figures.perMinute - (samples.length - windowFrom) : left;
      if (counted !== LEFT_FOR_THE_LAST || (isTimed && left !== 0)) return;
      isTimed = true;
      const at = refusalAt(own, { ...way, figures, now: lab.now(), clock: lab.clock() });
      if (at !== null) await lab.pause(at, `the right moment for the ${session.key} plan's 429`);
    },
    ceiling: () =>
      windowFrom + Math.max(burstCeiling(figures, lab.now() - begun, samples.slice(windowFrom)), beyondAnyWindow()),
    operation: (sent, latest) => {
      isGone ||= (leftBy(latest, figures) ?? figures.perMinute - (sent - windowFrom)) <= 0;
      return isGone ? refusalOperation : 'listPets';
    },
  });
  if (last !== undefined && wasRefused(last) && isUnseen() && servedIn(samples) > figures.perMinute)
    await tryApart(session, lab, sink, last);
  for (const other of lab.operations) {
    const goesOn = !lab.signal.aborted && last !== undefined && !isOver(last);
    if (other !== refusalOperation && goesOn) last = await session.ask(other, sink);
  }
}

/** Most requests that show whether operations are counted apart. */
const MOST_APART = 8;

/**
 * Sends other requests just after a refusal, then the refused one again: if only that is refused, operations are counted
 * apart. It stops at the first other refusal.
 */
async function tryApart(session: KeySession, lab: Lab, sink: Collector, refusal: Sample): Promise<void> {
  const { figures } = session;
  const amount = (operation: OperationName): number =>
    sink.samples.filter((sample) => sample.operation === operation && wasServed(sample)).length;
  const [other] = lab.operations
    .filter((operation) => operation !== refusal.operation)
    .toSorted((one, next) => amount(one) - amount(next));
  if (other === undefined) return;
  for (let served = 0; served < MOST_APART && !lab.signal.aborted; served += 1) {
    if (served >= fewestApart(figures, lab.now() - refusal.sentAt)) {
      await session.ask(refusal.operation, sink);
      return;
    }
    if (isOver(await session.ask(other, sink))) return;
  }
}
