import { counted, listed } from '../../base/kernel/format.js';
import { kindsBeyond, kindsOf } from './finding-kind.js';
import type { BaselineProblem } from './part-shapes.js';
import type { RequirementResult } from './requirement-shape.js';
import type { Results } from './results-shape.js';
import { EXIT_CODES, JUDGED, type Verdict } from '../../judge/verdict.js';
import type { AcceptedDeviation } from '../../log/header-record.js';

/** @param today ISO date; an entry is valid through its expiry day */
export function judgeBaseline(results: Results, accepted: readonly AcceptedDeviation[], today: string) {
  const rows = new Map(results.requirements.map((row) => [row.id, row]));
  const judged = accepted.map((entry) => ({
    entry,
    found: judgeEntry(entry, rows, results, today),
  }));
  const accounted = new Set(
    judged.flatMap(({ entry, found }) =>
      typeof found === 'string' || ACCOUNTED_KINDS.has(found.kind) ? [entry.requirement] : [],
    ),
  );
  const problems: readonly BaselineProblem[] = [
    ...problemsOfRun(results),
    ...judged.flatMap(({ found }) => (typeof found === 'string' ? [] : [found])),
    ...results.requirements
      .filter((row) => deviates(row) && !accounted.has(row.id))
      .map(({ id, outcome }) => ({
        kind: 'unaccepted' as const,
        id,
        message: `${id} is ${outcome}, but no entry of the baseline accepts that.`,
      })),
  ];
  return {
    /** True only when exactly the accepted deviations occurred. */
    met: problems.length === 0,
    problems,
    /** Entries whose deviation occurred. */
    accepted: judged.flatMap(({ entry, found }) => (found === 'met' ? [entry] : [])),
  };
}

/** Problems of an entry that report its row's deviation too. */
const ACCOUNTED_KINDS: ReadonlySet<BaselineProblem['kind']> = new Set(['expired', 'other-finding']);

/** Problems of an entry, rather than of the run. */
const OF_ENTRY: ReadonlySet<BaselineProblem['kind']> = new Set([
  'expired',
  'stale',
  'unmatched',
  'other-finding',
]);

/**
 * Returns the exit code of a run: 0 when accepted, 2 for a kit fault, 1 for a wrong entry, otherwise the
 * verdict's.
 */
export function exitCodeWithBaseline(
  { met, problems }: NonNullable<Results['baseline']>,
  verdict: Verdict,
): number {
  if (verdict === 'error') return EXIT_CODES.error;
  if (met) return 0;
  return problems.some(({ kind }) => OF_ENTRY.has(kind)) ? 1 : EXIT_CODES[verdict];
}

/** Says which accepted entries accept any finding of their rows, as those of an earlier kit do. */
export function remarksOnEntries(met: readonly AcceptedDeviation[]): readonly string[] {
  const open = met.filter(({ outcome, found }) => outcome !== 'inconclusive' && found === undefined);
  if (open.length === 0) return [];
  const rows = listed(open.map(({ requirement }) => requirement));
  const entries = open.length === 1 ? `The entry of ${rows} has` : `The entries of ${rows} have`;
  return [`${entries} no "found", so any finding is accepted there. "baseline create" drafts it.`];
}

function otherFindings({ found }: AcceptedDeviation, row: RequirementResult): readonly string[] {
  const kinds = kindsOf(row);
  return found === undefined || kinds === null ? [] : kindsBeyond(kinds, found);
}

/** `met`: the deviation occurred. `aside`: unknown in this run. */
function judgeEntry(
  entry: AcceptedDeviation,
  rows: ReadonlyMap<RequirementResult['id'], RequirementResult>,
  results: Results,
  today: string,
): 'met' | 'aside' | BaselineProblem {
  const { requirement: id, outcome, expires } = entry;
  const row = rows.get(id);
  const wrong = (kind: BaselineProblem['kind'], message: string): BaselineProblem => ({ kind, id, message });
  if (!row)
    return wrong(
      'unmatched',
      `The baseline names ${id}, but no requirement has that id. Correct or remove the entry.`,
    );
  if (row.reason?.code === 'not-selected') return 'aside';
  // An incomplete run reports itself; an entry is not wrong because the run stopped early.
  if (!results.complete && row.outcome === 'inconclusive' && outcome !== 'inconclusive') return 'aside';
  // What holds a row up may do so by chance of the store or of a moment.
  const isHeldUp = entry.heldUpBy?.some((by) => rows.get(by)?.outcome === 'failed') === true;
  if (row.outcome === 'passed' && outcome === 'inconclusive' && isHeldUp && expires >= today) return 'aside';
  if (row.outcome === 'passed')
    return wrong(
      'stale',
      `The baseline accepts ${id} as ${outcome}, but it passed. Remove the entry, so that a new failure is visible.`,
    );
  if (row.outcome !== outcome)
    return wrong(
      'unmatched',
      `The baseline accepts ${id} as ${outcome}, but it is ${row.outcome}. Check the change and correct the entry.`,
    );
  const others = outcome === 'inconclusive' ? [] : otherFindings(entry, row);
  if (others.length > 0) {
    const more = others.length > MOST_NAMED ? `; and ${others.length - MOST_NAMED} more` : '';
    const named = others.slice(0, MOST_NAMED).join('; ') + more;
    const old = expires < today ? ` The entry expired on ${expires}, too.` : '';
    const rest = `Fix that, or add it to "found" of the entry.${old}`;
    return wrong(
      'other-finding',
      `The baseline accepts ${id} for other findings. This run also found: ${named}. ${rest}`,
    );
  }
  if (expires < today)
    return wrong(
      'expired',
      `The baseline accepted ${id} as ${outcome} until ${expires}, but it still is. Fix the target, or agree on a new date.`,
    );
  return 'met';
}

const MOST_NAMED = 3;

/** Returns whether a result prevents the verdict conformant. Warnings and observations do not. */
const deviates = ({ level, outcome }: RequirementResult): boolean =>
  outcome === 'error' || outcome === 'failed' || (outcome === 'inconclusive' && level === 'must');

function problemsOfRun(results: Results): readonly BaselineProblem[] {
  if (!results.complete)
    return [
      {
        kind: 'incomplete',
        id: null,
        message: 'The run was cut short, so it cannot be accepted. Run it again.',
      },
    ];
  if (results.requirements.some(({ outcome }) => JUDGED.has(outcome))) return [];
  const all = counted(results.requirements.length, 'requirement');
  return [
    {
      kind: 'nothing-judged',
      id: null,
      message: `None of ${all} was judged, so there is nothing to accept.`,
    },
  ];
}
