import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { dayOf } from '../base/kernel/day.js';
import { sumAll } from '../base/kernel/format.js';
import { faultReason, faultText } from '../judge/findings/finding.js';
import { FILES } from '../log/files.js';
import { footerOf, headerOf, type HeaderRequest } from '../log/header.js';
import { fileJournal, type Journal } from '../log/journal.js';
import { readOwnLog } from '../log/read.js';
import type { Obstacle } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import type { MetSecrets } from '../wire/exchange/met-secrets.js';
import { learningRedactor } from '../wire/exchange/redact.js';
import { ownWordsOf } from './request.js';

/** Returns the keys in the usual variables: a command under test gets them too, and may print them. */
export const keysInEnvironment = (env: NodeJS.ProcessEnv): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) => (/^PETSTORE_.*KEY$/.test(name) && value ? [value] : []));

export function trafficIds(): () => string {
  let count = 0;
  return () => `t${(count += 1)}`;
}

/** Traffic that clients sent. Where nothing is selected, all is judged. */
interface TrafficLog
  extends
    Pick<HeaderRequest, 'target' | 'sides' | 'command'>,
    Partial<Pick<HeaderRequest, 'selection' | 'selected'>> {
  readonly directory: string;
  /** Keys in clear that the traffic may hold. */
  readonly secrets: readonly string[];
  /** What the traffic names as secrets until then. */
  readonly met: MetSecrets;
  /** Reason why nothing can be recorded; null for none. */
  readonly obstacle?: Obstacle | null;
}

/** Returns whether an error is the user's to fix: a command that cannot start, or a port in use. */
const isOfUser = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'UsageError' || (error as NodeJS.ErrnoException).syscall === 'listen');

/**
 * Writes the log of traffic into its folder, from its header to its footer, and returns it. A fault of the
 * kit ends it, and stands in the footer. Throws what the user has to fix; the log then has no footer.
 *
 * @param record appends what is between; returns why the log is cut short, or null. It calls `learn` with
 *   each further key that it meets, before it appends anything with it.
 */
export async function logTraffic(
  { directory, secrets, met, obstacle = null, ...traffic }: TrafficLog,
  record: (journal: Journal, learn: (key: string) => void) => string | null | Promise<string | null>,
): Promise<RunLog> {
  const request: HeaderRequest = {
    run: randomBytes(4).toString('hex'),
    selection: null,
    selected: null,
    writes: true,
    asOf: dayOf(),
    includes: [],
    ...traffic,
  };
  const file = resolve(directory, FILES.log);
  const { redact, learn } = learningRedactor(secrets, ownWordsOf(request));
  const journal = fileJournal(file, (text) => met.hiddenIn(redact(text)));
  journal.append(headerOf(request));
  let fault: string | undefined;
  let cut: string | null = null;
  try {
    if (obstacle === null) cut = await record(journal, learn);
  } catch (error) {
    if (isOfUser(error)) throw error;
    fault = faultText(error);
  }
  const reason = fault === undefined ? (cut ?? obstacle?.short ?? null) : faultReason(fault);
  journal.append(
    footerOf({ reason, ...(obstacle && { obstacle }), ...(fault !== undefined && { fault }) }, request.run),
  );
  journal.close();
  return readOwnLog(file);
}

/** Returns the record of what a source holds in addition to the client's requests: amounts by reason. */
export const leftOut = (nth: number, reasons: Readonly<Record<string, number>>) =>
  ({
    type: 'left-out',
    nth,
    entries: sumAll(Object.values(reasons)),
    reasons: { ...reasons },
  }) as const;
