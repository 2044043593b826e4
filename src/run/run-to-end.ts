import { resolve } from 'node:path';
import { redactor } from '../wire/exchange/redact.js';
import { faultReason, faultText } from '../judge/findings/finding.js';
import { duration } from '../base/kernel/format.js';
import { headerOf } from '../log/header.js';
import { fileJournal, type Journal } from '../log/journal.js';
import { readLog } from '../log/read.js';
import { newSecret, receivedBeside, type Received } from '../log/received.js';
import type { LogHeader, LogRecord, Obstacle } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import { FILES } from '../log/files.js';
import { bounded, type Bounded } from './bound.js';
import { writeResults } from './own-file.js';
import { look } from './preflight.js';
import { keysOf, ownWordsOf, type RunOptions } from './request.js';

export type Run<Options extends RunOptions> = Options & {
  /** Absolute, because Playwright resolves relative paths from the folder of its configuration. */
  readonly file: string;
  readonly journal: Journal;
  readonly header: LogHeader;
  readonly keys: readonly string[];
  /** Exchanges that the log had to change, and their secret for the run's other processes. */
  readonly received: Received;
  readonly secret: string;
  readonly words: readonly string[];
  readonly time: Bounded;
};

/** Opens the log of a run. From now on the run's time limit aborts its signal too. */
export function openRun<Options extends RunOptions>(options: Options): Run<Options> {
  const { request, directory, onRecord } = options;
  const time = bounded(options.signal);
  const file = resolve(directory, FILES.log);
  const keys = keysOf(request);
  const secret = newSecret();
  const received = receivedBeside(file, secret);
  const words = [...ownWordsOf(request), ...(options.words ?? [])];
  const journal = fileJournal(file, redactor(keys, words), onRecord, received);
  const header = headerOf(request);
  return { ...options, signal: time.signal, file, journal, received, secret, header, keys, words, time };
}

/** Early end of a run: an obstacle before its start, or the load scenario's own rule; null without one. */
type EarlyEnd = Obstacle | { readonly aborted: string } | null;
type Footer = Extract<LogRecord, { type: 'footer' }>;

/** Runs preflight and the work between header and footer. An error is a kit fault, unless an interrupt caused it. */
export async function runToEnd(run: Run<RunOptions>, work: () => Promise<EarlyEnd>): Promise<RunLog> {
  const { journal, file, time, header, directory } = run;
  const end = await endOf(async () => {
    const most = await run.most?.();
    if (most !== undefined) time.within(most);
    journal.append({ ...header, ...(most !== undefined && { mostSeconds: most }) });
    writeResults(directory, await readLog(file));
    journal.append({ type: 'phase', phase: 'preflight', at: Date.now() });
    const found = await look(run, journal);
    if (!found.ok) return found.obstacle;
    journal.append({ type: 'preflight', facts: found.facts });
    return work();
  }, time);
  time.release();
  journal.append({ type: 'footer', complete: end.reason === null, finishedAt: new Date().toISOString(), ...end });
  journal.close();
  run.received.remove();
  return readLog(file);
}

async function endOf(
  work: () => Promise<EarlyEnd>,
  { signal, over }: Bounded,
): Promise<Pick<Footer, 'reason' | 'aborted' | 'obstacle' | 'fault'>> {
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
  if (seconds !== null) return { reason: `its time limit of ${duration(seconds * 1000)} was reached`, ...broken };
  if (signal.aborted) return { reason: 'interrupted', ...broken };
  if (fault !== undefined) return { reason: faultReason(fault), fault };
  if (early === null) return { reason: null };
  return 'aborted' in early
    ? { reason: `aborted: ${early.aborted}`, aborted: true }
    : { reason: early.short, obstacle: early };
}

/** True if an error comes from an interrupt that ended a wait. */
const isBrokenOff = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted && error instanceof Error && error.name === 'AbortError';
