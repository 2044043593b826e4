import { setTimeout as sleep } from 'node:timers/promises';
import type { CapacityPlan } from '../capacity/plan.js';
import { sampleOf } from '../checks/rate-headers.js';
import type { PlanName } from '../contract/types.js';
import { figuresOf } from '../experiments/plan-load.js';
import type { Exchange } from '../exchange/types.js';
import { readReset } from '../limits/headers/header-number.js';
import type { Sample } from '../limits/sample.js';
import { leftBy } from '../load/lab.js';
import type { Journal } from '../log/journal.js';
import type { Obstacle } from '../log/record.js';
import type { Target } from '../targets/target.js';

/** What the wait for a whole window needs. */
interface WindowWait {
  readonly plan: CapacityPlan;
  readonly target: Target;
  readonly journal: Journal;
  /** No wait goes beyond it, Unix ms; absent where the run begins when it can. */
  readonly latest?: number | undefined;
  readonly signal: AbortSignal;
  /** Asks for one listing with a key. */
  readonly look: (key: PlanName) => Promise<Obstacle | null>;
  /** All exchanges of the run so far. */
  readonly known: () => Promise<readonly Exchange[]>;
}

/** `Date` has whole seconds, and Reset as well. */
const GRACE_MS = 1000;
/** A sliding window shows nothing back at its Reset, and all of it a window later. */
const MOST_WAITS = 2;

/**
 * Waits until each key's Remaining covers what the schedule asks of it in the first window: what somebody has used of the
 * window before would make a sound server refuse. A key whose Remaining a wait does not raise is not waited for again.
 * @returns how much of each key's minute is used when the run begins; or what keeps a key from being used at all
 */
export async function wholeWindow(
  options: WindowWait,
): Promise<{ readonly used: ReadonlyMap<PlanName, number> } | { readonly obstacle: Obstacle }> {
  const { plan, target, journal, latest = Infinity, signal, look, known } = options;
  const windowMs = target.windows.minute * 1000;
  const used = new Map<PlanName, number>();
  for (const key of plan.keys) {
    const figures = figuresOf(target, key);
    let seen = lastOf(await known(), key);
    for (let [waits, before] = [0, -1]; !signal.aborted; waits += 1) {
      if (seen === undefined || waits > 0) {
        if (plan.scenario.overLimit === 'allow') break;
        const obstacle = await look(key);
        if (obstacle) return { obstacle };
        seen = lastOf(await known(), key);
      }
      const left = leftBy(seen?.sample, figures);
      const needed = plan.spending.get(key)?.first ?? 0;
      if (left === null || left >= needed || left <= before || waits === MOST_WAITS) break;
      const ms = Math.min(waits === 0 ? untilReset(seen?.sample, windowMs) : windowMs, latest - Date.now());
      if (ms <= 0) break;
      before = left;
      const what = `the ${key} plan's window to begin anew: ${left} requests are left, and the schedule needs ${needed}`;
      journal.append({ type: 'waiting', what, until: Date.now() + ms });
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    }
    const left = leftBy(seen?.sample, figures);
    used.set(key, Math.max(seen?.sent ?? 0, left === null ? 0 : figures.perMinute - left));
  }
  return { used };
}

/** The newest answer to a key, and how many requests it has carried in this run. */
function lastOf(
  known: readonly Exchange[],
  key: PlanName,
): { readonly sample: Sample; readonly sent: number } | undefined {
  const own = known.filter(({ credential }) => credential.kind === 'valid' && credential.plan === key);
  const sample = own.map(sampleOf).findLast((each) => each !== null);
  return sample ? { sample, sent: own.reduce((sum, { attempts }) => sum + attempts, 0) } : undefined;
}

/** How long it is until the window that an answer speaks of is over, ms: by the server's own clock where it tells it. */
function untilReset(sample: Sample | undefined, windowMs: number): number {
  const reset = sample ? readReset(sample.reset) : null;
  if (!sample || reset === null) return windowMs;
  const ms = reset.unit === 'seconds-to-go' ? reset.seconds * 1000 : reset.unixMs - (sample.date ?? sample.answeredAt);
  return Math.min(Math.max(0, ms), windowMs) + GRACE_MS;
}
