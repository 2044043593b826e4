import type { Requirement, RequirementId } from '../../base/interface/types.js';
import { counted } from '../../base/kernel/format.js';
import type { Reason } from '../../judge/findings/finding.js';
import type { Outcome } from '../../judge/verdict.js';
import type { AcceptedDeviation } from '../../log/header-record.js';
import type { RequirementResult } from '../../outcome/results/results.js';
import { CHANGES, type Change } from '../../outcome/words/changes.js';
import { kindsOf } from '../../outcome/results/finding-kind.js';
import type { FindingGroup, ShownFinding } from '../../outcome/words/findings.js';
import { outcomeWordsOf } from '../../outcome/words/outcomes.js';
import { reasonText, reasonWords, remedyOf, UNJUDGED } from '../../outcome/words/reasons.js';
import { shownOutcome } from '../../outcome/words/required-count.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { adviceFor } from '../causes/client-causes.js';
import { isOfClient } from '../../outcome/words/client-rows.js';
import type { ProvenFlaw } from '../proof.js';
import {
  alikeFindings,
  distinctFindings,
  findingGroups,
  inTurn,
  withNews,
  type KnownKinds,
} from './merge-findings.js';

/**
 * One requirement as every report of a run shows it. All decisions are made here and in `run-document.ts`:
 * which findings are one, what stands for a fault, what is blocked or accepted. A renderer only decides how
 * much of it to show, by `AMOUNTS`.
 *
 * A row's outcome, level, part, statement and figures are those of results.json.
 */
export interface RowView extends Omit<RequirementResult, 'findings' | 'reason' | 'heldUpBy'> {
  /** Outcome of glyph and colour: an accepted deviation is no failure to act on. */
  readonly shown: Outcome;
  /** The outcome in words: “failed, accepted until 2027-01-31”, “passed with reduced coverage”. */
  readonly words: string;
  /**
   * What was found, each fault once: the first of each group, then the others; empty unless failed, warned or
   * a kit fault.
   */
  readonly findings: readonly ShownFinding[];
  /** The same by what was expected and received: what is new comes first, otherwise in the order of the run. */
  readonly groups: readonly FindingGroup[];
  /**
   * True if it newly fails or is newly warned about, has a finding that is news, or has no entry in the
   * baseline that was given.
   */
  readonly isNew: boolean;
  /**
   * The same before findings of one fault are merged, for reports that show everything: only equal findings
   * are one.
   */
  readonly everyFinding: readonly ShownFinding[];
  /** Why it was not judged, and the remedy; absent where it was. */
  readonly reason?: ShownReason;
  /** Row that stands for its fault, and shows it plainer; null where it stands for itself. */
  readonly sameFaultAs: RequirementId | null;
  /** Likely mistake behind its fault; null where none fits best. */
  readonly cause: ShownCause | null;
  /** How to fix it, a line each, of a client's row; empty for others. */
  readonly advice: readonly string[];
  /** Scenarios of its findings; empty except for a client that was judged by scenarios. */
  readonly scenarios: readonly string[];
  /** Failed rows that prevent its judgement; fixing them may settle it. */
  readonly blockedBy: readonly RequirementId[];
  /** Rows that could not be judged because of it. */
  readonly blocks: readonly RequirementId[];
  /** The entry of the baseline that accepts it, with reason and link; null without one. */
  readonly agreement: AcceptedDeviation | null;
  /** The ledger's row: its place, how it is judged, its operations; null where the ledger has none. */
  readonly requirement: Requirement | null;
  /** Evidence in a few words, “12 responses”; empty without any. */
  readonly evidenceWords: string;
  /**
   * Evidence in sentences, one for each recorded series that kept the statement; empty where single responses
   * decide.
   */
  readonly evidenceOfSeries: readonly string[];
  /** Exchanges of its findings and observations, in the order of the run, each once. */
  readonly exchanges: readonly Exchange[];
  /** Its own responses that kept the statement, in the order of the run. */
  readonly keptIn: readonly Exchange[];
  /** Mistakes that are known to turn it red, each shown on a broken server. */
  readonly provenBy: readonly ProvenFlaw[];
  /** How it changed since the run that this one is compared with; null without a change. */
  readonly change: Change | null;
}

export interface ShownReason extends Reason {
  /** Two or three words. */
  readonly words: string;
  /** What to do to have it judged; null where no run against this target can judge it. */
  readonly remedy: string | null;
}

export interface ShownCause {
  /** The mistake in a line, with its name in the kit's proof. */
  readonly words: string;
  /** The mistake as a sentence, without its name. */
  readonly title: string;
  /** The row at which reports say it; the others refer to that. */
  readonly saidAt: RequirementId;
  /** Rows of other faults with this cause. */
  readonly others: readonly RequirementId[];
}

/** What the run around a row knows of its rows; a row outside its run has nothing of it. */
export interface RowContext {
  /** Exchanges that findings may name, by id. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /** Findings of the log that kept the statement, by row. */
  readonly kept: ReadonlyMap<string, readonly KeptFinding[]>;
  readonly accepted: readonly AcceptedDeviation[];
  /** All entries of the baseline, whether met or not; null without a baseline. */
  readonly entries: readonly AcceptedDeviation[] | null;
  /** Rows of the run that this one is compared with. */
  readonly earlier: ReadonlyMap<RequirementId, RequirementResult>;
  readonly ledger: readonly Requirement[];
  readonly flaws: readonly ProvenFlaw[];
  readonly changes: readonly Change[];
  /** Scenarios of a client's exchanges, by their ids. */
  readonly scenarios: ReadonlyMap<string, string>;
  /** User-Agents. */
  readonly agents: readonly string[];
  readonly ofFault: (id: RequirementId) => Pick<RowView, 'sameFaultAs' | 'cause' | 'blocks'>;
}

