import type { BothSides, Comparison } from '../outcome/acceptance/compare.js';
import type { CapacityComparison } from '../outcome/acceptance/compare-capacity.js';
import { partText, subjectText } from '../outcome/acceptance/speed.js';
import type { RequirementId } from '../base/interface/types.js';
import { capital, count, counted, duration, grouped, listed, minute, moment } from '../base/kernel/format.js';
import type { Outcome } from '../judge/verdict.js';
import { CHANGE_KINDS, CHANGES, changeLabel, sideLine } from '../outcome/words/changes.js';
import { CAPACITY_LABELS } from '../outcome/words/outcomes.js';
import { requiredCountOf } from '../outcome/words/required-count.js';
import { standingOf, standingWords } from '../outcome/words/standing.js';
import { exchangesById } from '../outcome/results/requirement-result.js';
import type { Results } from '../outcome/results/results.js';
import { OWN_TITLE } from '../outcome/words/own.js';
import { faultsIn } from './rows/faults.js';
import { NOTHING_KNOWN, rowView, type RowContext } from './rows/row-view.js';
import {
  tableOf,
  withContent,
  type Column,
  type Pair,
  type ReportDocument,
  type Section,
  type SideLabels,
  type Table,
} from './document.js';

/** Addresses of the reports of two compared runs; null without one. */
export interface Places {
  readonly before?: string | null;
  readonly after?: string | null;
  /** Of more earlier runs, in their order. */
  readonly baseline?: readonly (string | null)[];
}

/** Sides of a comparison in time. */
const BEFORE_AND_NOW: SideLabels = ['Before', 'Now'];

/** Side of one more earlier run, with which the speed is compared too. */
export const BASELINE = 'Baseline';

/** Fewest requirements with the same two sides that are shown as one. */
const FEWEST_ALIKE = 3;

/** Joins requirements with the same two sides: thirty with one reason are one line. */
const alikeTogether = (pairs: readonly Pair[]): readonly Pair[] =>
  [
    ...grouped(pairs, ({ name, subject, sides, before, now }) =>
      JSON.stringify(sides || subject !== undefined ? [name, subject] : [before, now]),
    ).values(),
  ].flatMap((alike): readonly Pair[] => {
    const [first] = alike;
    if (first.sides || alike.length < FEWEST_ALIKE) return alike;
    const { before, now, glyph } = first;
    const name = counted(alike.length, 'requirement');
    return [{ name, before, now, glyph, members: alike.map((each) => each.name) }];
  });

/** Returns what is said of two runs. */
export function comparisonDocument(
  comparison: Comparison,
  places: Places = {},
): ReportDocument & { runs: Table } {
  const { changes, stillFailing, capacity, own, environments } = comparison;
  const labels = environments ?? BEFORE_AND_NOW;
  const views = viewsOf(comparison);
  const sidesOf = (ids: readonly RequirementId[]) => ids.flatMap((id) => comparison.sides.get(id) ?? []);
  const kinds = CHANGE_KINDS.map((kind) => {
    const ids = changes.flatMap((change) => (change.kind === kind ? [change.id] : []));
    const { glyph, lead, showsFindings } = CHANGES[kind];
    const pairs = byFault(sidesOf(ids)).flatMap(({ both, faultOf }) =>
      kind === 'observation-changed'
        ? both.observed.map(({ subject, before, after }) => ({
            ...pair(both.id, before ?? 'not seen', after ?? 'not seen', glyph),
            subject,
            hasCard: true,
          }))
        : [{ ...pairOf(both, glyph), ...faultOf, ...(showsFindings && { sides: views(both) }) }],
    );
    const title = `${capital(changeLabel(kind, environments))} (${count(ids.length)})`;
    const block = { kind: 'pairs', first: 'Requirement', labels, pairs: alikeTogether(pairs) } as const;
    return { id: kind, title, glyph, lead: environments === null ? lead : undefined, blocks: [block] };
  });
  const failing = byFault(sidesOf(stillFailing)).map(({ both, faultOf }) => ({
    ...pairOf(both, 'failed'),
    ...faultOf,
    sides: views(both),
  }));
  return {
    sentence: comparisonSentence(comparison),
    remarks: comparison.remarks,
    runs: runsTable(comparison, labels, places),
    sections: withContent([
      ...(kinds as readonly Section[]),
      {
        id: 'still-failing',
        title: `Failing in both (${count(failing.length)})`,
        glyph: 'failed',
        blocks: [{ kind: 'pairs', first: 'Requirement', labels, pairs: failing, isFolded: true }],
      },
      pairsSection(
        'own',
        OWN_TITLE,
        'Requirement',
        labels,
        own.map(({ id, before, after }) => pair(id, before, after, 'observed')),
      ),
      ...(capacity ? capacitySections(capacity, labels) : []),
      {
        id: 'unchanged',
        title: '',
        blocks: capacity ? [] : restWords(comparison).map((text) => ({ kind: 'text', text })),
      },
    ]),
  };
}

