import type { RunLog } from '../../log/run-log.js';
import type { Results } from '../../outcome/results/results.js';
import {
  acceptedWords,
  agreement,
  hasOutcome,
  isAccepted,
  passedWords,
  requiredCountOf,
} from '../../outcome/words/required-count.js';
import type { ReasonCode } from '../../judge/findings/finding.js';
import type { Outcome } from '../../judge/verdict.js';
import { exploredWords } from '../../outcome/words/explored.js';
import { certificationOf } from '../../outcome/acceptance/certificate.js';
import type { LogHeader } from '../../log/record.js';
import { boundsOf, planWords, verdictText } from '../../outcome/words/bounds.js';
import { followsWords, notJudged } from '../../outcome/words/remarks.js';
import { timesOfRun } from '../../outcome/words/traffic.js';
import { ofSide, verdictClause, whatWasJudged } from '../../outcome/words/verdict-sentence.js';
import { capital, count, counted, duration, ended, listedUpTo, minute } from '../../base/kernel/format.js';
import {
  BLANK,
  copyable,
  filled,
  flow,
  hang,
  LABEL_WIDTH,
  labelled,
  mark,
  span,
  TONES,
  type Line,
} from './lines.js';
import { say } from './look.js';
import { failureLines } from './row-lines.js';
import { OUTCOME_LABELS, partlyBound, VERDICT_LABELS } from '../../outcome/words/outcomes.js';
import {
  acceptedVerdictWords,
  CLEAN,
  verdictGlyph,
  scopedVerdictOf,
  type ScopedVerdict,
} from '../../outcome/words/scoped-verdict.js';
import { AMOUNTS } from '../amounts.js';
import type { RunDocument } from '../run-document.js';
import type { ReportPlaces } from '../run-reporter.js';

/** Outcomes whose rows are named at the end, worst first. Failures have a line each below the sentence. */
const NAMED = ['error', 'inconclusive', 'warned'] as const;

/** No line is wrapped, so that it can be quoted. */
export function obstacleLines(
  { obstacle, requirements }: Results & { readonly obstacle: NonNullable<Results['obstacle']> },
  { report }: ReportPlaces,
): Line[] {
  return [
    copyable(span('Cannot start:', 'bad'), span(` ${obstacle.message}`)),
    copyable(span(obstacle.hint)),
    copyable(span(`${whatWasJudged({ requirements })} Report: ${report}`)),
  ];
}

/** How much the end of a run shows; everything by default. */
interface Amount {
  readonly verbose?: boolean;
  /** Faults in the list; being given, it also leaves out what the report shows better. */
  readonly faults?: number | undefined;
}

export function closingLines(
  document: RunDocument,
  log: RunLog,
  places: ReportPlaces,
  { verbose = false, faults: mostFaults }: Amount,
): Line[] {
  const { results, rows, faults } = document;
  const reduced = partlyBound(results);
  const isBrief = mostFaults !== undefined;
  const listed = faults.slice(0, mostFaults);
  return [
    ...(results.complete ? [] : labelled('CUT SHORT', [cutShort(results, log)], 'bad')),
    ...causeLines(results),
    ...(results.baseline?.met === false ? labelled('BASELINE NOT MET', ['see the end'], 'bad') : []),
    ...headlinesOf(results),
    ...labelled(
      'kit fault',
      verbose ? (results.fault?.split('\n') ?? []).map((text) => text.trim()) : [],
      'kit',
    ),
    ...NAMED.flatMap((outcome) => {
      const ids = rows.flatMap((row) =>
        hasOutcome(row, outcome) && row.reason?.code !== 'interrupted' ? [row.id] : [],
      );
      const text = isBrief ? listedUpTo(ids, AMOUNTS.terminal.firstRun.names) : idsText(outcome, ids);
      return ids.length > 0 ? labelled(OUTCOME_LABELS[outcome], [text], TONES[outcome]) : [];
    }),
    ...(results.accepted ?? []).flatMap((entry) =>
      labelled('accepted', [`${entry.requirement} ${agreement(entry)}`], 'warn'),
    ),
    ...(document.since === null ? [] : labelled('since', [document.since.replace(/^since /, '')], 'quiet')),
    ...(reduced === null || isBrief
      ? []
      : labelled('coverage', [`${reduced}: see the report, or --verbose`], 'quiet')),
    ...(results.explored ? labelled('explored', [exploredWords(results.explored)], 'strong') : []),
    BLANK,
    sentenceLine(
      // The line above has it already.
      closingSentence(
        results,
        log,
        places,
        boundsOf(results).filter((bound) => bound !== reduced),
      ),
      places.report,
    ),
    ...(verbose && places.todo !== undefined ? [BLANK, ...labelled('to do', [places.todo])] : []),
    ...(faults.length === 0 ? [] : [BLANK]),
    ...listed.flatMap(failureLines),
    ...(listed.length < faults.length
      ? [hang([mark('failed')], `and ${count(faults.length - listed.length)} more: see the report`)]
      : []),
    ...(places.next === undefined
      ? []
      : [BLANK, copyable(span('next'.padEnd(LABEL_WIDTH), 'quiet'), span(places.next))]),
  ];
}

/** A long list would only repeat the parts above. */
const idsText = (outcome: Outcome, ids: readonly string[]): string =>
  outcome === 'inconclusive' && ids.length > AMOUNTS.terminal.openRows
    ? `${count(ids.length)}; see their reasons above`
    : ids.join(', ');

