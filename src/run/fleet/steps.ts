import { setTimeout as sleep } from 'node:timers/promises';
import { liveSeconds } from '../../loadkit/fleet/merge-figures.js';
import { BEAT_MS, LOST_MS } from '../../loadkit/fleet/state.js';
import { abortWatch } from '../../loadkit/thresholds.js';
import { WHOLE } from '../../wire/scenario/slice.js';
import { counted, duration } from '../../base/kernel/format.js';
import { now } from '../../wire/exchange/connection.js';
import type { Course } from './course.js';
import { MOST_AWAY_MS, type Crew } from './crew.js';
import type { FleetOptions } from './run-fleet.js';

/** Lead of the announced start, ms: several beats, so all senders receive it. */
const LEAD_MS = 8 * BEAT_MS;
/** Extra time after the schedule's end for a sender's last responses and its log, ms. */
export const GRACE_MS = 15_000;
/** Time to wait for results after a stop, ms. */
const STOP_MS = 3000;
/** Allowed silence while a sender prepares, ms. */
const PREPARING_MS = 4 * LOST_MS;
/** Steps of a sender that may have sent requests. */
const BEGUN: ReadonlySet<string | undefined> = new Set(['preparing', 'ready', 'sending', 'done']);

type Told = Pick<FleetOptions, 'whole' | 'onRecord' | 'say'>;

/** Prevents the run if a sender refuses its part, or was lost before the first request. */
function checkSenders(crew: Crew, course: Course, afterMs: number): void {
  const { noun, seats, hints } = crew;
  const { what, hint } = crew.fault() ?? {};
  if (what !== undefined && hint !== undefined)
    return course.block('Redis takes no messages', `${what}.`, hint);
  const refusal = seats.find(({ state }) => state?.step === 'refused')?.state;
  const one = noun === 'agent' ? 'an agent' : 'a worker';
  if (refusal)
    return course.block(
      `${one} refuses its part`,
      `${refusal.name} ${refusal.reason ?? 'refuses its part'}.`,
      hints.refused,
    );
  course.markLost(afterMs);
  const [[index, why] = []] = course.lost;
  if (index === undefined) return;
  const name = seats[index]?.state?.name;
  course.block(
    `${one} was lost`,
    `part ${index + 1}${name === undefined ? '' : ` (${name})`} ${why}.`,
    hints.lost,
  );
}

/** Waits until every seat is taken. */
export async function gather(
  crew: Crew,
  course: Course,
  waitMs: number,
  say: (text: string) => void,
): Promise<void> {
  const { noun, seats, hints } = crew;
  let [here, told] = [[] as readonly string[], -1];
  const named = (): string => (here.length > 0 ? `: ${here.join(', ')}` : '');
  const isComplete = await course.beatUntil(now() + waitMs, () => {
    here = seats.flatMap(({ state }) => state?.name ?? []);
    if (here.length !== told) say(`${here.length} of ${counted(seats.length, noun)} are connected${named()}`);
    told = here.length;
    checkSenders(crew, course, Infinity);
    return here.length === seats.length;
  });
  if (!isComplete)
    course.block(
      `${noun}s are missing`,
      `${here.length} of ${counted(seats.length, noun)} connected within ${duration(waitMs)}${named()}.`,
      hints.missing,
    );
}

/** Runs preflight on all senders, each with its own key, and waits until each is ready. */
export async function prepare(crew: Crew, course: Course, timeoutMs: number): Promise<void> {
  if (course.isOver()) return;
  crew.tell({ step: 'prepare' });
  const areReady = await course.beatUntil(now() + 2 * timeoutMs + GRACE_MS, () => {
    checkSenders(crew, course, PREPARING_MS);
    // Its preflight found an obstacle, which its log has.
    if (crew.seats.some(({ state }) => state?.step === 'done')) course.finish('a part could not start');
    return crew.seats.every(({ state }) => state?.step === 'ready');
  });
  if (areReady) return;
  course.problems.push(`not all ${crew.noun}s were ready in time`);
  course.finish(`not all ${crew.noun}s were ready`);
}

/** Returns the shared clock minus this process' clock, ms; null if Redis does not come back. */
async function sharedOffset(crew: Crew, course: Course): Promise<number | null> {
  const measured: number[] = [];
  await course.beatUntil(Infinity, async () => {
    checkSenders(crew, course, PREPARING_MS);
    measured.push(
      ...(await crew.offsetMs().then(
        (offsetMs) => [offsetMs],
        () => [],
      )),
    );
    return measured.length > 0;
  });
  return measured[0] ?? null;
}

/**
 * Announces the start, merges all senders' seconds, and collects their results. Returns the start by the
 * shared clock.
 */
export async function send(crew: Crew, course: Course, { whole, onRecord, say }: Told): Promise<number> {
  if (course.isOver()) return 0;
  const { scenario, phases, keys, leftOut } = whole.capacity;
  const offsetMs = await sharedOffset(crew, course);
  if (offsetMs === null) return 0;
  const startAt = now() + LEAD_MS;
  crew.tell({ step: 'go', beginsAt: startAt + offsetMs });
  onRecord({ type: 'scenario', scenario, slice: WHOLE, keys, leftOut, startAt });
  const live = liveSeconds(startAt);
  const abort = abortWatch(scenario.abort);
  const lengthMs = phases.at(-1)?.endMs ?? 0;
  let away = LOST_MS / 5;
  await course.beatUntil(
    startAt + lengthMs + whole.run.request.target.http.timeoutMs + GRACE_MS,
    async () => {
      if (crew.longestAwayMs() > away) {
        away = crew.longestAwayMs();
        say(
          `Redis was unreachable for ${duration(away)}; agents continue without it for up to ${duration(LOST_MS)}`,
        );
      }
      for (const [index, { state, seconds }] of crew.seats.entries())
        if (state && state.startAt > 0) live.add(index, state.startAt, seconds);
      for (const second of live.take(now() - startAt)) {
        onRecord(second);
        const why = abort(second);
        if (why !== null) course.finish(`aborted: ${why}`, true);
      }
      await course.takeParts();
      course.markLost(LOST_MS);
      const { what } = crew.fault() ?? {};
      if (!course.isComplete() && what !== undefined && crew.awayMs() > MOST_AWAY_MS) {
        course.problems.push(`${what} and did not come back`);
        course.finish(what);
      }
      return course.isComplete();
    },
  );
  return startAt + offsetMs;
}

/** Stops all senders, and collects their results so far. */
export async function stop(crew: Crew, course: Course): Promise<void> {
  crew.tell({ step: 'stop' });
  const joined = crew.seats.filter(({ state }) => state !== null && state.step !== 'refused').length;
  const hasBegun = (): boolean => crew.seats.some(({ state }) => BEGUN.has(state?.step));
  const isOpen = (): boolean => course.parts.size + course.lost.size < joined;
  const until = now() + STOP_MS;
  for (let beats = 0; beats < 2 || (isOpen() && now() < until && hasBegun()); beats += 1) {
    await crew.beat();
    await course.takeParts();
    course.markLost(Infinity);
    await sleep(BEAT_MS);
  }
  await crew.beat();
  if (!hasBegun()) return;
  const why =
    course.end()?.kind === 'ended'
      ? 'returned no log when all were stopped'
      : 'was too slow and returned no log';
  for (const [index, { state }] of crew.seats.entries()) if (state !== null) course.lose(index, why);
}
