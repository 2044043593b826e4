import { counted, sum } from '../base/kernel/format.js';
import { now } from '../wire/exchange/connection.js';
import { addressChanges, changeWords } from '../wire/exchange/host-address.js';
import type { PlacedPhase } from '../wire/scenario/schedule.js';
import { placesOf } from '../wire/scenario/slice.js';
import type { CapacityPhaseRecord } from '../log/capacity-record.js';
import type { EngineContext } from './engine-context.js';
import type { AnswerJudge } from './judge-answers.js';
import { saturationOf, type StallMeter } from './health.js';
import type { Meter } from './meter.js';
import { MOST_LATE_MS, MOST_UNDER_WAY } from './open-loop.js';
import type { Run } from './send-phase.js';

/** A closed phase that ends sooner than this before its time ended early, ms. */
const EARLY_MS = 1000;

const CLOSES = 'the server closes connections without notice, so each request used a new connection';

const fullWords = (dropped: number): string =>
  `${counted(dropped, 'arrival')} ${dropped === 1 ? 'was' : 'were'} not sent, because ${MOST_UNDER_WAY} requests had no response`;

const againWords = (again: number): string =>
  `${counted(again, 'request')} ${again === 1 ? 'was' : 'were'} sent again, ` +
  `because the server closed ${again === 1 ? 'its connection' : 'their connections'}`;

/** What the engine of a phase leaves. */
interface Finished {
  readonly meter: Meter;
  readonly remarks: readonly string[];
  /** How long this machine stood still, ms. */
  readonly stoodMs: number;
  readonly isWhole: boolean;
}

/** What a record needs to know of its run. */
interface OfRun extends Pick<Run, 'journal' | 'startAt' | 'seconds' | 'missedMs'> {
  readonly shared: Pick<EngineContext, 'keys' | 'reuse'> & {
    readonly judge: Pick<AnswerJudge, 'ofPhase'>;
    readonly stalls: Pick<StallMeter, 'unreadIn'>;
  };
  readonly plan: Pick<Run['plan'], 'slice' | 'keys'>;
}

export function recordPhase(
  placed: PlacedPhase,
  { meter, remarks, stoodMs, isWhole }: Finished,
  { shared, journal, startAt, plan, seconds, missedMs }: OfRun,
): CapacityPhaseRecord {
  const { phase, startMs, endMs, count } = placed;
  const startedAt = startAt + startMs;
  const own = seconds.filter((second) => second.phase === phase.name);
  const totals = meter.totals();
  const sent = sum(totals.operations, (operation) => operation.sent);
  const intended = count === null ? null : placesOf(plan.slice, count) + (totals.followed ?? 0);
  const finishedAt = Math.min(now(), startAt + endMs);
  const why = plan.keys.some((key) => shared.keys.get(key)?.watch.isToWait(finishedAt))
    ? 'its keys had to wait after a 429'
    : 'the plans of its keys allow no more requests (overLimit: allow continues)';
  const early =
    phase.kind === 'closed' &&
    sent > 0 &&
    isWhole &&
    remarks.length === 0 &&
    finishedAt < startAt + endMs - EARLY_MS;
  const { stopped, ...waiting } = meter.silence.record(
    {
      endAt: isWhole ? startAt + endMs : finishedAt,
      sentUntil: finishedAt,
      medianMs: meter.medianMs(),
      isClosed: phase.kind === 'closed',
    },
    shared.stalls,
  );
  const record: CapacityPhaseRecord = {
    type: 'capacity-phase',
    phase: phase.name,
    startedAt: Math.round(startedAt),
    finishedAt: Math.round(finishedAt),
    intended,
    ...totals,
    ...waiting,
    ...(isWhole && stopped && { stopped }),
    ...(stoodMs > 0 && { stoodMs: Math.round(stoodMs) }),
    violations: shared.judge.ofPhase(),
    // A late part's missed requests, or a phase without any, show nothing about its capacity.
    saturated:
      // Files and ports are missing then, and not time.
      totals.exhausted || missedMs - startMs > MOST_LATE_MS || (intended ?? sent) === 0
        ? null
        : saturationOf(
            own.map(({ at, ...second }) => ({ ...second, endMs: at - startedAt })),
            totals.droppedLate,
            intended ?? sent,
          ),
    lagMs: Math.max(0, ...own.map(({ lagMs }) => lagMs)),
    cpu: sum(own, ({ cpu }) => cpu) / Math.max(1, own.length),
    whole: isWhole,
    remarks: [
      ...remarks,
      // Connections of a server that is gone end as well.
      ...(shared.reuse.isSingle && sent > 0 && !stopped ? [CLOSES] : []),
      ...addressChanges(startedAt, now()).map(changeWords),
      ...(totals.droppedFull > 0 ? [fullWords(totals.droppedFull)] : []),
      ...(totals.again === undefined ? [] : [againWords(totals.again)]),
      ...(totals.droppedHeld
        ? [`${counted(totals.droppedHeld, 'request')} not sent, because the key had to wait after a 429`]
        : []),
      ...(early ? [`it ended early: ${why}`] : []),
    ],
  };
  journal.append(record);
  return record;
}