/** Of a run that judges both sides of the wire, one line for each. */
function headlinesOf(results: Results): Line[] {
  const { sides } = results;
  if (sides === undefined || sides.length < 2) return [headlineOf(results, [])];
  return sides.map((one) => headlineOf(ofSide(results, one), [`the ${one.side}`]));
}

function headlineOf(results: Results, lead: readonly string[]): Line {
  const scoped = scopedVerdictOf(results);
  const headline = headlineWord(scoped).toUpperCase();
  const gap = headline.length < LABEL_WIDTH ? '' : '  ';
  return flow(
    [span(`${headline.padEnd(LABEL_WIDTH)}${gap}`, TONES[verdictGlyph(scoped)])],
    [...lead, ...figuresOf(results)],
  );
}

/** Scope stands in the figures of the line. */
const headlineWord = (scoped: ScopedVerdict): string =>
  scoped.isClean ? CLEAN : (acceptedVerdictWords(scoped) ?? VERDICT_LABELS[scoped.verdict]);

const causeLines = ({ cause }: Results): Line[] =>
  cause === undefined
    ? []
    : [
        ...labelled('CAUSE', [`${ended(capital(cause.text))} ${cause.hint}`], 'bad'),
        ...labelled('', [followsWords(cause)]),
      ];

function cutShort(results: Results, { footer }: RunLog): string {
  const reason =
    footer === null ? 'the log has no end, as after a crash' : (footer.reason ?? 'the run did not finish');
  return [reason, notJudged(results)].filter(Boolean).join('; ');
}

/**
 * Returns the figures of the rows: musts and shoulds each have one denominator, the rows of that level in
 * scope.
 */
function figuresOf(results: Results): string[] {
  const { requirements: rows } = results;
  const musts = requiredCountOf(results);
  const amount = (outcome: Outcome, level?: string) =>
    rows.filter((row) => hasOutcome(row, outcome) && (level === undefined || row.level === level)).length;
  const shoulds = rows.filter(
    ({ level, outcome }) => level === 'should' && outcome !== 'not-applicable',
  ).length;
  const warned = amount('warned', 'should');
  const because = (code: ReasonCode): number => rows.filter(({ reason }) => reason?.code === code).length;
  const [unselected, beyond] = [because('not-selected'), because('beyond-traffic')];
  return [
    musts.failed > 0
      ? `${count(musts.failed)} of ${counted(musts.inScope, 'required behaviour')} failed`
      : passedWords(results),
    ...(results.accepted && !isAccepted(results) ? [acceptedWords(results)] : []),
    ...said(musts.inconclusive, 'inconclusive'),
    ...said(amount('error'), 'not judged because of a kit fault'),
    ...said(warned, `of ${count(shoulds)} recommended not followed`),
    ...(shoulds > 0 && warned === 0
      ? [`${count(amount('passed', 'should'))} of ${count(shoulds)} recommended`]
      : []),
    ...said(amount('warned') - warned, 'more warned'),
    ...said(amount('inconclusive') - musts.inconclusive, 'more inconclusive'),
    ...said(amount('observed'), 'observed'),
    ...said(amount('not-applicable') - unselected - beyond, 'not tested'),
    ...said(unselected, 'not selected'),
    ...said(beyond, 'that traffic cannot show'),
  ];
}

const said = (figure: number, words: string): readonly string[] =>
  figure > 0 ? [`${count(figure)} ${words}`] : [];

/** Stands for a blank that is not broken; `say` removes it from texts. */
const KEEP = '\0';

/** A figure stays with its unit, and a path stays whole even if it is too wide. */
const sentenceLine =
  (sentence: string, path: string): Line =>
  (look) => {
    const whole = say(look, path);
    const kept = say(look, sentence)
      .replace(whole, () => whole.replaceAll(' ', KEEP))
      .replace(/(\d) (?=(?:ms|s|min|h)\b)/g, `$1${KEEP}`);
    const words = kept.split(' ').map((text) => text.replaceAll(KEEP, ' '));
    return filled(words, look.columns, (word) => [word]).map((text) => ({
      spans: [span(text)],
      ...(text === whole && { whole: true }),
    }));
  };

/**
 * Returns one sentence that stands by itself: verdict with its bounds, requests and time, and the report's
 * place. It ends with a path and no full stop, so the path can be opened or copied.
 */
export function closingSentence(
  results: Results,
  { header, footer }: RunLog,
  places: ReportPlaces,
  bounds: readonly string[] = boundsOf(results),
): string {
  if (results.obstacle) return `${verdictText(results)} Report: ${places.report}`;
  const clauses = [
    verdictClause(results),
    results.complete ? '' : `reason: ${footer?.reason ?? 'the log has no end'}`,
    ...bounds,
    certificateClause(results, header),
    requestsClause(results),
    `report: ${places.report}`,
  ];
  return clauses.filter(Boolean).join('; ');
}

/** A record made elsewhere also says when. */
function requestsClause(results: Results): string {
  const { startedAt, durationMs } = timesOfRun(results);
  const when =
    Date.parse(startedAt) < Date.parse(results.startedAt) ? `, recorded from ${minute(startedAt)}` : '';
  return `${counted(results.requests.total, 'request')} in ${duration(durationMs)}${when}`;
}

function certificateClause(results: Results, header: LogHeader): string {
  const certification = certificationOf(results, header);
  if (certification === null) return '';
  if (certification.kind === 'certified') return `certified for ${planWords(certification.plans)} only`;
  const [first = '', ...more] = certification.reasons;
  const others = more.length === 0 ? '' : ` (and ${counted(more.length, 'more reason')})`;
  return `no certificate: ${first.replace(/\.$/, '')}${others}`;
}
