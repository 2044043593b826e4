import { resolve } from 'node:path';
import { loadLedger } from '../contract/ledger.js';
import type { RequirementId } from '../contract/types.js';
import { isSurplus } from '../checks/passive.js';
import { redactor } from '../exchange/redact.js';
import type { Exchange } from '../exchange/types.js';
import { fileJournal, type Journal } from '../log/journal.js';
import { readLog } from '../log/read.js';
import type { RunLog } from '../log/run-log.js';
import { FILES } from '../report/files.js';
import { trafficFindings } from '../suite/judge-traffic.js';
import { judging } from '../suite/worker-fixture.js';
import { bounded, runToEnd, type EarlyEnd } from './bound.js';
import { keysOf, type ExecuteOptions } from './request.js';
import { headerOf } from '../log/header.js';
import { type ownPhase as OwnPhase, prepareSuites, suitesPhase } from './suites-phase.js';
import { preflightPhase } from './preflight.js';
import { needsLoad, needsOwn } from './select.js';
import { writeResults } from './own-file.js';

/**
 * Runs preflight, suites and profiles against a target, in this order, and leaves a log with a footer. Whatever goes
 * wrong on the way is in the log; only what makes the log itself impossible is thrown.
 */
export async function execute(given: ExecuteOptions): Promise<RunLog> {
  const { request, directory, onRecord } = given;
  const time = bounded(given.signal);
  const { signal } = time;
  const options = { ...given, signal };
  // Absolute, since Playwright takes relative paths from the folder of its configuration.
  const file = resolve(directory, FILES.log);
  const keys = keysOf(request);
  const charged = new Set<RequirementId>();
  const journal = fileJournal(file, redactor(keys), (record) => {
    if (record.type === 'finding' && record.finding.kind === 'violated') charged.add(record.finding.requirement);
    onRecord(record);
  });
  const header = headerOf(request);
  const suites = prepareSuites(options, header, file, keys);
  const work = async (): Promise<EarlyEnd> => {
    // Found out while what runs the suites is started.
    const most = await given.most();
    time.within(most);
    journal.append({ ...header, mostSeconds: most });
    writeResults(directory, await readLog(file));
    const obstacle = await preflightPhase(options, journal);
    if (obstacle) return obstacle;
    if (suites && !signal.aborted) await suitesPhase(options, suites, journal, file, keys);
    const { exchanges: known, findings } = await readLog(file);
    if (!signal.aborted) await loadPhase(options, journal, known, findings.some(isSurplus));
    if (suites && !signal.aborted) judgeSuitesTraffic(options, journal, known, charged);
    if (!signal.aborted) await exploreLast(options, journal, known, charged);
    // Last of all: nothing that they do can change what was found of the interface.
    if (!signal.aborted) await ownLast(options, header, journal, file, keys);
    return null;
  };
  try {
    return await runToEnd(journal, file, time, work);
  } finally {
    suites?.child.discard();
  }
}

async function loadPhase(
  { request, removal, directory, allowLoadOnProduction, signal }: ExecuteOptions,
  journal: Journal,
  known: readonly Exchange[],
  singly: boolean,
): Promise<void> {
  if (!needsLoad(loadLedger().requirements, request)) return;
  journal.append({ type: 'phase', phase: 'load', at: Date.now() });
  // What sends load takes a tenth of a second to load, and suites alone do not need it.
  const { runLoadPhase } = await import('./load-phase.js');
  await runLoadPhase({
    request,
    removal,
    directory,
    allowLoadOnProduction,
    signal,
    journal,
    known,
    singly,
  });
}

/**
 * Explores after all else: load measures a key by all that was sent with it, and the suites say which rows need no story.
 */
async function exploreLast(
  { request, removal, signal }: ExecuteOptions,
  journal: Journal,
  known: readonly Exchange[],
  broken: ReadonlySet<RequirementId>,
): Promise<void> {
  if (!request.explore) return;
  const hadLoad = needsLoad(loadLedger().requirements, request);
  const { explorePhase } = await import('./explore-phase.js');
  await explorePhase({
    request,
    removal,
    journal,
    broken,
    signal,
    before: hadLoad ? 'load' : (known.findLast(({ credential }) => credential.kind === 'valid') ?? null),
  });
}

async function ownLast(...given: Parameters<typeof OwnPhase>): Promise<void> {
  if (!needsOwn(given[0].request)) return;
  const { ownPhase } = await import('./suites-phase.js');
  await ownPhase(...given);
}

/** Judges what the suites sent by the rows of Limit and Remaining as well; after load, which knows what explains it. */
function judgeSuitesTraffic(
  { request: { target, selected, selection } }: ExecuteOptions,
  journal: Journal,
  known: readonly Exchange[],
  charged: ReadonlySet<RequirementId>,
): void {
  const { contract } = judging();
  const rows = loadLedger().requirements;
  const isAlone = selection?.only === 'suites';
  for (const finding of trafficFindings(known, { target, rows, selected, contract, charged, isAlone }))
    journal.append({ type: 'finding', finding });
}
