import { faultReason, faultText } from '../judge/findings/finding.js';
import { duration } from '../base/kernel/format.js';
import { footerOf, type End } from '../log/header.js';
import { readOwnLog } from '../log/read.js';
import type { RunLog } from '../log/run-log.js';
import type { TimeLimit } from './time-limits.js';
import type { Run } from './open-run.js';
import { resultsIn, writeResults } from './own-file.js';
import type { Begun, EarlyEnd, Phase } from './phases/phase.js';
import type { RunOptions } from './request.js';

/**
 * Runs phases between header and footer, in their order, until one ends the run early or an interrupt does.
 * An error is a kit fault, unless an interrupt caused it. Throws UsageError if a phase cannot begin.
 */
export async function runToEnd(run: Run<RunOptions>, phases: readonly Phase[]): Promise<RunLog> {
  const { journal, file, time } = run;
  const begun = phases.map((phase) => phase.begin(run));
  try {
    const end = await endOf(async () => {
      await writeHeader(run);
      return inTurn(begun, time.signal);
    }, time);
    time.release();
    journal.append(footerOf(end, run.header.run));
    journal.close();
    run.unredacted.remove();
    return await readOwnLog(file);
  } finally {
    for (const { discard } of begun) discard?.();
  }
}

async function writeHeader({
  journal,
  file,
  time,
  header,
  directory,
  most: limit,
}: Run<RunOptions>): Promise<void> {
  const most = await limit?.();
  if (most !== undefined) time.within(most);
  journal.append({ ...header, ...(most !== undefined && { mostSeconds: most }) });
  // From the start, so that an interrupted run is not mistaken for an older one.
  writeResults(directory, resultsIn(await readOwnLog(file)));
}

async function inTurn(phases: readonly Begun[], signal: AbortSignal): Promise<EarlyEnd> {
  for (const { perform } of phases) {
    const early = await perform();
    if (early !== null || signal.aborted) return early;
  }
  return null;
}

async function endOf(work: () => Promise<EarlyEnd>, { signal, over }: TimeLimit): Promise<End> {
  let fault: string | undefined;
  let early: EarlyEnd = null;
  try {
    early = await work();
  } catch (error) {
    if (!isBrokenOff(error, signal)) fault = faultText(error);
  }
  const broken = fault !== undefined && { fault };
  const seconds = over();
  // An interrupted run says nothing about the target.
  if (seconds !== null)
    return { reason: `its time limit of ${duration(seconds * 1000)} was reached`, ...broken };
  if (signal.aborted) return { reason: 'interrupted', ...broken };
  if (fault !== undefined) return { reason: faultReason(fault), fault };
  if (early === null) return { reason: null };
  return 'aborted' in early
    ? { reason: `aborted: ${early.aborted}`, aborted: true }
    : { reason: early.short, obstacle: early };
}

const isBrokenOff = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted && error instanceof Error && error.name === 'AbortError';
