import { partText } from '../outcome/acceptance/speed.js';
import type { CapacityComparison } from '../outcome/acceptance/compare-capacity.js';
import { count, grouped, listed } from '../base/kernel/format.js';
import type { Outcome } from '../judge/verdict.js';
import { tableOf, type Pair, type Section, type SideLabels } from './document.js';

export const pair = (name: string, before: string, now: string, glyph: Outcome): Pair => ({
  name,
  before,
  now,
  glyph,
});

export const pairsSection = (
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

const FOUND_GLYPHS = {
  higher: 'passed',
  lower: 'warned',
  same: 'passed',
  lost: 'inconclusive',
  unknown: 'inconclusive',
} as const;

type Speeds = CapacityComparison['speeds'];

/** Returns the rows of a table of speeds, in which rows of one reason that differ only in one name are one. */
function withoutRepeats(speeds: Speeds) {
  const rows = speeds.map((change) => ({
    phase: change.phase,
    part: partText(change) || 'all',
    figure: change.figure ?? 'all',
    words: change.words,
    answer: change.answer,
  }));
  const joined = (all: typeof rows, name: 'figure' | 'part' | 'phase'): typeof rows =>
    [...grouped(all, (row) => JSON.stringify({ ...row, [name]: '' })).values()].map((alike) => ({
      ...alike[0],
      [name]: listed(alike.map((row) => row[name])),
    }));
  return (['figure', 'part', 'phase'] as const).reduce(joined, rows);
}

export const capacitySections = (
  { figures, thresholds, speeds, found }: CapacityComparison,
  labels: SideLabels,
): readonly Section[] => [
  ...(found
    ? [
        {
          id: 'capacity',
          title: 'Highest rate that holds',
          blocks: [
            tableOf(
              'Highest rate that holds',
              [found],
              [
                [labels[0], ({ before }) => before],
                [labels[1], ({ after }) => after],
                ['Answer', ({ words, answer }) => ({ text: words, glyph: FOUND_GLYPHS[answer] })],
              ],
            ),
          ],
        },
      ]
    : []),
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
    lead:
      'By one interval for each figure, of the difference between blocks of seconds. All of them hold together at ' +
      '95 %. docs/scale.md explains them.',
    blocks: [
      tableOf('Whether it got slower', withoutRepeats(speeds), [
        ['Phase', ({ phase }) => phase],
        [
          speeds.some(({ journey }) => journey !== undefined) ? 'Operation or journey' : 'Operation',
          ({ part }) => part,
        ],
        ['Figure', ({ figure }) => figure],
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
