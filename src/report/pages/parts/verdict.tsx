import type { ComponentChildren, VNode } from 'preact';
import type { Verdict, Outcome } from '../../../verdict/verdict.js';
import type { PageInput } from '../input.js';
import { doubtsOf } from '../model/doubts.js';
import { certificationOf } from '../../../acceptance/certificate.js';
import { acceptedWords, isAccepted } from '../../../words/accepted.js';
import { plansBound, selectionBound, sentences, windowsBound } from '../../../words/bounds.js';
import { capital, count, counted, daysBetween, duration, ended, moment } from '../../../format/format.js';
import { VERDICT_LABELS } from '../../../words/outcomes.js';
import { requiredCountOf } from '../../../words/required-count.js';
import { ownAnimals, ownAnimalsWords } from '../../../words/own-animals.js';
import { verdictClause } from '../../../words/verdict-sentence.js';
import { CertificateState } from './certificate.js';
import { Changes } from './changes.js';
import { Glyph } from './glyph.js';
import { Text } from './text.js';
import { NotTested } from './untested.js';

const GLYPHS: Readonly<Record<Verdict, Outcome>> = {
  conformant: 'passed',
  'non-conformant': 'failed',
  inconclusive: 'inconclusive',
  error: 'error',
};

/** Longest reason or address on the first screen; the full text is below. */
const LONGEST_REASON = 300;
const LONGEST_FACT = 120;

/** First screen: whether the target may go live, and the scope of that verdict. */
export function VerdictHead({
  input,
  children,
}: {
  readonly input: PageInput;
  readonly children: ComponentChildren;
}): VNode {
  const { results, log } = input;
  const bounds = sentences([selectionBound(results), windowsBound(results), plansBound(results)]);
  const accepted = isAccepted(results);
  const certification = certificationOf(results, log.header);
  return (
    <header class={`head verdict-${accepted ? 'accepted' : results.verdict}`}>
      {!results.complete && <CutShort input={input} />}
      <p class="verdict-word">
        <Glyph outcome={accepted ? 'warned' : GLYPHS[results.verdict]} />
        <span class="word">
          {VERDICT_LABELS[results.verdict]}
          {results.verdict === 'conformant' && results.scope.selection !== null && ' in the selected part'}
          {results.accepted && `; ${acceptedWords(results)}`}
          {certification && (certification.kind === 'certified' ? '; certified' : '; no certificate')}
        </span>
        <span class="judge">
          {results.kit.name} {results.kit.version}
        </span>
      </p>
      <h1>
        <Text longest={600}>{`${verdictClause(results)}.`}</Text>
      </h1>
      {bounds !== '' && <p class="bounds">{bounds}</p>}
      <Proportions results={results} />
      {children}
    </header>
  );
}

/** One line with place and time, where more does not fit. */
export const WhereAndWhen = ({ input: { results } }: { readonly input: PageInput }): VNode => (
  <p class="bounds">
    <Text longest={LONGEST_FACT}>{results.target.baseUrl}</Text>, {startOf(results)}
  </p>
);

const startOf = ({ startedAt }: PageInput['results']): string => moment(startedAt).replace(/:\d\d UTC$/, ' UTC');

/** Place and time of the run, what was left out, what is new. */
export function About({ input }: { readonly input: PageInput }): VNode {
  const { results, log } = input;
  const animals = ownAnimals(results, log);
  // Mentions the number only once it prevents a judgement.
  const wear = animals.cost.length > 0 ? ownAnimalsWords(animals).join(' ') : '';
  const doubts = [...doubtsOf(log.header, log.preflight), ...(wear === '' ? [] : [wear])];
  return (
    <>
      <Facts input={input} />
      <div class="asides">
        {doubts.length > 0 && (
          <section>
            <h2>Before you rely on it</h2>
            {doubts.map((doubt) => (
              <p>
                <Text longest={LONGEST_REASON}>{ended(doubt)}</Text>
              </p>
            ))}
          </section>
        )}
        <CertificateState input={input} />
        <NotTested results={results} />
        {input.comparison && <Changes comparison={input.comparison} />}
      </div>
    </>
  );
}

