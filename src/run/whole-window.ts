import { count, sum } from '../base/kernel/format.js';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlanName } from '../base/interface/types.js';
import { figuresOf } from '../drive/load/figures.js';
import { sampleOf } from '../judge/checks/rate-headers.js';
import { readReset } from '../base/interface/rate-headers.js';
import { leftBy, type Sample } from '../judge/limits/sample.js';
import type { CapacityPlan } from '../loadkit/plan.js';
import { readOwnLog } from '../log/read.js';
import type { Obstacle } from '../log/record.js';
import { isWithKey } from '../wire/exchange/headers.js';
import type { Exchange } from '../wire/exchange/types.js';
import type { Run } from './open-run.js';
import { look } from './preflight.js';
import type { RunOptions } from './request.js';

/** Returns the exchanges of a run so far, as they were received. */
const exchangesOf = async ({ file, unredacted }: Run<RunOptions>): Promise<readonly Exchange[]> =>
  unredacted.restored((await readOwnLog(file)).exchanges);

/** Tolerance for the whole seconds of `Date` and Reset. */
const GRACE_MS = 1000;
/** A sliding window may return nothing at its Reset, and all of it one window later. */
const MOST_WAITS = 2;

/**
 * Waits until each key's Remaining suffices for the schedule's first window. Otherwise a sound server would
 * refuse because of earlier requests. A key whose Remaining does not rise gets no second wait.
 *
 * @returns used requests of each key's minute at the start, or the obstacle that makes a key unusable
 */
export async function wholeWindow(
  run: Run<RunOptions>,
  { plan }: { readonly plan: CapacityPlan },
): Promise<ReadonlyMap<PlanName, number> | Obstacle> {
  const { request, journal, signal } = run;
  const { target } = request;
  const windowMs = target.windows.minute * 1000;
  const used = new Map<PlanName, number>();
  for (const key of plan.keys) {
    const figures = figuresOf(target, key);
    let seen = lastOf(await exchangesOf(run), key);
    for (let [waits, before] = [0, -1]; !signal.aborted; waits += 1) {
      if (seen === undefined || waits > 0) {
        if (plan.scenario.overLimit === 'allow') break;
        const found = await look(
          { ...run, request: { ...request, target: { ...target, suiteKey: key } } },
          journal,
        );
        if (!found.ok) return found.obstacle;
        seen = lastOf(await exchangesOf(run), key);
      }
      const left = leftBy(seen?.sample, figures);
      const needed = plan.spending.get(key)?.first ?? 0;
      if (left === null || left >= needed || left <= before || waits === MOST_WAITS) break;
      const ms = waits === 0 ? untilReset(seen?.sample, windowMs) : windowMs;
      if (ms <= 0) break;
      before = left;
      const amounts = `${count(left)} requests are left, and the schedule needs ${count(needed)}`;
      const what = `the next window of the ${key} plan: ${amounts}`;
      journal.append({ type: 'waiting', what, until: Date.now() + ms });
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    }
    const left = leftBy(seen?.sample, figures);
    used.set(key, Math.max(seen?.sent ?? 0, left === null ? 0 : figures.perMinute - left));
  }
  return used;
}

/** Newest response to a key, with its number of requests in this run. */
function lastOf(known: readonly Exchange[], key: PlanName) {
  const own = known.filter((exchange) => isWithKey(exchange, key));
  const sample = own.map(sampleOf).findLast((each) => each !== null);
  return sample ? { sample, sent: sum(own, ({ attempts }) => attempts) } : undefined;
}

/** Time until the end of a response's window, ms, by the server's clock if known. */
function untilReset(sample: Sample | undefined, windowMs: number): number {
  const reset = sample ? readReset(sample.reset) : null;
  if (!sample || reset === null) return windowMs;
  const ms =
    reset.unit === 'seconds-to-go' ? reset.seconds * 1000 : reset.unixMs - (sample.date ?? sample.answeredAt);
  return Math.min(Math.max(0, ms), windowMs) + GRACE_MS;
}
