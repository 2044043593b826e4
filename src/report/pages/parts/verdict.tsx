import { daysBetween } from '../../../base/kernel/day.js';
import type { ComponentChildren } from 'preact';
import type { Results } from '../../../outcome/results/results.js';
import { AMOUNTS } from '../../amounts.js';
import type { PageInput } from '../input.js';
import { subjectText } from '../../../wire/targets/subject.js';
import { certificationOf } from '../../../outcome/acceptance/certificate.js';
import { acceptedUntil, acceptedWords, requiredCountOf } from '../../../outcome/words/required-count.js';
import {
  clockBound,
  remarksBound,
  gapBound,
  notTestedBound,
  selectionBound,
  sentences,
  windowsBound,
  plansTested,
} from '../../../outcome/words/bounds.js';
import { capital, count, counted, duration, minute } from '../../../base/kernel/format.js';
import { newAndFixed } from '../../../outcome/words/changes.js';
import { verdictGlyph, scopedVerdictOf, standingWords } from '../../../outcome/words/scoped-verdict.js';
import { timesOfRun } from '../../../outcome/words/traffic.js';
import {
  buildWords,
  cannotStart,
  whatWasJudged,
  verdictClause,
} from '../../../outcome/words/verdict-sentence.js';
import { followsWords, notJudged } from '../../../outcome/words/remarks.js';
import { heldWords } from './held.js';
import { CutShort, Head } from '../markup/head.js';
import { Facts, harmless } from '../markup/lists.js';
import { Glyph } from './glyph.js';
import { percent } from '../markup/plot.js';
import { Text } from './text.js';

/**
 * First screen: whether the target may go live, and the scope of that verdict.
 *
 * @param isBrief true if the list of what was not tested stands further below
 */
export function VerdictHead({
  document: { results },
  log,
  comparison,
  isBrief,
  children,
}: PageInput & { readonly isBrief: boolean; readonly children: ComponentChildren }) {
  const left = notJudged(results);
  const bounds = sentences([
    selectionBound(results),
    isBrief ? notTestedBound(results) : gapBound(results),
    windowsBound(results),
    clockBound(results),
    remarksBound(results),
  ]);
  const scoped = scopedVerdictOf(results);
  const isMet = results.baseline?.met ?? true;
  const certification = certificationOf(results, log.header);
  return (
    <Head
      glyph={isMet ? verdictGlyph(scoped) : 'failed'}
      word={
        <>
          {standingWords(results)}
          {results.accepted && scoped.accepted === 0 && `; ${acceptedWords(results)}`}
          {certification && (certification.kind === 'certified' ? '; certified' : '; no certificate')}
        </>
      }
      judge={`${results.kit.name} ${results.kit.version}`}
      sentence={<Text longest={600}>{`${verdictClause(results)}.`}</Text>}
      above={
        <>
          {!results.complete && <CutShort footer={log.footer}>{left && `${capital(left)}.`}</CutShort>}
          <UnmetBaseline baseline={results.baseline} />
        </>
      }
    >
      {results.cause && (
        <p class="what-to-do">
          <Text>{`${results.cause.hint} ${followsWords(results.cause)}`}</Text>
        </p>
      )}
      {bounds !== '' && <p class="bounds note">{bounds}</p>}
      <SinceLast comparison={comparison} />
      <Proportions results={results} held={heldWords(log)} />
      {children}
    </Head>
  );
}

/** It decides the exit code, so it comes before the verdict. */
const UnmetBaseline = ({ baseline }: { readonly baseline: Results['baseline'] }) =>
  !baseline || baseline.met ? null : (
    <div class="cut-short">
      <Glyph outcome="failed" />
      <p>
        <strong>The baseline is not met.</strong>{' '}
        {baseline.problems.slice(0, AMOUNTS.page.problems).map(({ message }) => (
          <>{harmless(message)} </>
        ))}
        {baseline.problems.length > AMOUNTS.page.problems &&
          `The run printed ${counted(baseline.problems.length - AMOUNTS.page.problems, 'more problem')}.`}
      </p>
    </div>
  );

/** A time; the page's script adds how long ago that was. */
const Moment = ({ at }: { readonly at: string }) => (
  <time class="moment" datetime={at}>
    {minute(at)}
  </time>
);

function SinceLast({ comparison }: { readonly comparison: PageInput['comparison'] }) {
  if (!comparison) return null;
  const { against, changes, isOfOthers, environments, place } = comparison;
  const run = (
    <>
      {minute(against.startedAt)}
      {against.label && <> ({harmless(buildWords(against.label))})</>}
    </>
  );
  return (
    <p class="bounds note">
      Since the{' '}
      {isOfOthers ? (
        'last result of each requirement'
      ) : (
        <>run of {place === undefined ? run : <a href={place}>{run}</a>}</>
      )}
      {environments && <> on {harmless(environments[0])}</>}: {newAndFixed(changes, environments)}.
    </p>
  );
}

