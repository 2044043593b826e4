import { rateText } from '../../wire/scenario/units.js';
import { arrivalsOf, type PlacedPhase } from '../../wire/scenario/schedule.js';
import type { CapacityPhaseRecord, FindRecord, SecondRecord } from '../../log/capacity-record.js';
import type { FindAnswer, FindStep } from '../../log/load-shapes.js';
import { type FindPlan, nextMove, PAUSE_SECONDS, type Move } from './search.js';
import { stepOf } from './step-of.js';

export function searching({ conditions, settings, mostIs, budget }: FindPlan) {
  const steps: FindStep[] = [];
  let move: Extract<Move, { kind: 'step' }> | null = null;
  let answer: FindAnswer | null = null;
  let before = 0;
  let isSpent = false;
  let warm: CapacityPhaseRecord | null = null;
  const held = (): readonly number[] =>
    steps.flatMap(({ role, outcome, perSecond }) =>
      role !== 'warm' && outcome === 'holds' ? [perSecond] : [],
    );
  return {
    /** Returns the phase of the next step, as `CapacityOptions` says; null once there is an answer. */
    next(
      recorded: CapacityPhaseRecord | null,
      seconds: readonly SecondRecord[],
      elapsedMs: number,
    ): PlacedPhase | null {
      if (recorded !== null && move !== null) {
        if (move.role === 'warm') warm = recorded;
        steps.push(stepOf(recorded, move, conditions, { warm, seconds }));
      }
      const following = nextMove(settings, steps);
      if (following.kind === 'answer') {
        answer = following.answer;
        return null;
      }
      move = following;
      const { perSecond, seconds: length } = following;
      const name = `${steps.length + 1}: ${rateText(perSecond)}`;
      const phase = { kind: 'open', name, seconds: length, from: perSecond, to: perSecond } as const;
      const startMs = elapsedMs + (recorded === null ? 0 : PAUSE_SECONDS * 1000);
      const { count } = arrivalsOf(phase);
      if (before + count > budget) {
        isSpent = true;
        const isMissed = steps.some(({ role, outcome }) => role !== 'warm' && outcome === 'misses');
        const kind = isMissed || held().length === 0 ? 'ended' : 'bound';
        answer = { kind, perSecond: Math.max(0, ...held()) };
        return null;
      }
      const placed = { phase, startMs, endMs: startMs + length * 1000, before, count };
      before += placed.count;
      return placed;
    },
    /** Returns the search as a record; one without an answer was interrupted. */
    record(): FindRecord {
      return {
        type: 'find',
        conditions: conditions.map(({ text }) => text),
        most: settings.most,
        mostIs: isSpent ? 'plan' : mostIs,
        samples: settings.samples,
        steps,
        answer: answer ?? { kind: 'ended', perSecond: Math.max(0, ...held()) },
      };
    },
  };
}
