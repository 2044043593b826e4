import type { BothSides, Comparison } from '../outcome/acceptance/compare.js';
import { oneLine } from '../base/kernel/visible.js';
import { onceEach } from '../base/kernel/once-each.js';
import type { RequirementId } from '../base/interface/types.js';
import { capital, count, counted, duration, grouped, minute, moment } from '../base/kernel/format.js';
import type { Outcome } from '../judge/verdict.js';
import { CHANGE_KINDS, CHANGES, changeLabel, sideLine } from '../outcome/words/changes.js';
import { CAPACITY_LABELS, outcomeWords } from '../outcome/words/outcomes.js';
import { passedWords, requiredCountOf } from '../outcome/words/required-count.js';
import { standingWords } from '../outcome/words/scoped-verdict.js';
import { exchangesById } from '../outcome/results/requirement-result.js';
import type { Results } from '../outcome/results/results.js';
import { buildWords } from '../outcome/words/verdict-sentence.js';
import { OWN_TITLE } from '../outcome/words/own.js';
import { faultsIn } from './rows/faults.js';
import { capacitySections, pair, pairsSection } from './comparison-capacity.js';
import { comparisonSentence } from './comparison-sentence.js';
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
        : [
            {
              ...pairOf(both, glyph, beforeFrom(comparison, both)),
              ...faultOf,
              ...(showsFindings && { sides: views(both) }),
            },
          ],
    );
    const title = `${capital(changeLabel(kind, environments))} (${count(ids.length)})`;
    const block = { kind: 'pairs', first: 'Requirement', labels, pairs: alikeTogether(pairs) } as const;
    return { id: kind, title, glyph, lead: environments === null ? lead : undefined, blocks: [block] };
  });
  const failing = byFault(sidesOf(stillFailing)).map(({ both, faultOf }) => ({
    ...pairOf(both, 'failed', beforeFrom(comparison, both)),
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
function restWords({ covered, environments, against, run }: Comparison): readonly string[] {
  if (against.obstacle || run.obstacle) return [];
  const { same, onlyBefore, onlyAfter, neither } = covered;
  const [one, other] = environments?.map((name) => `run of ${name}`) ?? ['earlier run', 'later run'];
  const notSelected = (amount: number, which = ''): readonly string[] =>
    amount > 0
      ? [`${counted(amount, 'requirement')} not compared: the ${which} had not selected ${them(amount)}.`]
      : [];
  return [
    ...(same > 0 ? [`${counted(same, 'requirement')} with the same outcome in both.`] : []),
    ...notSelected(onlyBefore.all, other),
    ...notSelected(onlyAfter.all, one),
    ...(neither > 0
      ? [`${counted(neither, 'requirement')} not compared: one run or both did not judge ${them(neither)}.`]
      : []),
  ];
}

const them = (amount: number): string => (amount === 1 ? 'it' : 'them');

function viewsOf(comparison: Comparison): (both: BothSides) => NonNullable<Pair['sides']> {
  const later = contextOf(comparison.run);
  return (both) => ({
    statement: both.statement,
    before: both.before && rowView(both.before, contextOf(both.beforeIn)),
    after: both.after && rowView(both.after, later),
    beforeFrom: beforeFrom(comparison, both),
  });
}

/** Names the run of the earlier result, where the earlier run could not judge the row; empty otherwise. */
function beforeFrom({ against }: Comparison, { beforeIn }: BothSides): string {
  if (beforeIn === against) return '';
  const { startedAt, label } = beforeIn;
  return `in the run on ${minute(startedAt)}${label === undefined ? '' : `, ${buildWords(oneLine(label))}`}`;
}

const contextOf = onceEach((run: Results): RowContext => ({
  ...NOTHING_KNOWN,
  exchanges: exchangesById(run),
}));

/**
 * Orders failing rows by fault: behind the row that stands for a fault of limits come those in which it shows
 * too.
 */
function byFault(all: readonly BothSides[]) {
  const red = all.flatMap((both) =>
    both.after?.outcome === 'failed' ? [{ both, id: both.id, findings: both.after.findings }] : [],
  );
  const families = faultsIn(red).filter(({ isFamily }) => isFamily);
  const shown = new Set(families.flatMap(({ others }) => others.map(({ both }) => both)));
  return all
    .filter((both) => !shown.has(both))
    .flatMap((both) => {
      const others = families.find(({ lead }) => lead.both === both)?.others ?? [];
      return [
        { both, faultOf: {} },
        ...others.map((row) => ({ both: row.both, faultOf: { faultOf: both.id } })),
      ];
    });
}

/**
 * Where the later run did not judge a row, the evidence of the earlier one says nothing: rows of one reason
 * are alike.
 */
const beforeLine = ({ before, after }: BothSides): string =>
  before && after?.reason ? outcomeWords(before.outcome) : sideLine(before);

const pairOf = (both: BothSides, glyph: Outcome, from: string): Pair => ({
  ...pair(both.id, [beforeLine(both), from].filter(Boolean).join(', '), sideLine(both.after), glyph),
  hasCard: true,
});

function runsTable({ against, run, baseline }: Comparison, labels: SideLabels, places: Places): Table {
  const rows = [
    { ...against, side: labels[0], place: places.before },
    ...baseline.map((one, at) => ({ ...one, side: BASELINE, place: places.baseline?.[at] })),
    { ...run, side: labels[1], place: places.after },
  ];
  const build: Column<(typeof rows)[number]> = [
    'Build',
    ({ label }) => (label === undefined ? 'build not named' : buildWords(label)),
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
  const { inScope } = requiredCountOf(run);
  return run.obstacle || run.capacity || inScope === 0 ? '' : `, ${passedWords(run)}`;
}

/** A load run meets its thresholds or not; it says nothing about conformance. */
function verdictOf(run: Results): string {
  if (run.obstacle) return 'never started';
  const words = run.capacity ? CAPACITY_LABELS[run.verdict] : standingWords(run);
  return `${words.toLowerCase()}${run.complete ? '' : ', cut short'}`;
}