export const NOTHING_KNOWN: RowContext = {
  exchanges: new Map(),
  kept: new Map(),
  accepted: [],
  entries: null,
  earlier: new Map(),
  ledger: [],
  flaws: [],
  changes: [],
  scenarios: new Map(),
  agents: [],
  ofFault: () => ({ sameFaultAs: null, cause: null, blocks: [] }),
};

/** A finding that kept its statement: the exchanges, or a sentence about a series. */
export interface KeptFinding {
  readonly message?: string;
  readonly exchanges: readonly string[];
}

export function rowView(
  { heldUpBy = [], reason, ...result }: RequirementResult,
  context: RowContext,
): RowView {
  const { id, findings: found, observed = [] } = result;
  const { exchanges, accepted, ledger, flaws, changes } = context;
  const everyFinding = distinctFindings(withNews(found, knownKinds(id, context)));
  const groups = findingGroups(alikeFindings({ id, findings: everyFinding }, exchanges));
  const change = changes.find((one) => one.id === id) ?? null;
  const kept = context.kept.get(id) ?? [];
  const evidenceOfSeries = kept.flatMap(({ message }) => message ?? []);
  const exchangesNamed = (ids: readonly string[]): readonly Exchange[] =>
    [...new Set(ids)]
      .flatMap((one) => exchanges.get(one) ?? [])
      .toSorted((one, other) => one.sentAt - other.sentAt);
  return {
    ...result,
    ...context.ofFault(id),
    shown: shownOutcome(result),
    words: outcomeWordsOf(result),
    findings: inTurn(groups),
    groups,
    isNew: isNews(result, change, groups, context),
    everyFinding: inTurn(findingGroups(everyFinding)),
    ...shownReason(result, reason),
    advice: adviceFor(result, context.agents),
    scenarios: [
      ...new Set(found.flatMap((one) => one.exchanges.flatMap((each) => context.scenarios.get(each) ?? []))),
    ],
    blockedBy: heldUpBy,
    agreement: accepted.find(({ requirement }) => requirement === id) ?? null,
    requirement: ledger.find((row) => row.id === id) ?? null,
    evidenceWords: evidenceWords(evidenceOfSeries, result.evidence, isOfClient(id) ? 'request' : 'response'),
    evidenceOfSeries,
    exchanges: exchangesNamed([
      ...found.flatMap((one) => [...one.exchanges, ...(one.story?.exchanges ?? [])]),
      ...observed.flatMap((one) => one.exchanges),
    ]),
    keptIn: exchangesNamed(kept.flatMap((one) => one.exchanges)),
    provenBy: flaws.filter(({ turns }) => turns.includes(id)),
    change,
  };
}

function knownKinds(id: RequirementId, { entries, earlier }: RowContext): KnownKinds {
  const before = earlier.get(id);
  const isViolated = before?.outcome === 'failed' || before?.outcome === 'warned';
  return {
    accepted: entries?.find(({ requirement }) => requirement === id)?.found,
    earlier: isViolated ? (kindsOf(before) ?? undefined) : undefined,
  };
}

function isNews(
  { id, outcome, acceptedUntil }: RequirementResult | Omit<RequirementResult, 'findings'>,
  change: Change | null,
  groups: readonly FindingGroup[],
  { entries }: RowContext,
): boolean {
  if (outcome !== 'failed' && outcome !== 'warned') return false;
  const isWorse =
    change !== null && (CHANGES[change.kind].isNewFailure ?? CHANGES[change.kind].trend === 'worse');
  const isUnknown =
    outcome === 'failed' &&
    acceptedUntil === undefined &&
    entries !== null &&
    !entries.some(({ requirement }) => requirement === id);
  return isWorse || isUnknown || groups.some(({ first }) => first.news !== undefined);
}

/** A row whose result says nothing has the reason of a row that nothing exercised. */
const isJudged = ({ outcome }: Pick<RequirementResult, 'outcome'>): boolean =>
  outcome !== 'inconclusive' && outcome !== 'not-applicable';

function shownReason(
  result: Pick<RequirementResult, 'id' | 'part' | 'outcome'>,
  reason: Reason | undefined,
): Pick<RowView, 'reason'> {
  if (reason === undefined && isJudged(result)) return {};
  const { code, text } = reason ?? UNJUDGED;
  const row = { ...result, reason: { code, text } };
  return { reason: { code, text: reasonText(row), words: reasonWords(code), remedy: remedyOf(row) } };
}

/** Longest sentence that stands in place of a count. */
const LONGEST_EVIDENCE = 48;

/** @param unit what shows the row: a client's is in what it sent */
function evidenceWords(sentences: readonly string[], amount: number, unit: 'request' | 'response'): string {
  const [first = ''] = sentences;
  if (sentences.length === 1 && first.length <= LONGEST_EVIDENCE) return first.replace(/\.$/, '');
  if (sentences.length > 0) return counted(sentences.length, 'series', 'series');
  return amount === 0 ? '' : counted(amount, unit);
}