function CutShort({ input: { log, results } }: { readonly input: PageInput }): VNode {
  const left = results.requirements.filter(({ reason }) => reason?.code === 'interrupted').length;
  return (
    <div class="cut-short">
      <Glyph outcome="failed" />
      <p>
        <strong>This run was cut short.</strong>{' '}
        {log.footer === null
          ? 'Its log has no end, as after a crash or a killed process.'
          : `It ended early${log.footer.reason === null ? '.' : ':'}`}{' '}
        {log.footer?.reason && (
          <>
            <Text longest={LONGEST_REASON}>{ended(log.footer.reason)}</Text>
          </>
        )}{' '}
        {left > 0 && `${counted(left, 'requirement')} were not judged. `}
        The rest shows only the results so far.
      </p>
    </div>
  );
}

/** All musts as one bar, with the page's only denominator. */
function Proportions({ results }: { readonly results: PageInput['results'] }): VNode | null {
  const musts = requiredCountOf(results);
  if (musts.inScope === 0) return null;
  const shares = [
    { outcome: 'error', amount: musts.faults, text: 'not judged because of a kit fault' },
    { outcome: 'failed', amount: musts.failed, text: musts.failed === 1 ? 'fails' : 'fail' },
    { outcome: 'warned', amount: musts.accepted, text: acceptedText(results) },
    { outcome: 'inconclusive', amount: musts.inconclusive, text: 'inconclusive' },
    { outcome: 'warned', amount: musts.warned, text: 'with a warning' },
    { outcome: 'passed', amount: musts.passed, text: musts.passed === 1 ? 'holds' : 'hold' },
  ].filter(({ amount }) => amount > 0);
  let before = 0;
  return (
    <div class="proportions">
      <svg aria-hidden="true" width="100%" height="6">
        {shares.map(({ outcome, amount }) => {
          const x = before;
          before += amount;
          return (
            <rect
              class={`fill-${outcome}`}
              x={percent(x / musts.inScope)}
              width={percent(amount / musts.inScope)}
              height="6"
            />
          );
        })}
      </svg>
      <p>
        {shares.map(({ outcome, amount, text }, index) => (
          <>
            {index > 0 && <span class="sep"> · </span>}
            <span class={`ink-${outcome}`}>
              <b>{count(amount)}</b> {text}
            </span>
          </>
        ))}
        <span class="note">
          {' '}
          of {counted(musts.inScope, 'required behaviour')} in scope
          {musts.outOfScope > 0 && `; ${count(musts.outOfScope)} more not tested`}
        </span>
      </p>
    </div>
  );
}

function Facts({ input: { results, log } }: { readonly input: PageInput }): VNode {
  const days = daysBetween(results.scope.asOf, log.header.interface.removalDate);
  const anonymous = results.requests.byKey['anonymous'] ?? 0;
  const facts: readonly (readonly [string, string, string?])[] = [
    ['Address', results.target.baseUrl],
    ...(results.label === undefined ? [] : ([['Build', results.label]] as const)),
    ['Started', startOf(results)],
    ['Duration', duration(results.durationMs)],
    ['Requests', count(results.requests.total), anonymous > 0 ? `${count(anonymous)} without a valid key` : ''],
    ['Plans tested', plansAsked(results).map(capital).join(', ') || 'none'],
    ...(log.header.acceptance?.certificate ? [] : ([['Certificate', 'not requested', '--certify']] as const)),
    days > 0
      ? ['getPet is removed in', counted(days, 'day'), log.header.interface.removalDate]
      : days === 0
        ? ['getPet', 'is removed today', log.header.interface.removalDate]
        : ['getPet was removed', `${counted(-days, 'day')} ago`, log.header.interface.removalDate],
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value, more]) => (
        <div>
          <dt>{name}</dt>
          <dd>
            <Text longest={LONGEST_FACT}>{value}</Text>
            {more && <span class="note"> {more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the plans whose keys were used. A key that only preflight used does not count. */
const plansAsked = ({ scope, requests }: PageInput['results']): readonly string[] =>
  scope.plans.filter((plan) => (requests.byKey[plan] ?? 0) > 0 && (scope.selection?.plans?.includes(plan) ?? true));

/** Describes accepted deviations, after their number. */
const acceptedText = (results: PageInput['results']): string => acceptedWords(results).replace(/^\S+ deviations? /, '');

const percent = (share: number): string => `${Number((share * 100).toFixed(3))}%`;
