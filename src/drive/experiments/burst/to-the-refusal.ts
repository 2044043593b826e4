import type { OperationName } from '../../../base/interface/types.js';
import { burstCeiling } from '../bursting/pace.js';
import { LEFT_FOR_THE_LAST } from '../../../judge/limits/spread.js';
import { describesMinute, leftBy, wasRefused, wasServed, servedIn } from '../../../judge/limits/sample.js';
import { minuteMs } from '../../../judge/limits/bounds.js';
import { readReset } from '../../../judge/limits/headers/header-number.js';
import { fewestApart } from '../../../judge/limits/operation-use.js';
import { isOver, type OpenSeries } from '../open-series.js';
import { approach, type Approach } from '../bursting/burst.js';
import { refusalAt } from '../../../judge/limits/refusal-phase.js';
import { learnClock } from './first-answer.js';
import type { Drive } from '../key-run.js';

/** Requests of each operation in the single part: two alike may be chance. */
const OF_EACH = 3;

/** Options of a burst of one key. */
export type BurstOptions = Pick<Drive, 'refusalOperation'> & Partial<Pick<Drive, 'spreads' | 'earlier'>>;

/** Sends each operation several times in a row: Remaining shows the cost of each. */
export async function eachOperation(series: OpenSeries): Promise<void> {
  const { session, lab, samples } = series;
  const order = (['createPet', 'getPet', 'listPets'] as const).filter((operation) =>
    lab.operations.includes(operation),
  );
  for (const operation of order.flatMap((operation) => Array.from({ length: OF_EACH }, () => operation))) {
    if (leftBy(samples.at(-1), session.figures) === 0) return;
    await series.ask(operation);
  }
}

/**
 * True if no header of the window's responses shows it: only more than two windows' worth shows no limit
 * then.
 */
const isUnseen = ({ session, inWindow }: OpenSeries): boolean =>
  !inWindow().some((sample) => describesMinute(sample, session.figures) || readReset(sample.reset) !== null);

/**
 * Sends the rest of a burst, to the first 429. Past the ceiling it sends every other operation once, to
 * distinguish an operation that is not counted from no limit.
 */
export async function toTheRefusal(series: OpenSeries, options: BurstOptions): Promise<void> {
  const { session, lab, samples, inWindow } = series;
  const { figures } = session;
  const { refusalOperation } = options;
  const beyondAnyWindow = (elapsedMs: number): number =>
    isUnseen(series) && elapsedMs < minuteMs(figures) ? 2 * figures.perMinute + 1 : 0;
  let isGone = false;
  let isTimed = false;
  const approaching: Approach = {
    before: async () => {
      const [own] = inWindow();
      if (own === undefined) return;
      const left = leftBy(samples.at(-1), figures);
      if (!isTimed) await learnClock(own, left, session, lab);
      // The pause comes before the last of the allowance: after it, a refill would count as a request too many.
      const counted = left === 0 ? figures.perMinute - inWindow().length : left;
      if (counted !== LEFT_FOR_THE_LAST || (isTimed && left !== 0)) return;
      isTimed = true;
      const at = refusalAt(own, {
        ...options,
        figures,
        latencyMs: series.latencyMs(),
        now: lab.now(),
        clock: lab.clock(),
      });
      if (at !== null) await lab.pause(at, `the right moment for the ${session.key} plan's 429`);
    },
    ceiling: (elapsedMs) =>
      Math.max(burstCeiling(figures, elapsedMs, inWindow()), beyondAnyWindow(elapsedMs)),
    operation: (sent, latest) => {
      isGone ||= (leftBy(latest, figures) ?? figures.perMinute - sent) <= 0;
      return isGone ? refusalOperation : 'listPets';
    },
  };
  await series.untilOver(() => approach(series, approaching));
  if (series.isEnded()) return tryApart(series);
  for (const other of lab.operations) if (other !== refusalOperation) await series.ask(other);
}

/** Most requests that show whether operations are counted apart. */
const MOST_APART = 8;

/**
 * Sends other requests just after a refusal that no header explains, then the refused one again: if only that
 * is refused, operations are counted apart. It stops at the first other refusal.
 */
async function tryApart(series: OpenSeries): Promise<void> {
  const { session, lab, sink, samples } = series;
  const { figures } = session;
  const refusal = samples.find(wasRefused);
  if (refusal === undefined || !isUnseen(series) || servedIn(samples) <= figures.perMinute) return;
  const amount = (operation: OperationName): number =>
    samples.filter((sample) => sample.operation === operation && wasServed(sample)).length;
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
