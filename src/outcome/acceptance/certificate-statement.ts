import type { LogHeader } from '../../log/record.js';
import { subjectText } from '../../wire/targets/subject.js';
import { count, counted, listed } from '../../base/kernel/format.js';
import type { RequirementResult, Results } from '../results/results.js';
import { planNames } from '../../base/interface/names.js';
import { planWords } from '../words/bounds.js';
import { coverageOf } from '../words/coverage.js';
import { inPart } from '../words/outcomes.js';
import { subjectOf, verdictClause } from '../words/verdict-sentence.js';

/** What a certificate's sentence needs besides the results. */
export interface StatementFacts {
  readonly removalDate: string;
  /** Animals of the store that the run saw; `atLeast` if there may be more. */
  readonly animals: { readonly all: number; readonly atLeast: boolean };
}

/**
 * Returns the sentence of a certificate, short enough to quote: what it is for, what it is not for, what was tested only in
 * part, and what the operator adds. `covers`, `notCovered` and `partly` have the details. Pure.
 */
export function statementOf(results: Results, facts: StatementFacts): string {
  const { plans } = coverageOf(results);
  const musts = results.requirements.filter(({ level }) => level === 'must');
  const passed = musts.filter(({ outcome }) => outcome === 'passed').length;
  const document = `Pet Store Service Interface ${results.interface.version}`;
  const clauses = [
    `${subjectOf(results)} is certified for ${count(passed)} of ${counted(musts.length, 'required behaviour')} of ${document}`,
    ...prefixed('not for ', notFor(results, facts).join(', ')),
    ...prefixed('', inPartClause(results, facts)),
  ];
  const tested = `Tested at ${results.target.baseUrl} on ${results.startedAt.slice(0, 10)}, with ${planWords(plans)}.`;
  return [`${clauses.join('; ')}.`, tested, ...operatorSentences(results.subject)].join(' ');
}

/** Returns what the operator says was tested, and what the kit measured; nothing without subjects. */
export const operatorSentences = (subject: LogHeader['subject'] = []): readonly string[] =>
  subject.length === 0
    ? []
    : [`The operator says that this was ${listed(subject.map(subjectText))}; the kit measured only the address.`];

const prefixed = (lead: string, text: string): readonly string[] => (text === '' ? [] : [`${lead}${text}`]);

/** Musts in a reader's words, the riskiest first; others keep their id. */
const IN_WORDS: readonly (readonly [ids: RegExp, words: (facts: StatementFacts) => string])[] = [
  [/^ban-/, () => 'bans'],
  [/^rate-day-quota$/, () => "the day's quota"],
  [/^get-after-removal$/, ({ removalDate }) => `the removal in ${removalDate.slice(0, 4)}`],
  [/^environments-agree$/, () => 'the agreement of two environments'],
];

function notFor(results: Results, facts: StatementFacts): readonly string[] {
  const tested = coverageOf(results).plans;
  const plans = planNames.filter((plan) => !tested.includes(plan));
  const aside = results.requirements.filter(({ level, outcome }) => level === 'must' && outcome === 'not-applicable');
  const worded = IN_WORDS.filter(([ids]) => aside.some(({ id }) => ids.test(id))).map(([, words]) => words(facts));
  const others = aside.flatMap(({ id }) => (IN_WORDS.some(([ids]) => ids.test(id)) ? [] : [id]));
  return [...(plans.length === 0 ? [] : [planWords(plans)]), ...worded, ...others];
}

/** Returns whether a row lacks animals: its texts then name them. */
const isOfStore = ({ partly = [] }: RequirementResult): boolean => partly.some((text) => /\banimals\b/.test(text));

/** Says how many passed rows have untested parts, with the store as a cause if a text names its animals. */
function inPartClause({ requirements }: Results, { animals }: StatementFacts): string {
  const reduced = inPart(requirements);
  if (reduced.length === 0) return '';
  const ofStore = reduced.filter(isOfStore).length;
  const store = `a store of ${animals.atLeast ? 'at least ' : ''}${counted(animals.all, 'animal')}`;
  const cause = ofStore === 0 ? '' : ` (${ofStore < reduced.length ? `${count(ofStore)} of them by ` : ''}${store})`;
  return `${count(reduced.length)} in part${cause}`;
}

/** Returns the sentence of version 2, which lists every gap. Pure. */
export function statementOfVersion2(results: Results): string {
  const { plans, notCovered } = coverageOf(results);
  const tested = `Tested at ${results.target.baseUrl} on ${results.startedAt.slice(0, 10)}, with ${planWords(plans)}.`;
  return `${verdictClause(results)}. ${tested} Not covered: ${notCovered.length === 0 ? 'nothing' : notCovered.join('; ')}.`;
}
