import type { Level } from '../../base/interface/types.js';
import type { Outcome } from '../../judge/verdict.js';
import type { OwnResults, RequirementResult, Results } from '../../outcome/results/results.js';
import { agreement, isAccepted, passedWords } from '../../outcome/words/required-count.js';
import { count, sum } from '../../base/kernel/format.js';
import { OWN_TITLE, problemText } from '../../outcome/words/own.js';
import { percentileText, THRESHOLD_OUTCOMES } from '../../outcome/words/capacity.js';
import { valueText } from '../../wire/scenario/threshold.js';
import type { CapacityResults } from '../../loadkit/capacity-shape.js';
import { REDUCED, partlyText } from '../../outcome/words/outcomes.js';
import { clip } from '../../base/kernel/visible.js';
import { AMOUNTS } from '../amounts.js';
import { behindRow, rowGist, rowBlocks, sameFaultWords } from '../rows/blocks.js';
import type { RowGroup } from '../rows/row-group.js';
import type { RowView } from '../rows/row-view.js';
import type { RunDocument } from '../run-document.js';
import { sentenceOf, textLines, type CurlOf } from './block-text.js';

/** Status of a requirement in a CI system, which knows only four. */
export type CaseStatus = 'passed' | 'failed' | 'error' | 'skipped';

/** Texts are as the target sent them; each format escapes them. */
export interface ReportCase {
  readonly id: string;
  readonly level: Level | null;
  readonly outcome: Outcome;
  readonly status: CaseStatus;
  /** One sentence: the reason why it did not pass, or not fully; may be empty. */
  readonly headline: string;
  readonly partly: readonly string[];
  /** The headline and all details: CI lists show one, cards the other. */
  readonly details: string;
  readonly row?: RowView;
  /** Time for the requests that the row made first, ms; the cases add up to the run's duration. */
  readonly ms: number;
}

export interface CaseGroup {
  readonly title: string;
  readonly cases: readonly ReportCase[];
}

const NO_ROW = { level: null, partly: [], ms: 0 } as const;

const MOST = AMOUNTS.testCase;

/**
 * Returns the requirements as test cases by part, in the order of the interface. A run that is not conformant
 * never yields only green cases. Where no requirement is red, as in a run without judgements, a case `run`
 * comes first; it is the only one of a run that could not start.
 */
export function caseGroups(document: RunDocument, curlOf: CurlOf | null = null): readonly CaseGroup[] {
  const { results } = document;
  const groups = untimedGroups(document, curlOf);
  const all = groups.flatMap(({ cases }) => cases);
  // Time that belongs to no row, as in a load run, counts for the first case.
  const rest = Math.max(0, results.durationMs - sum(all, ({ ms }) => ms));
  const timed = (one: ReportCase) => (one === all[0] ? { ...one, ms: one.ms + rest } : one);
  return groups.map(({ title, cases }) => ({ title, cases: cases.map(timed) }));
}

function untimedGroups(document: RunDocument, curlOf: CurlOf | null): readonly CaseGroup[] {
  const { results, parts, own } = document;
  if (results.obstacle) return [runGroup(document)];
  const groups = parts.map(({ part, title, rows }) => ({
    title: `${part} ${title}`,
    cases: rows.map((row) => caseOf(row, curlOf)),
  }));
  const load = results.capacity === undefined ? [] : [capacityGroup(results.capacity)];
  const ofOwn = own && results.own ? [ownGroup(own, results.own, curlOf)] : [];
  const all = [...baselineGroups(results), ...load, ...groups, ...ofOwn];
  // Own suites that do not decide cannot make the run red.
  const red = [...load, ...groups, ...(results.own?.decide ? ofOwn : [])].some(({ cases }) =>
    cases.some(({ status }) => status === 'failed' || status === 'error'),
  );
  return results.complete &&
    (red || results.clean === true || results.verdict === 'conformant' || isAccepted(results))
    ? all
    : [runGroup(document), ...all];
}

function ownGroup({ rows }: RowGroup, { problems }: OwnResults, curlOf: CurlOf | null): CaseGroup {
  const broken = problems.map((problem): ReportCase => {
    const headline = problemText(problem);
    const id = problem.requirement ?? 'own suites';
    return { ...NO_ROW, id, outcome: 'error', status: 'error', headline, details: headline };
  });
  return { title: OWN_TITLE, cases: [...broken, ...rows.map((row) => caseOf(row, curlOf))] };
}

/**
 * Returns entries of a baseline whose rows are not red, such as one without its deviation: they fail the run
 * too.
 */
function baselineGroups({ baseline }: Results): readonly CaseGroup[] {
  const wrong = (baseline?.problems ?? []).filter(({ kind }) => kind === 'stale' || kind === 'unmatched');
  if (wrong.length === 0) return [];
  const cases = wrong.map(({ id, message }): ReportCase => ({
    ...NO_ROW,
    id: `baseline ${id ?? ''}`.trim(),
    outcome: 'failed',
    status: 'failed',
    headline: message,
    details: message,
  }));
  return [{ title: 'Baseline', cases }];
}

