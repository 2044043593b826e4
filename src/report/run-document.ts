import type { Comparison } from '../outcome/acceptance/compare.js';
import { partTitles, type Part } from '../base/interface/names.js';
import type { Requirement, RequirementId } from '../base/interface/types.js';
import { grouped, minute } from '../base/kernel/format.js';
import type { RunLog } from '../log/run-log.js';
import { exchangesById } from '../outcome/results/requirement-result.js';
import type { RequirementResult, Results } from '../outcome/results/results.js';
import { verdictText } from '../outcome/words/bounds.js';
import { newAndFixed, type Change } from '../outcome/words/changes.js';
import { ofBuild } from '../outcome/words/verdict-sentence.js';
import { hasOutcome } from '../outcome/words/required-count.js';
import type { Exchange } from '../wire/exchange/types.js';
import { agentsOf, clientCauses } from './causes/client-causes.js';
import type { LikelyCause } from './causes/likely-cause.js';
import { causeWords, likelyCauses } from './causes/likely.js';
import type { Proof } from './proof.js';
import { faultsIn, rowsOf } from './rows/faults.js';
import { rowGroup, type RowGroup } from './rows/row-group.js';
import { NOTHING_KNOWN, rowView, type RowContext, type RowView, type ShownCause } from './rows/row-view.js';

/**
 * What every report of a run says, built once from results and log: immutable values that terminal, page,
 * Markdown, JUnit, CTRF, tables, comparison and notification render.
 *
 * To write a renderer, take a `RunDocument` and return text:
 *
 * - `sentence` comes first. `results` has the verdict, the scope, the figures and the times of the run.
 * - `faults` has what to fix: what is new against the baseline or the earlier run first, otherwise in the order
 *   of the interface. Show the blocks of each (`rows/blocks.ts`): `faultBlocks`, or `gistBlocks` in a few
 *   lines.
 * - `kitFaults`, `warnings`, `open`, `blocked`, `accepted` and `untested` have the other rows that did not
 *   pass. `parts` has the same by part of the interface, and `own` for own suites.
 * - For a report with every row, such as JUnit, take `rows`: each knows whose fault it shows (`sameFaultAs`),
 *   why it was not judged (`reason`), what blocks it, and who accepted it.
 * - Do not merge, group or reorder findings and rows, and do not decide what is a failure. Show fewer of them,
 *   by an entry of `AMOUNTS`, and say how many were left out.
 * - Everything but the kit's own words may come from a target: escape it for the format.
 */
