import { randomBytes } from 'node:crypto';
import { faultReason, faultText } from '../judge/findings/finding.js';
import { headerOf } from '../log/header.js';
import type { Journal } from '../log/journal.js';
import type { LogHeader, Obstacle } from '../log/record.js';

/** Returns the first record of a log of traffic that clients sent. Where nothing is selected, all is judged. */
export const trafficHeader = (
  facts: Pick<Parameters<typeof headerOf>[0], 'target' | 'sides' | 'command'> &
    Partial<Pick<Parameters<typeof headerOf>[0], 'selection' | 'selected'>>,
): LogHeader =>
  headerOf({
    run: randomBytes(4).toString('hex'),
    selection: null,
    selected: null,
    writes: true,
    asOf: new Date().toISOString().slice(0, 10),
    includes: [],
    ...facts,
  });

/** Returns the keys in the usual variables: a command under test gets them too, and may print them. */
export const keysInEnvironment = (env: NodeJS.ProcessEnv): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) => (/^PETSTORE_.*KEY$/.test(name) && value ? [value] : []));

/** Returns new ids for the exchanges of a log. */
export function trafficIds(): () => string {
  let count = 0;
  return () => `t${(count += 1)}`;
}

interface TrafficLog {
  readonly journal: Journal;
  readonly header: LogHeader;
  /** Reason why nothing can be recorded; null for none. */
  readonly obstacle?: Obstacle | null;
}

/** Returns whether an error is the user's to mend: a command that cannot start, or a port in use. */
const isOfUser = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'UsageError' || (error as NodeJS.ErrnoException).syscall === 'listen');

/**
 * Writes a log of traffic from its header to its footer. A fault of the kit ends it, and stands in the footer. Throws what the
 * user has to mend; the log then has no footer.
 * @param record appends what is between; returns why the log is cut short, or null
 */
export async function writeTrafficLog(
  { journal, header, obstacle = null }: TrafficLog,
  record: () => string | null | Promise<string | null>,
): Promise<void> {
  journal.append(header);
  let fault: string | undefined;
  let cut: string | null = null;
  try {
    if (obstacle === null) cut = await record();
  } catch (error) {
    if (isOfUser(error)) throw error;
    fault = faultText(error);
  }
  const reason = fault === undefined ? (cut ?? obstacle?.short ?? null) : faultReason(fault);
  journal.append({
    type: 'footer',
    complete: reason === null,
    reason,
    finishedAt: new Date().toISOString(),
    ...(obstacle && { obstacle }),
    ...(fault !== undefined && { fault }),
  });
  journal.close();
}
