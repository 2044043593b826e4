import type { CapacityPhaseRecord } from '../log/capacity-record.js';
import type { ThresholdResult } from './capacity-shape.js';
import type { Stopped } from './silence.js';
import { exhaustedWords, hiccup, lengthOf, measuredIn, saturatedWords, secondsText } from './thresholds.js';

/** Share of responses below which a phase says nothing about the server. */
const LEAST_ANSWERED = 0.5;

/** Shortest time without a response at the end of a phase that shows that the server stopped, ms. */
const STOPPED_MS = 1000;

/**
 * Returns missed thresholds for two kinds of phases: those with responses to less than half of what was due,
 * and those at whose end nothing answered. Incomplete phases are not judged. The generator's own delay does
 * not count against the server. Pure.
 */
export const unansweredPhases = (phases: readonly CapacityPhaseRecord[]): readonly ThresholdResult[] =>
  phases.flatMap((record): readonly ThresholdResult[] => {
    if (!record.whole) return [];
    const measured = measuredIn([record], null);
    const { settled, byStatus, dropped, droppedOwn } = measured;
    const due = settled + dropped;
    const answered = settled - (byStatus['none'] ?? 0);
    const { stopped } = record;
    const isUnanswered = due > 0 && answered < due * LEAST_ANSWERED;
    if (!isUnanswered && !stopped) return [];
    const result = isUnanswered
      ? ({ text: `${record.phase}: answered >= 50%`, value: answered / due, unit: 'share' } as const)
      : ({
          text: `${record.phase}: answered to its end`,
          value: (stopped?.afterMs ?? 0) / Math.max(1, lengthOf(record)),
          unit: 'share',
        } as const);
    const open = (reason: string) => [{ ...result, outcome: 'inconclusive', reason }] as const;
    if (record.exhausted) return open(exhaustedWords(record));
    if (record.saturated) return open(saturatedWords(record));
    if (isUnanswered && answered + droppedOwn >= due * LEAST_ANSWERED)
      return open(hiccup('served', measured));
    const why = stopped && stoppedWords(record.phase, stopped);
    if (!isUnanswered && stopped && why && stopped.ofMs - stopped.afterMs < STOPPED_MS)
      return open(`${why}, too shortly before the end to tell whether the server stopped`);
    return [{ ...result, outcome: 'missed', ...(why && { reason: why }) }];
  });

export const stoppedWords = (phase: string, { afterMs, ofMs, cause, agent }: Stopped): string =>
  `${agent === undefined ? '' : `${agent} in `}${phase} got no response after ${secondsText(afterMs)} of ` +
  `${secondsText(ofMs)} s (${cause})`;