/** One line with place and time, where more does not fit. */
export const WhereAndWhen = ({ document: { results } }: PageInput) => (
  <p class="bounds note">
    {harmless(results.target.baseUrl)}
    {results.label !== undefined && <>, build {harmless(results.label)}</>},{' '}
    <Moment at={timesOfRun(results).startedAt} />
  </p>
);

/** Has the page's only denominator: of traffic all musts, of which it shows some. */
function Proportions({
  results,
  held,
}: {
  readonly results: Results;
  readonly held: (amount: number) => string;
}) {
  const counts = requiredCountOf(results);
  const musts =
    results.clean === true
      ? { ...counts, inScope: counts.inScope + counts.outOfScope, outOfScope: 0 }
      : counts;
  if (musts.inScope === 0) return null;
  const shares = [
    { outcome: 'error', amount: musts.faults, text: 'not judged because of a kit fault' },
    { outcome: 'failed', amount: musts.failed, text: musts.failed === 1 ? 'fails' : 'fail' },
    { outcome: 'warned', amount: musts.accepted, text: acceptedUntil(results) },
    { outcome: 'inconclusive', amount: musts.inconclusive, text: 'inconclusive' },
    { outcome: 'warned', amount: musts.warned, text: 'with a warning' },
    { outcome: 'passed', amount: musts.passed, text: held(musts.passed) },
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
          of {counted(musts.inScope, 'required behaviour')}
          {results.clean !== true && ' in scope'}
          {musts.outOfScope > 0 && `; ${count(musts.outOfScope)} more not tested`}
        </span>
      </p>
    </div>
  );
}

export function RunFacts({ document: { results }, log }: PageInput) {
  const { removalDate } = log.header.interface;
  const days = daysBetween(results.scope.asOf, removalDate);
  // A record made elsewhere does not show which keys are valid.
  const isRecorded = log.traffic.some(({ source }) => source === 'har');
  const anonymous = isRecorded ? 0 : (results.requests.byKey['anonymous'] ?? 0);
  const { startedAt, durationMs } = timesOfRun(results);
  const plans = plansTested(results).map(capital).join(', ');
  return (
    <Facts
      class="facts flow"
      facts={[
        ['Address', results.target.baseUrl],
        results.label !== undefined && ['Build', results.label],
        results.subject !== undefined && [
          'Said to be',
          <Text longest={400}>{results.subject.map(subjectText).join(', ')}</Text>,
          'by the operator; the run measured only the address',
        ],
        [results.traffic?.from === undefined ? 'Started' : 'First request', <Moment at={startedAt} />],
        ['Duration', duration(durationMs)],
        [
          'Requests',
          count(results.requests.total),
          anonymous > 0 ? `${count(anonymous)} without a valid key` : '',
        ],
        // Recorded traffic has keys of which no plan is known.
        (plans !== '' || !results.sides) && ['Plans tested', plans || 'none'],
        !results.sides && !log.header.acceptance?.certificate && ['Certificate', 'not requested'],
        days > 0
          ? ['getPet is removed in', counted(days, 'day'), removalDate]
          : days === 0
            ? ['getPet', 'is removed today', removalDate]
            : ['getPet was removed', `${counted(-days, 'day')} ago`, removalDate],
      ]}
    />
  );
}

/** Without a full stop after an address, which would stand on its own line. */
const headingOf = (obstacle: NonNullable<Results['obstacle']>): string =>
  cannotStart(obstacle).replace(/(:\/\/\S*?) ?\.$/, '$1');

export const ObstacleHead = ({
  results: { kit, target, verdict, startedAt, label, requirements },
  obstacle,
}: {
  readonly results: Results;
  readonly obstacle: NonNullable<Results['obstacle']>;
}) => (
  <Head
    glyph="inconclusive"
    word="Not started"
    judge={`${kit.name} ${kit.version}`}
    sentence={<Text longest={600}>{headingOf(obstacle)}</Text>}
  >
    <p class="what-to-do">
      <Text>{obstacle.hint.replace(/ ([.?])/g, '$1')}</Text>
    </p>
    <p class="bounds note">
      {whatWasJudged({ requirements })}
      {verdict === 'inconclusive' && ' Whether the target conforms is unknown.'}
    </p>
    <Facts
      class="facts flow"
      facts={[
        ['Target', target.name],
        ['Address', target.baseUrl],
        label !== undefined && ['Build', label],
        ['Started', <Moment at={startedAt} />],
        ['Code', obstacle.code],
      ]}
    />
  </Head>
);