/** Counts the requirements that no list names. */
const restWords = ({ unchanged, notCompared }: Comparison): readonly string[] => [
  ...(unchanged > 0 ? [`${counted(unchanged, 'requirement')} with the same outcome.`] : []),
  ...(notCompared > 0
    ? [
        `${counted(notCompared, 'requirement')} not compared: a run had not selected ${notCompared === 1 ? 'it' : 'them'}.`,
      ]
    : []),
];

/** Returns both results of a requirement as reports of each run show them. */
function viewsOf({ against, run }: Comparison): (both: BothSides) => NonNullable<Pair['sides']> {
  const [earlier, later] = [contextOf(against), contextOf(run)];
  return (both) => ({
    statement: both.statement,
    before: both.before && rowView(both.before, earlier),
    after: both.after && rowView(both.after, later),
  });
}

const contextOf = (run: Results): RowContext => ({ ...NOTHING_KNOWN, exchanges: exchangesById(run) });

/**
 * Orders failing rows by fault: behind the row that stands for a fault of limits come those in which it shows
 * too.
 */
function byFault(all: readonly BothSides[]) {
  const red = all.flatMap((both) =>
    both.after?.outcome === 'failed' ? [{ both, id: both.id, findings: both.after.findings }] : [],
  );
  const faults = faultsIn(red);
  const shows = new Set(faults.flatMap((fault) => fault.shows.map(({ both }) => both)));
  return all
    .filter((both) => !shows.has(both))
    .flatMap((both) => {
      const fault = faults.find(({ lead }) => lead.both === both);
      const others = (fault?.shows ?? []).map((row) => ({ both: row.both, faultOf: { faultOf: both.id } }));
      return [{ both, faultOf: {} }, ...others];
    });
}

const pair = (name: string, before: string, now: string, glyph: Outcome): Pair => ({
  name,
  before,
  now,
  glyph,
});

const pairOf = ({ id, before, after }: BothSides, glyph: Outcome): Pair => ({
  ...pair(id, sideLine(before), sideLine(after), glyph),
  hasCard: true,
});

const pairsSection = (
  id: string,
  title: string,
  first: string,
  labels: SideLabels,
  pairs: readonly Pair[],
): Section => ({
  id,
  title: `${title} (${count(pairs.length)})`,
  blocks: [{ kind: 'pairs', first, labels, pairs }],
});

const SPEED_GLYPHS = { slower: 'warned', faster: 'passed', same: 'passed', unknown: 'inconclusive' } as const;

const capacitySections = (
  { figures, thresholds, speeds }: CapacityComparison,
  labels: SideLabels,
): readonly Section[] => [
  pairsSection(
    'thresholds',
    'Thresholds with another outcome',
    'Threshold',
    labels,
    thresholds.map(({ text, before, after, outcome }) =>
      pair(text, before, after, outcome === 'missed' ? 'failed' : 'observed'),
    ),
  ),
  {
    id: 'speed',
    title: 'Whether it got slower',
    lead: 'By intervals of the difference between blocks of seconds, which hold together at 95 %. docs/scale.md explains them.',
    blocks: [
      tableOf('Whether it got slower', speeds, [
        ['Phase', ({ phase }) => phase],
        [
          speeds.some(({ journey }) => journey !== undefined) ? 'Operation or journey' : 'Operation',
          (change) => partText(change) || 'all',
        ],
        ['Figure', ({ figure }) => figure ?? 'all'],
        ['Answer', ({ words, answer }) => ({ text: words, glyph: SPEED_GLYPHS[answer] })],
      ]),
    ],
  },
  {
    id: 'figures',
    title: 'Figures side by side',
    blocks: [
      tableOf('Figures', figures, [
        ['Phase', (one) => (figures[figures.indexOf(one) - 1]?.phase === one.phase ? '' : one.phase)],
        ['Figure', ({ figure }) => figure],
        [labels[0], ({ before }) => before],
        [labels[1], ({ after }) => after],
        ['Change', ({ change }) => change],
      ]),
    ],
  },
];

