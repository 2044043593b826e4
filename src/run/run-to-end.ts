import { faultReason, faultText } from '../findings/fault.js';
import { duration } from '../format/format.js';
import type { Journal } from '../log/journal.js';
import { readLog } from '../log/read.js';
import type { LogRecord, Obstacle } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import type { Bounded } from './bound.js';

/** Why a run came to an early end: an obstacle that kept it from starting, or a reason in words; null where it did not. */
export type EarlyEnd = Obstacle | string | null;

type Footer = Extract<LogRecord, { type: 'footer' }>;

/**
 * Does what a run consists of, and closes its log with a footer, whatever goes wrong on the way. What is thrown is a fault
 * of the kit, unless it is the interrupt that ends a pause.
 * @param file the log that the journal writes, absolute
 */
export async function runToEnd(
  journal: Journal,
  file: string,
  time: Bounded,
  work: () => Promise<EarlyEnd>,
): Promise<RunLog> {
  const end = await endOf(work, time);
  time.release();
  journal.append({ type: 'footer', complete: end.reason === null, finishedAt: new Date().toISOString(), ...end });
  journal.close();
  return readLog(file);
}

async function endOf(
  work: () => Promise<EarlyEnd>,
  { signal, over }: Bounded,
): Promise<Pick<Footer, 'reason' | 'obstacle' | 'fault'>> {
  let fault: string | undefined;
  let early: EarlyEnd = null;
  try {
    early = await work();
  } catch (error) {
    if (!isBrokenOff(error, signal)) fault = faultText(error);
  }
  const broken = fault !== undefined && { fault };
  const seconds = over();
  // What was broken off says nothing about the target.
  if (seconds !== null) return { reason: `its time of ${duration(seconds * 1000)} was over`, ...broken };
  if (signal.aborted) return { reason: 'interrupted', ...broken };
  if (fault !== undefined) return { reason: faultReason(fault), fault };
  return early !== null && typeof early === 'object' ? { reason: early.short, obstacle: early } : { reason: early };
}

/** What an interrupt throws where it ends a pause. */
const isBrokenOff = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted && error instanceof Error && error.name === 'AbortError';
