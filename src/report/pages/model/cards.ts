import type { Requirement, RequirementId } from '../../../base/interface/types.js';
import type { Exchange } from '../../../wire/exchange/types.js';
import type { RunLog } from '../../../log/run-log.js';
import type { RequirementResult } from '../../../outcome/results/results.js';
import type { Outcome } from '../../../judge/verdict.js';
import { likelyCauses } from '../../causes/likely.js';
import { hasOutcome } from '../../../outcome/words/required-count.js';
import { faultsIn, type RowsOfFault as Fault } from '../../rows/faults.js';
import { alikeFindings, distinctFindings } from '../../rows/merge-findings.js';
import type { PageInput } from '../input.js';
import { chartId, drawingOf, plansDrawn } from './window.js';
import { counted, grouped } from '../../../base/kernel/format.js';

/** Returns the cards of a page in the order of the ledger. `resultsOf` omits results without a row. */
export function cardsOf(input: PageInput) {
  const rows = new Map(input.rows.map((row) => [row.id, row]));
  const exchanges = new Map(input.log.exchanges.map((exchange) => [exchange.id, exchange]));
  const changes = new Map((input.comparison?.changes ?? []).map((change) => [change.id, change]));
  const kept = grouped(
    input.log.findings.filter((finding) => finding.kind === 'kept'),
    (finding) => finding.requirement,
  );
  const faults = faultsIn(input.results.requirements.filter((row) => hasOutcome(row, 'failed')));
  const causes = likelyCauses(input.results, input.log.exchanges, input.proof?.flaws ?? []);
  const find = (ids: Iterable<string>): readonly Exchange[] =>
    [...new Set(ids)].flatMap((id) => exchanges.get(id) ?? []).sort((one, other) => one.sentAt - other.sentAt);
  return input.results.requirements.flatMap((result) => {
    const row = rows.get(result.id);
    if (!row) return [];
    const own = kept.get(row.id) ?? [];
    const messages = own.flatMap(({ message }) => message ?? []);
    return [
      {
        row,
        result,
        findings: alikeFindings({ id: result.id, findings: distinctFindings(result.findings) }, exchanges),
        /** Evidence in a few words: "12 responses"; empty without any. */
        evidence: evidenceWords(messages, result.evidence),
        /** Evidence in sentences, one per recorded series that kept the statement; empty where single responses decide. */
        stands: messages,
        flaws: (input.proof?.flaws ?? []).filter((flaw) => flaw.turns.includes(row.id)),
        /** Mistake that explains it; null where none fits best. */
        cause: causes.find(({ rows: explained }) => explained.includes(row.id)) ?? null,
        /** Rows of the same fault of limits: the one that stands for it, and those in which it shows too. */
        fault: familyFaultOf(row.id, faults),
        heldUp: input.results.requirements.flatMap(({ id, heldUpBy = [] }) => (heldUpBy.includes(row.id) ? [id] : [])),
        change: changes.get(row.id) ?? null,
        /** Charts of its measurements, for the plans in its findings. */
        charts: chartLinks(row, result, input.log),
        /** Exchanges in its findings and observations, in the order of the run, each once. */
        exchanges: find([
          ...result.findings.flatMap((finding) => [...finding.exchanges, ...(finding.story?.exchanges ?? [])]),
          ...(result.observed ?? []).flatMap((finding) => finding.exchanges),
        ]),
        /** Its own responses that kept the statement, when it passed. */
        keptIn: find(own.flatMap((finding) => finding.exchanges)),
      },
    ];
  });
}

function familyFaultOf(id: RequirementId, faults: readonly Fault<RequirementResult>[]) {
  const fault = faults.find(({ lead, shows }) => [lead, ...shows].some((row) => row.id === id));
  return fault && fault.shows.length > 0 ? { lead: fault.lead.id, shows: fault.shows.map((row) => row.id) } : null;
}

/** One requirement with the contents of its card. */
export type Card = Readonly<ReturnType<typeof cardsOf>[number]>;

/** Returns the charts of the profiles that judge a row, for the plans that violate it; for all if no plan is known. */
function chartLinks({ judgedBy }: Requirement, { findings }: RequirementResult, log: RunLog) {
  if (judgedBy.kind !== 'load') return [];
  const all = [...new Set(judgedBy.profiles.map(drawingOf))].flatMap((drawing) =>
    plansDrawn(log, drawing).map((plan) => ({ id: chartId(drawing, plan), plan })),
  );
  const named = all.filter(({ plan }) => findings.some((finding) => finding.plan === plan));
  return named.length > 0 ? named : all;
}

/** Groups cards by part, in the interface's order, without empty parts. */
export const byPart = (cards: readonly Card[]) =>
  [...grouped(cards, ({ row }) => row.part)].sort(([one], [other]) => one - other);

/** Returns the cards of these outcomes, without accepted ones, in the order of the outcomes. */
export const havingOutcome = (cards: readonly Card[], ...outcomes: readonly Outcome[]): readonly Card[] =>
  outcomes.flatMap((outcome) => cards.filter(({ result }) => hasOutcome(result, outcome)));

/** Returns whether a hurried reader may skip the card. */
export const isQuiet = ({ result }: Card): boolean =>
  result.outcome === 'passed' || result.outcome === 'observed' || result.outcome === 'not-applicable';

const LONGEST_EVIDENCE = 48;

function evidenceWords(messages: readonly string[], answers: number): string {
  const [first = ''] = messages;
  if (messages.length === 1 && first.length <= LONGEST_EVIDENCE) return first.replace(/\.$/, '');
  if (messages.length > 0) return counted(messages.length, 'series', 'series');
  return answers === 0 ? '' : counted(answers, 'response');
}
