import type { LogHeader } from '../../log/record.js';
import { subjectText } from '../../wire/targets/subject.js';
import { count, counted, listed } from '../../base/kernel/format.js';
import type { RequirementResult, Results } from '../results/results.js';
import { planNames } from '../../base/interface/names.js';
import type { RunLog } from '../../log/run-log.js';
import { OPT_INS, planWords } from '../words/bounds.js';
import { coverageOf } from '../words/coverage.js';
import { inPart } from '../words/outcomes.js';
import { ownAnimals } from '../words/remarks.js';
import { subjectOf } from '../words/verdict-sentence.js';

/**
 * Returns the sentence of a certificate, short enough to quote: what it is for, what it is not for, what was
 * tested only in part, and what the operator adds. `covers`, `notCovered` and `partly` have the details.
 * Pure.
 */
export function statementOf(results: Results, log: RunLog): string {
  const { plans, behaviours } = coverageOf(results);
  const document = `Pet Store Service Interface ${results.interface.version}`;
  const clauses = [
    `${subjectOf(results)} is certified for ${behaviours} of ${document}`,
    ...prefixed('not for ', notFor(results, log.header).join(', ')),
    ...prefixed('', inPartClause(results, log)),
  ];
  const tested = `Tested at ${results.target.baseUrl} on ${results.startedAt.slice(0, 10)}, with ${planWords(plans)}.`;
  return [`${clauses.join('; ')}.`, tested, ...operatorSentences(results.subject)].join(' ');
}

export const operatorSentences = (subject: LogHeader['subject'] = []): readonly string[] =>
  subject.length === 0
    ? []
    : [
        `The operator says that this was ${listed(subject.map(subjectText))}; the kit measured only the address.`,
      ];

const prefixed = (lead: string, text: string): readonly string[] => (text === '' ? [] : [`${lead}${text}`]);

/** Musts in a reader's words, the riskiest first; others keep their id. */
const inWords = (removalDate: string): typeof OPT_INS => [
  ...OPT_INS,
  [/^get-after-removal$/, `the removal in ${removalDate.slice(0, 4)}`],
  [/^environments-agree$/, 'the agreement of two environments'],
];

function notFor(results: Results, { interface: { removalDate } }: LogHeader): readonly string[] {
  const tested = coverageOf(results).plans;
  const plans = planNames.filter((plan) => !tested.includes(plan));
  const aside = results.requirements.filter(
    ({ level, outcome }) => level === 'must' && outcome === 'not-applicable',
  );
  const known = inWords(removalDate);
  const worded = known.flatMap(([ids, words]) => (aside.some(({ id }) => ids.test(id)) ? [words] : []));
  const others = aside.flatMap(({ id }) => (known.some(([ids]) => ids.test(id)) ? [] : [id]));
  return [...(plans.length === 0 ? [] : [planWords(plans)]), ...worded, ...others];
}

/** Returns whether a row lacks animals: its texts then name them. */
const isOfStore = ({ partly = [] }: RequirementResult): boolean =>
  partly.some((text) => /\banimals\b/.test(text));

/** Says how many passed rows have untested parts, with the store as a cause if a text names its animals. */
function inPartClause(results: Results, log: RunLog): string {
  const reduced = inPart(results.requirements);
  if (reduced.length === 0) return '';
  const ofStore = reduced.filter(isOfStore).length;
  const { all, atLeast } = ownAnimals(results, log);
  const store = `a store of ${atLeast ? 'at least ' : ''}${counted(all, 'animal')}`;
  const cause =
    ofStore === 0 ? '' : ` (${ofStore < reduced.length ? `${count(ofStore)} of them by ` : ''}${store})`;
  return `${count(reduced.length)} in part${cause}`;
}