function runsTable({ against, run, baseline }: Comparison, labels: SideLabels, places: Places): Table {
  const rows = [
    { ...against, side: labels[0], place: places.before },
    ...baseline.map((one, at) => ({ ...one, side: BASELINE, place: places.baseline?.[at] })),
    { ...run, side: labels[1], place: places.after },
  ];
  const build: Column<(typeof rows)[number]> = [
    'Build',
    ({ label }) => (label === undefined ? 'build not named' : `build ${label}`),
  ];
  return tableOf('Runs', rows, [
    ['Run', ({ side }) => side],
    ['Target', ({ target }) => target.name],
    ...(rows.some(({ label }) => label !== undefined) ? [build] : []),
    ['Started', ({ startedAt, place }) => ({ text: moment(startedAt), ...(place && { link: place }) })],
    ['Verdict', (one) => `${verdictOf(one)}${passedOf(one)}`],
    [
      'Requests',
      ({ requests, durationMs }) => `${counted(requests.total, 'request')} in ${duration(durationMs)}`,
    ],
  ]);
}

function passedOf(run: Results): string {
  const { passed, inScope } = requiredCountOf(run);
  return run.obstacle || run.capacity || inScope === 0
    ? ''
    : `, ${count(passed)} of ${counted(inScope, 'required behaviour')} passed`;
}

const MOST_NAMED = 3;

/** Trends between two runs: headline, words behind the target's name, and outcome that glyph and colour show. */
export const TRENDS = {
  worse: { word: 'Worse', clause: 'is worse than', glyph: 'failed', tone: 'failed' },
  'less-known': {
    word: 'Less certain',
    clause: 'is less certain than',
    glyph: 'inconclusive',
    tone: 'inconclusive',
  },
  better: { word: 'Better', clause: 'is better than', glyph: 'passed', tone: 'passed' },
  different: { word: 'Different', clause: 'differs from', glyph: 'observed', tone: null },
  alike: { word: 'Unchanged', clause: 'is the same as', glyph: 'passed', tone: null },
  'same-outcomes': {
    word: 'Speed unknown',
    clause: 'has the same outcomes as',
    glyph: 'inconclusive',
    tone: null,
  },
  unknown: {
    word: 'Nothing to compare',
    clause: 'cannot be compared with',
    glyph: 'inconclusive',
    tone: 'inconclusive',
  },
} as const;

const THRESHOLD_TRENDS = { missed: 'worse', inconclusive: 'less-known', met: 'better' } as const;

/** Returns the trend between two runs, by their worst change. */
export function trendOf({ against, run, changes, capacity, environments }: Comparison): keyof typeof TRENDS {
  if (against.obstacle || run.obstacle) return 'unknown';
  const { thresholds = [], speeds = [], differences = [] } = capacity ?? {};
  const trends = [
    ...changes.map(({ kind }) => CHANGES[kind].trend ?? 'different'),
    // One that is new and missed shows no change of the target.
    ...thresholds.map(({ outcome, wasAsked }) =>
      outcome === 'missed' && !wasAsked ? 'different' : THRESHOLD_TRENDS[outcome],
    ),
    ...speeds.filter(isChanged).map(() => 'different'),
  ];
  // Two environments differ; none of them came before the other.
  if (environments !== null) return trends.length > 0 ? 'different' : unchanged(capacity);
  const worst = (['worse', 'less-known', 'better'] as const).find((trend) => trends.includes(trend));
  return worst ?? (trends.length + differences.length > 0 ? 'different' : unchanged(capacity));
}

/** Without a change, load runs of which no speed is known are not the same: only their thresholds are. */
const unchanged = (capacity: Comparison['capacity']): 'alike' | 'same-outcomes' =>
  whyNoSpeed(capacity) === null ? 'alike' : 'same-outcomes';

/** Returns why no speed of two load runs can be compared; null where one can, or for other runs. */
function whyNoSpeed(capacity: Comparison['capacity']): string | null {
  const [first, ...others] = capacity?.speeds ?? [];
  const isUnknown = first !== undefined && [first, ...others].every(({ answer }) => answer === 'unknown');
  return isUnknown ? first.words : null;
}

