import { sumAll } from '../base/kernel/format.js';
import type { PlanName } from '../base/interface/types.js';
import { now } from '../wire/exchange/connection.js';
import { journeysByName } from '../wire/scenario/journey.js';
import type { PlacedPhase } from '../wire/scenario/schedule.js';
import { arrivalsOfSlice, placesOf } from '../wire/scenario/slice.js';
import type { SecondRecord } from '../log/capacity-record.js';
import { closedRoom } from './allowance.js';
import { closedLoop } from './closed-loop.js';
import type { EngineContext, Sending } from './engine-context.js';
import { firstOfJourney } from './journeys.js';
import type { Meter } from './meter.js';
import { openLoop, type Arrivals, type Pool } from './open-loop.js';
import type { Prepared } from './requests.js';
import type { CapacityOptions } from './capacity-options.js';

export interface Run extends Pick<CapacityOptions, 'plan' | 'target' | 'journal' | 'startAt' | 'earlier'> {
  readonly shared: EngineContext;
  readonly pool: Pool;
  readonly seconds: readonly SecondRecord[];
  /** Time of the run that passed before this part began, ms. */
  readonly missedMs: number;
}

/** `over` ends the schedule of an open loop early. */
export function send(placed: PlacedPhase, meter: Meter, run: Run, over: AbortSignal): Sending {
  const { plan, shared, pool, startAt, earlier } = run;
  const windowMs = run.target.windows.minute * 1000;
  const { phase, endMs, before } = placed;
  const [first = 'free', ...others] = shared.keys.keys();
  const names: readonly [PlanName, ...PlanName[]] = [first, ...others];
  if (phase.kind === 'open') {
    const slice = arrivalsOfSlice(plan.slice, names, placed);
    const at = (place: number): number => startAt + slice.at(place).atMs;
    const arrivals: Arrivals = {
      count: slice.count,
      at,
      over,
      request(place) {
        const { nth, key } = slice.at(place);
        return beginning(run, meter, at(place), nth, key);
      },
      isToWait: (place, now) => shared.keys.get(slice.at(place).key)?.watch.isToWait(now) ?? false,
    };
    return openLoop(shared, pool, meter, arrivals, startAt + (plan.phases.at(-1)?.endMs ?? Infinity));
  }
  const connections = placesOf(plan.slice, phase.connections);
  // With fewer connections than parts, this one has nothing to do in this phase.
  if (connections === 0) return { sent: Promise.resolve(), answered: Promise.resolve([]) };
  const budget = new Map(
    plan.keys.map((key) => {
      const spent = plan.spending.get(key);
      return [key, spent ? closedRoom(spent, placed, earlier.get(key) ?? 0, windowMs) : 0] as const;
    }),
  );
  const spend = (key: PlanName): boolean => {
    const room = budget.get(key) ?? 0;
    if (room > 0) budget.set(key, room - 1);
    return room > 0;
  };
  let place = 0;
  let asked = 0;
  return closedLoop(shared, meter, {
    connections: Math.min(connections, sumAll(budget.values())),
    until: startAt + endMs,
    next: () => {
      // Skips a key without room.
      for (let tries = 0; tries < names.length; tries += 1) {
        const key = names[place % names.length] ?? first;
        place += 1;
        if (shared.keys.get(key)?.watch.isToWait(now()) || !spend(key)) continue;
        asked += 1;
        return prepared(shared, before + asked, key);
      }
      return null;
    },
    again: ({ key }) => spend(key),
  });
}

const prepared = ({ turns, source }: EngineContext, nth: number, key: PlanName): Prepared =>
  source.prepare(turns.at(nth), key, nth);

function beginning(
  { shared, plan }: Pick<Run, 'shared' | 'plan'>,
  meter: Meter,
  intendedAt: number,
  nth: number,
  key: PlanName,
): Prepared {
  const journey = journeysByName(plan.scenario.journeys).get(shared.turns.at(nth).journey ?? '');
  if (!journey) return prepared(shared, nth, key);
  const tally = meter.journey(journey, shared.seconds);
  tally.started();
  return firstOfJourney({ journey, key, source: shared.source, tally, intendedAt, nth });
}