/** An inconclusive threshold is an error, not skipped: see `statusOf`. */
function capacityGroup({ scenario, thresholds, phases }: CapacityResults): CaseGroup {
  return {
    title: `Load ${scenario}`,
    cases: thresholds.map((threshold) => {
      const figure = `${threshold.text}: ${valueText(threshold)}`;
      const headline = {
        met: '',
        missed: `missed: ${figure}`,
        inconclusive: `could not be determined: ${threshold.reason}`,
      }[threshold.outcome];
      const outcome = THRESHOLD_OUTCOMES[threshold.outcome];
      return {
        ...NO_ROW,
        id: threshold.text,
        outcome,
        status: statusOf({ level: 'must', outcome }),
        headline,
        details: [headline || figure, ...phases.map(phaseLine)].join('\n'),
      };
    }),
  };
}

const phaseLine = ({
  name,
  sent,
  errors,
  violations,
  dropped,
  latencyMs,
}: CapacityResults['phases'][number]): string =>
  [
    `${name}: ${count(sent)} sent`,
    `${count(errors)} errors`,
    `${count(violations)} violations`,
    `${count(dropped)} dropped`,
    `p99 ${percentileText(latencyMs.p99)}`,
  ].join(', ');

function runGroup({ results, sentence: headline }: RunDocument): CaseGroup {
  const figures = results.obstacle ? [] : [`${passedWords(results)}.`];
  const fault = results.fault === undefined ? [] : [clip(results.fault, MOST.characters)];
  const details = [headline, ...figures, ...fault].join('\n');
  const outcome = results.fault === undefined ? 'inconclusive' : 'error';
  return {
    title: 'Run',
    cases: [{ ...NO_ROW, id: 'run', outcome, status: 'error', headline, details }],
  };
}

/**
 * Returns the status of a requirement. An inconclusive must is an error, not skipped: the run is not
 * conformant, and Jenkins, GitLab and GitHub's JUnit actions show skipped cases as harmless. JUnit's error
 * also differs from a failure. A warning is a passed case with output, because it does not count against the
 * target.
 */
export const statusOf = ({ level, outcome }: Pick<RequirementResult, 'level' | 'outcome'>): CaseStatus =>
  outcome === 'inconclusive' && level === 'must' ? 'error' : STATUSES[outcome];

const STATUSES: Readonly<Record<Outcome, CaseStatus>> = {
  error: 'error',
  failed: 'failed',
  inconclusive: 'skipped',
  warned: 'passed',
  passed: 'passed',
  observed: 'passed',
  'not-applicable': 'skipped',
};

function caseOf(row: RowView, curlOf: CurlOf | null): ReportCase {
  const found = headlineOf(row);
  const headline = row.sameFaultAs === null ? found : `${sameFaultWords(row.sameFaultAs)}: ${found}`;
  // The headline names the row that stands for its fault.
  const blocks = [...rowBlocks(row, MOST), ...(row.sameFaultAs === null ? behindRow(row) : [])];
  const details = [
    headline,
    `requirement: ${row.statement}`,
    ...textLines(row, blocks, curlOf),
    ...observedLines(row),
  ]
    .filter((line) => line !== '')
    .join('\n');
  const { id, level, outcome, partly = [], durationMs: ms = 0 } = row;
  const testCase = { id, level, outcome, status: statusOf(row), headline, partly, details, row, ms };
  if (row.agreement === null) return testCase;
  // An accepted deviation is skipped: first the agreement, then the finding.
  const words = `accepted ${agreement(row.agreement)}`;
  return {
    ...testCase,
    status: 'skipped',
    headline: `${words}; ${headline}`,
    details: `${words}\n${details}`,
  };
}

export function headlineOf(row: RowView): string {
  const found = sentenceOf(rowGist(row, MOST.groups));
  const reason = row.reason?.text ?? '';
  switch (row.outcome) {
    case 'failed':
      return found;
    case 'warned':
      return `warning: ${found}`;
    case 'error':
      return `kit fault, not a fault of the target: ${found}`;
    case 'inconclusive':
      return `could not be determined: ${reason}`;
    case 'not-applicable':
      return `not tested: ${reason}`;
    case 'passed':
      return row.partly ? `${REDUCED}; not tested: ${partlyText(row)}` : '';
    case 'observed':
      return '';
  }
}

const observedLines = ({ observed = [] }: RowView): readonly string[] =>
  observed.slice(0, MOST.findings).map(({ subject, value }) => {
    const about = subject === undefined ? '' : `${subject}: `;
    return `observed: ${about}${clip(value, MOST.characters)}`;
  });