export interface RunDocument extends RowGroup {
  readonly results: Results;
  /** The verdict with its bounds, in sentences that can be quoted. */
  readonly sentence: string;
  /** What changed since an earlier run, as a clause that begins with “since”; null without such a run. */
  readonly since: string | null;
  /** The rows by part of the interface, in its order. */
  readonly parts: readonly PartView[];
  /** The rows of own suites; null without any. */
  readonly own: RowGroup | null;
  /** Exchanges that findings may name, by id. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
}

export interface PartView extends RowGroup {
  readonly part: Part;
  readonly title: string;
}

/** What a document says beyond the results; without a source its members are empty. */
export interface DocumentSources {
  /** Evidence of passed rows, and all exchanges. */
  readonly log?: RunLog | null;
  /** Rows of the ledger: how each is judged. */
  readonly requirements?: readonly Requirement[];
  /** Known mistakes: what proves each row. */
  readonly proof?: Proof | null;
  /** Changes since another run, and that run. */
  readonly comparison?: {
    readonly changes: readonly Change[];
    readonly against?: Pick<Results, 'requirements' | 'startedAt' | 'label'>;
    readonly isOfOthers?: boolean;
    readonly environments?: Comparison['environments'];
  } | null;
}

/** Pure: the same results and sources give the same document. */
export function runDocument(results: Results, sources: DocumentSources = {}): RunDocument {
  const { log = null, requirements = [], proof = null, comparison = null } = sources;
  const all = log?.exchanges ?? results.exchanges;
  const traffic = log?.traffic ?? [];
  const exchanges = exchangesById({ exchanges: all });
  const flaws = proof?.flaws ?? [];
  const ofRun = {
    ...NOTHING_KNOWN,
    exchanges,
    kept: grouped(
      (log?.findings ?? []).filter((finding) => finding.kind === 'kept'),
      (finding) => finding.requirement,
    ),
    accepted: results.accepted ?? [],
  };
  const rowsBefore = comparison?.against?.requirements ?? [];
  const views = viewsOf(results.requirements, {
    ...ofRun,
    entries: log?.header.acceptance?.accepted ?? null,
    earlier: new Map(rowsBefore.map((row) => [row.id, row])),
    ledger: requirements,
    flaws,
    // Another environment did not come before this one: nothing is new or fixed in a row.
    changes: comparison?.environments ? [] : (comparison?.changes ?? []),
    scenarios: new Map(
      traffic.flatMap(({ scenario, exchanges }) =>
        scenario === undefined ? [] : exchanges.map(({ id }) => [id, scenario] as const),
      ),
    ),
    agents: agentsOf(traffic),
    ofFault: ofFaults(results.requirements, [
      ...likelyCauses(results, all),
      ...clientCauses(results.requirements, traffic),
    ]),
  });
  return {
    results,
    sentence: verdictText(results),
    since:
      comparison?.against === undefined ? null : sinceText({ ...comparison, against: comparison.against }),
    ...rowGroup(results.requirements, views),
    parts: [...grouped(results.requirements, ({ part }) => part)]
      .toSorted(([one], [other]) => one - other)
      .map(([part, rows]) => ({ part, title: partTitles[part], ...rowGroup(rows, views) })),
    own: results.own ? ownGroup(results.own.requirements, log?.header.own?.rows ?? [], ofRun) : null,
    exchanges,
  };
}

function sinceText({
  changes,
  against,
  isOfOthers = false,
  environments = null,
}: {
  readonly changes: readonly Change[];
  readonly against: Pick<Results, 'startedAt' | 'label'>;
  readonly isOfOthers?: boolean | undefined;
  readonly environments?: Comparison['environments'] | undefined;
}): string {
  if (isOfOthers) return `since the last result of each requirement: ${newAndFixed(changes)}`;
  const run = `the run of ${minute(against.startedAt)}${ofBuild(against)}`;
  return `since ${run}${environments ? ` on ${environments[0]}` : ''}: ${newAndFixed(changes, environments)}`;
}

const ownGroup = (
  rows: readonly RequirementResult[],
  ledger: readonly Requirement[],
  ofRun: RowContext,
): RowGroup => rowGroup(rows, viewsOf(rows, { ...ofRun, ledger, ofFault: ofFaults(rows, []) }));

const viewsOf = (
  rows: readonly RequirementResult[],
  context: RowContext,
): ReadonlyMap<RequirementId, RowView> => new Map(rows.map((row) => [row.id, rowView(row, context)]));

function ofFaults(rows: readonly RequirementResult[], causes: readonly LikelyCause[]): RowContext['ofFault'] {
  const faults = (['failed', 'warned'] as const).flatMap((outcome) =>
    faultsIn(rows.filter((row) => hasOutcome(row, outcome))).map((fault) =>
      rowsOf(fault).map(({ id }) => id),
    ),
  );
  const membersOf = (id: RequirementId): readonly RequirementId[] =>
    faults.find((ids) => ids.includes(id)) ?? [id];
  const leadOf = (id: RequirementId): RequirementId => membersOf(id)[0] ?? id;
  const causeOf = (id: RequirementId): ShownCause | null => {
    // The row that stands for a fault also says the cause of the others.
    const rowsExplained = leadOf(id) === id ? membersOf(id) : [id];
    const cause = causes.find((one) => rowsExplained.some((row) => one.rows.includes(row)));
    const [first] = cause?.rows ?? [];
    if (cause === undefined || first === undefined) return null;
    const saidAt = leadOf(first);
    const others = cause.rows.filter((row) => !membersOf(saidAt).includes(row));
    return { words: causeWords(cause), title: cause.title, saidAt, others };
  };
  return (id) => ({
    sameFaultAs: leadOf(id) === id ? null : leadOf(id),
    cause: causeOf(id),
    blocks: rows.flatMap((row) => (row.heldUpBy?.includes(id) ? [row.id] : [])),
  });
}
