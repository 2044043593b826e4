import { dayOf } from '../../base/kernel/day.js';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadContract } from '../../base/interface/contract.js';
import { loadLedger } from '../../base/interface/ledger.js';
import { type Journal, memoryJournal } from '../../log/journal.js';
import { gather, type RunLog } from '../../log/run-log.js';
import { obstacleTo } from '../probes/unjudgeable.js';
import { footerOf, headerOf, isSelected, type HeaderRequest } from '../../log/header.js';
import { newRunId, openFixture, orderFor } from './fixture.js';
import { judgeRequirement } from './judge-requirement.js';
import { loadedSuites } from './loaded-suites.js';
import { judgeSuitesTraffic } from './judge-traffic.js';
import { isShownByTraffic } from './traffic-rows.js';
import { removalPhaseOn } from '../../base/interface/removal-phase.js';
import type { RequirementId } from '../../base/interface/types.js';
import type { Target } from '../../wire/targets/target.js';

const FOLDER = join(import.meta.dirname, '../../../suites');

/**
 * What each imported file states. One is imported at a time, so that its requirements are those that came
 * with it.
 */
const stated = new Map<string, Promise<readonly RequirementId[]>>();
let newest: Promise<unknown> = Promise.resolve();

function statedIn(file: string): Promise<readonly RequirementId[]> {
  const known = stated.get(file);
  if (known) return known;
  const ids = newest.then(async () => {
    const before = loadedSuites.cases.size;
    await import(pathToFileURL(join(FOLDER, file)).href);
    return [...loadedSuites.cases.keys()].slice(before);
  });
  stated.set(file, ids);
  newest = ids;
  return ids;
}

/**
 * Returns the requirements of the suites in Playwright's order, whatever this process imported before. In
 * another order they need more requests.
 *
 * @param names of files to load; null for all
 */
export async function suiteCases(names: readonly string[] | null = null) {
  loadedSuites.isPlain = true;
  const files = names ?? (await readdir(FOLDER)).filter((file) => /\.spec\.[jt]s$/.test(file));
  const ids = (await Promise.all(files.toSorted().map(statedIn))).flat();
  return ids.flatMap((id) => loadedSuites.cases.get(id) ?? []);
}

/** Options of a run without Playwright: by default all suites, today. Passive rows are always judged. */
export interface PlainRun extends Partial<Pick<HeaderRequest, 'asOf' | 'selected'>> {
  /** Names of the suites' files that state the selected rows; null for all. */
  readonly files?: readonly string[] | null;
}

/** Runs the suites without Playwright, for many servers in one process. Does not select rows that need load. */
export async function runWithoutPlaywright(
  target: Target,
  { asOf = dayOf(), selected = null, files = null }: PlainRun = {},
): Promise<RunLog> {
  const rows = loadLedger().requirements;
  const all = await suiteCases(files);
  const judged = all.filter(({ row }) => isSelected({ selected }, row.id));
  const ids = rows
    .filter(
      (row) =>
        row.judgedBy.kind === 'passive' ||
        (!selected && isShownByTraffic(row)) ||
        judged.some((one) => one.row.id === row.id),
    )
    .map(({ id }) => id);
  const asked = { selection: { only: 'suites' }, selected: ids, includes: [], asOf } as const;
  return logOf(target, asked, async (request, journal) => {
    journal.append({ type: 'phase', phase: 'suites', at: Date.now() });
    const order = orderFor(target, request, removalPhaseOn(loadContract().removalDate, asOf));
    const { fixture, sender } = openFixture(order, {
      journal,
      keys: [target.keys[target.suiteKey]?.reveal() ?? ''],
      // No reader sees these findings.
      redact: (text) => text,
    });
    try {
      // First, as in preflight.
      await obstacleTo(fixture.probes.census());
      for (const { row, body } of judged) await judgeRequirement(row, body, fixture);
    } finally {
      await sender.close();
    }
    judgeSuitesTraffic(fixture.probes.exchanges(), request, journal);
  });
}

/** Runs one phase on a target in this process and returns the log; by default it judges for today. */
export async function logOf(
  target: Target,
  asked: Pick<HeaderRequest, 'selection' | 'selected' | 'includes'> & { readonly asOf?: string | undefined },
  phase: (request: Omit<HeaderRequest, 'own'>, journal: Journal) => Promise<void>,
): Promise<RunLog> {
  const { asOf = dayOf(), ...others } = asked;
  const request = { run: newRunId(), target, writes: target.writes, command: 'selftest', asOf, ...others };
  const journal = memoryJournal();
  journal.append(headerOf(request));
  await phase(request, journal);
  journal.append(footerOf({ reason: null }, request.run));
  return gather(journal.records);
}
