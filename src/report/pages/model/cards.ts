import type { Part, Requirement } from '../../../contract/types.js';
import type { Exchange } from '../../../exchange/types.js';
import type { RunLog } from '../../../log/run-log.js';
import type { RequirementResult } from '../../../verdict/results.js';
import type { Outcome } from '../../../verdict/verdict.js';
import { likelyCauses, type LikelyCause } from '../../causes/likely.js';
import { hasOutcome } from '../../../words/accepted.js';
import type { Change } from '../../../words/changes.js';
import { alikeFindings, type DistinctFinding } from '../../../words/findings.js';
import type { PageInput, ProvenFlaw } from '../input.js';
import { chartId, drawingOf, plansDrawn } from './window.js';
import { counted, grouped } from '../../../format/format.js';

/** One requirement with everything that its card shows. */
export interface Card {
  readonly row: Requirement;
  readonly result: RequirementResult;
  /** What was found, alike findings as one. */
  readonly findings: readonly DistinctFinding[];
  /** On what evidence it stands, in a few words: "12 answers"; empty when there is none. */
  readonly evidence: string;
  /** The same in sentences, one for each recorded series that kept the statement; none where single answers are judged. */
  readonly stands: readonly string[];
  /** Broken servers that the check is known to catch. */
  readonly flaws: readonly ProvenFlaw[];
  /** The mistake that it looks like; null where none fits better than others. */
  readonly cause: LikelyCause | null;
  /** The rows that could not be judged because of it. */
  readonly heldUp: readonly string[];
  /** The drawings that show what was measured for it, those of the plans that a finding speaks of. */
  readonly charts: readonly ChartLink[];
  readonly change: Change | null;
  /** Where the interface says it; null when no address is known. */
  readonly link: string | null;
  /** The exchanges that its findings and observations name, in the order of the run, each once. */
  readonly exchanges: readonly Exchange[];
  /** Its own answers that kept the statement, when it passed. */
  readonly keptIn: readonly Exchange[];
}

/** A drawing of the page, and the plan that it shows. */
export interface ChartLink {
  readonly id: string;
  readonly plan: string;
}

/** A part of the interface with its cards, in the interface's order. */
export interface PartOfCards {
  readonly part: Part;
  readonly cards: readonly Card[];
}

/** The cards of a page in the order of the ledger; results without a row in the ledger are left out by `resultsOf`. */
export function cardsOf(input: PageInput): readonly Card[] {
  const rows = new Map(input.rows.map((row) => [row.id, row]));
  const exchanges = new Map(input.log.exchanges.map((exchange) => [exchange.id, exchange]));
  const changes = new Map((input.comparison?.changes ?? []).map((change) => [change.id, change]));
  const kept = grouped(
    input.log.findings.filter((finding) => finding.kind === 'kept'),
    (finding) => finding.requirement,
  );
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
        findings: alikeFindings(result, exchanges),
        evidence: evidenceWords(messages, result.evidence),
        stands: messages,
        flaws: (input.proof?.flaws ?? []).filter((flaw) => flaw.turns.includes(row.id)),
        cause: causes.find(({ rows: explained }) => explained.includes(row.id)) ?? null,
        heldUp: input.results.requirements.flatMap(({ id, heldUpBy = [] }) => (heldUpBy.includes(row.id) ? [id] : [])),
        change: changes.get(row.id) ?? null,
        charts: chartLinks(row, result, input.log),
        link: safeLink(input.interfaceLink?.(row) ?? null),
        exchanges: find([
          ...result.findings.flatMap((finding) => [...finding.exchanges, ...(finding.story?.exchanges ?? [])]),
          ...(result.observed ?? []).flatMap((finding) => finding.exchanges),
        ]),
        keptIn: find(own.flatMap((finding) => finding.exchanges)),
      },
    ];
  });
}

/** The drawings of the profiles that judge a row; where its findings name plans, of these. */
function chartLinks({ judgedBy }: Requirement, { findings }: RequirementResult, log: RunLog): readonly ChartLink[] {
  if (judgedBy.kind !== 'load') return [];
  const said = findings.map(({ message }) => message.toLowerCase()).join(' ');
  const all = [...new Set(judgedBy.profiles.map(drawingOf))].flatMap((drawing) =>
    plansDrawn(log, drawing).map((plan) => ({ id: chartId(drawing, plan), plan })),
  );
  const named = all.filter(({ plan }) => said.includes(`${plan} plan`) || said.includes(`${plan} key`));
  return named.length > 0 ? named : all;
}

/** Cards by part, parts without a card left out. */
export const byPart = (cards: readonly Card[]): readonly PartOfCards[] =>
  [...grouped(cards, ({ row }) => row.part)]
    .sort(([one], [other]) => one - other)
    .map(([part, members]) => ({ part, cards: members }));

/** The cards of the given outcomes, those accepted left out, part by part, and within a part in the order in which the outcomes are given. */
export const havingOutcome = (cards: readonly Card[], ...outcomes: readonly Outcome[]): readonly PartOfCards[] =>
  byPart(cards.filter(({ result }) => outcomes.some((outcome) => hasOutcome(result, outcome)))).map(
    ({ part, cards: members }) => ({
      part,
      cards: members.toSorted(
        (one, other) => outcomes.indexOf(one.result.outcome) - outcomes.indexOf(other.result.outcome),
      ),
    }),
  );

/** Is this card one that a hurried reader may skip? */
export const isQuiet = ({ result }: Card): boolean =>
  result.outcome === 'passed' || result.outcome === 'observed' || result.outcome === 'not-applicable';

/** A sentence longer than this has no room beside the statement that it speaks for. */
const LONGEST_EVIDENCE = 48;

function evidenceWords(messages: readonly string[], answers: number): string {
  const [first = ''] = messages;
  if (messages.length === 1 && first.length <= LONGEST_EVIDENCE) return first.replace(/\.$/, '');
  if (messages.length > 0) return counted(messages.length, 'series', 'series');
  return answers === 0 ? '' : counted(answers, 'answer');
}

/** Only addresses that cannot run anything: http, https, and relative ones. */
function safeLink(address: string | null): string | null {
  if (address === null) return null;
  return /^https?:\/\//i.test(address) || /^(?:\.{0,2}\/(?!\/)|#)/.test(address) ? address : null;
}
