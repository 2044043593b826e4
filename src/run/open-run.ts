import { resolve } from 'node:path';
import type { RequirementId } from '../base/interface/types.js';
import { isSurplus } from '../judge/checks/passive.js';
import { FILES } from '../log/files.js';
import { headerOf } from '../log/header.js';
import { fileJournal, type Journal } from '../log/journal.js';
import { readOwnLog } from '../log/read.js';
import { newSecret, receivedBeside, type Received } from '../log/received.js';
import type { LogHeader, PreflightFacts } from '../log/record.js';
import { redactor } from '../wire/exchange/redact.js';
import type { Exchange } from '../wire/exchange/types.js';
import { withTimeLimit, type TimeLimit } from './time-limits.js';
import { keysOf, ownWordsOf, type RunOptions } from './request.js';

interface BeforeLoad {
  /** Exchanges as received. */
  readonly known: readonly Exchange[];
  /** Is true if a response had more bytes than its length: then load sends no request behind another. */
  readonly singly: boolean;
  /** Behaviour of the server's connections, as preflight saw it. */
  readonly learnt: PreflightFacts['connections'];
}

export type Run<Options extends RunOptions> = Options & {
  /** Absolute, because Playwright resolves relative paths from the folder of its configuration. */
  readonly file: string;
  readonly journal: Journal;
  readonly header: LogHeader;
  readonly keys: readonly string[];
  /** Exchanges that the log had to change, and their secret for the run's other processes. */
  readonly unredacted: Received;
  readonly secret: string;
  readonly words: readonly string[];
  readonly time: TimeLimit;
  readonly violated: ReadonlySet<RequirementId>;
  /** Reads what preflight and suites received so far, once: no phase calls it while the suites run. */
  readonly received: () => Promise<BeforeLoad>;
};

/** Opens the log of a run. From now on the run's time limit aborts its signal too. */
export function openRun<Options extends RunOptions>(options: Options): Run<Options> {
  const { request, directory } = options;
  const time = withTimeLimit(options.signal);
  const file = resolve(directory, FILES.log);
  const keys = keysOf(request);
  const secret = newSecret();
  const unredacted = receivedBeside(file, secret);
  const words = [...ownWordsOf(request), ...(options.words ?? [])];
  const violated = new Set<RequirementId>();
  let before: Promise<BeforeLoad> | undefined;
  const onRecord: RunOptions['onRecord'] = (record) => {
    if (record.type === 'phase' && record.phase === 'suites') before = undefined;
    if (record.type === 'finding' && record.finding.kind === 'violated')
      violated.add(record.finding.requirement);
    options.onRecord(record);
  };
  const receivedIn = async (): Promise<BeforeLoad> => {
    const { exchanges, findings, preflight } = await readOwnLog(file);
    return {
      known: unredacted.restored(exchanges),
      singly: findings.some(isSurplus),
      learnt: preflight?.connections,
    };
  };
  return {
    ...options,
    onRecord,
    signal: time.signal,
    file,
    journal: fileJournal(file, redactor(keys, words), onRecord, unredacted),
    unredacted,
    secret,
    header: headerOf(request),
    keys,
    words,
    time,
    violated,
    received: () => (before ??= receivedIn()),
  };
}