const isChanged = ({ answer }: CapacityComparison['speeds'][number]): boolean =>
  answer === 'slower' || answer === 'faster';

/** Names the figures that surely changed, slower ones first. */
function speedClauses({ capacity }: Comparison): readonly string[] {
  const changed = (capacity?.speeds ?? []).filter(isChanged);
  const slowerFirst = changed.toSorted(
    (one, other) => Number(other.answer === 'slower') - Number(one.answer === 'slower'),
  );
  const shown = slowerFirst
    .slice(0, MOST_NAMED)
    .map((change) => `${change.figure} of ${subjectText(change)} ${change.words}`);
  const rest = changed.length - shown.length;
  return rest > 0 ? [...shown, `${count(rest)} other ${rest === 1 ? 'figure' : 'figures'} changed`] : shown;
}

/** Returns the change as one quotable sentence; targets' names are not escaped. */
export function comparisonSentence(comparison: Comparison): string {
  const { against, run, changes, capacity, environments } = comparison;
  const { name } = run.target;
  if (run.obstacle)
    return `${name} could not be tested, so there is nothing to compare: ${run.obstacle.message}`;
  if (against.obstacle)
    return `${name} was tested now, but the run ${other(comparison)} never started, so there is nothing to compare.`;
  const kinds = CHANGE_KINDS.flatMap((kind) => {
    const ids = changes.flatMap((change) => (change.kind === kind ? [change.id] : []));
    if (ids.length === 0) return [];
    return CHANGES[kind].namesRows && ids.length <= MOST_NAMED
      ? [`${changeLabel(kind, environments)}: ${listed(ids)}`]
      : [`${count(ids.length)} ${changeLabel(kind, environments)}`];
  });
  const what = [
    ...thresholdClauses(comparison),
    ...speedClauses(comparison),
    ...(capacity && capacity.differences.length > 0 ? ['the scenarios differ'] : []),
    ...kinds,
  ];
  const who = environments !== null && against.target.name === name ? environments[1] : name;
  return `${who}${buildOf(run)} ${TRENDS[trendOf(comparison)].clause} ${other(comparison)}${
    what.length > 0 ? `: ${what.join('; ')}` : capacity ? `: ${sameOutcomes(capacity)}` : ''
  }.`;
}

function sameOutcomes(capacity: CapacityComparison): string {
  const why = whyNoSpeed(capacity)?.replace('cannot tell', 'cannot tell whether it got slower') ?? null;
  return ['every threshold has the same outcome', ...(why === null ? [] : [why])].join('; ');
}

function thresholdClauses({ capacity, environments }: Comparison): readonly string[] {
  const thresholds = capacity?.thresholds ?? [];
  const missed = thresholds.filter(({ outcome, wasAsked }) => outcome === 'missed' && wasAsked).length;
  const changed = thresholds.filter(({ wasAsked }) => wasAsked).length;
  const first = thresholds.length - changed;
  const newly =
    missed === 0
      ? ''
      : environments
        ? `, ${count(missed)} missed on ${environments[1]} only`
        : `, ${count(missed)} newly missed`;
  const where = environments
    ? `on ${environments[1]}, not tested on ${environments[0]}`
    : 'when first tested';
  return [
    changed === 0 ? '' : `${counted(changed, 'threshold')} with another outcome${newly}`,
    first === 0 ? '' : `${counted(first, 'threshold')} missed ${where}`,
  ].filter(Boolean);
}

/** Names the earlier run: by its target where different, otherwise by build or time. */
function other({ against, run, environments }: Comparison): string {
  const { name } = against.target;
  const who = name !== run.target.name ? name : (environments?.[0] ?? `on ${minute(against.startedAt)}`);
  return `${who}${buildOf(against)}`;
}

const buildOf = ({ label }: Results): string => (label === undefined ? '' : ` (build ${label})`);

/** A load run meets its thresholds or not; it says nothing about conformance. */
function verdictOf(run: Results): string {
  if (run.obstacle) return 'never started';
  const words = run.capacity ? CAPACITY_LABELS[run.verdict] : standingWords(standingOf(run));
  return `${words.toLowerCase()}${run.complete ? '' : ', cut short'}`;
}
