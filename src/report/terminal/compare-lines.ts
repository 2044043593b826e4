import type { Comparison } from '../../outcome/acceptance/compare.js';
import { clip } from '../../base/kernel/visible.js';
import { count } from '../../base/kernel/format.js';
import { BASELINE, comparisonDocument, type Places } from '../comparison.js';
import type { Block, Pair, SideLabels } from '../document.js';
import { stateWords, withWhy } from '../../outcome/words/changes.js';
import { AMOUNTS } from '../amounts.js';
import { rowBlocks, said, sameFaultWords } from '../rows/blocks.js';
import type { RowView } from '../rows/row-view.js';
import {
  BLANK,
  flow,
  hang,
  line,
  mark,
  paint,
  span,
  tableLine,
  type Line,
  type Span,
  type Tone,
} from './lines.js';
import { lookOf, plainLook, type Look } from './look.js';

const MOST = AMOUNTS.comparison;

interface Shown {
  readonly color: boolean;
  readonly places?: Places;
  /** Of a terminal, where long lines are wrapped; in a file each is whole. */
  readonly columns?: number | undefined;
}

/** Colour never carries information by itself. */
export function comparisonLines(
  comparison: Comparison,
  { color, places = {}, columns }: Shown,
): readonly string[] {
  const { sentence, runs, remarks, sections } = comparisonDocument(comparison);
  const lines: readonly Line[] = [
    prose([], sentence, 'strong'),
    BLANK,
    ...runs.rows.flatMap(({ cells: [label, ...facts] }, at) => {
      const place = [places.before, ...(places.baseline ?? []), places.after][at];
      const texts = facts
        .map((fact) => fact.text)
        // An environment is named already.
        .filter((fact) => fact !== '' && fact !== label?.text);
      const lead = span(sideLabel(label?.text ?? ''));
      return [
        (look: Look) => (look.isScreen ? flow([lead], texts) : line(lead, span(texts.join('  '))))(look),
        ...(place ? [line(span(`        ${place}`))] : []),
      ];
    }),
    ...remarks.map((remark) => prose([span('note    ', 'quiet')], remark, 'quiet')),
    ...sections.flatMap(({ title, blocks }) => [
      BLANK,
      ...(title === '' ? [] : [line(span(title, 'strong'))]),
      ...blocks.flatMap(blockLines),
    ]),
  ];
  const uncut: Line = (look) => lines.flatMap((one) => one(look)).map((row) => ({ ...row, whole: true }));
  const look = plainLook(color);
  return paint([uncut], columns === undefined ? look : { ...look, ...onScreen(columns) });
}

const onScreen = (columns: number): Pick<Look, 'columns' | 'isScreen'> => ({
  columns: lookOf({ columns }, {}).columns,
  isScreen: true,
});

/** A lead and a text next to it: wrapped on a terminal, one line in a file. */
const prose =
  (lead: readonly Span[], text: string, tone: Tone = 'plain'): Line =>
  (look) =>
    (look.isScreen ? hang(lead, text, tone) : line(...lead, span(text, tone)))(look);

function blockLines(block: Block): readonly Line[] {
  switch (block.kind) {
    case 'text':
      return [prose([], block.text)];
    case 'table':
      return [tableLine(block, '  ')];
    case 'pairs':
      if (block.isFolded) return [hang([span('  ')], block.pairs.map(({ name }) => name).join(', '))];
      return [
        ...block.pairs
          .slice(0, MOST.pairs)
          .flatMap((pair, at) => pairLines(pair, block.labels, pair.name === block.pairs[at - 1]?.name)),
        ...(block.pairs.length > MOST.pairs
          ? [line(span(`  and ${count(block.pairs.length - MOST.pairs)} more`))]
          : []),
      ];
    case 'series':
    case 'violations':
      return [];
  }
}

/** Width of the words before and now. */
const SIDE_WIDTH = 8;
/** Longest name of an environment before a value. */
const LONGEST_SIDE = 40;

const sideLabel = (label: string): string =>
  `${clip(label === 'Before' || label === 'Now' || label === BASELINE ? label.toLowerCase() : label, LONGEST_SIDE)}  `.padEnd(
    SIDE_WIDTH,
  );

function pairLines(pair: Pair, labels: SideLabels, isNamed: boolean): readonly Line[] {
  const { name, subject, before, now, glyph, sides, hasCard, faultOf, members } = pair;
  const head = [span('  '), mark(glyph), span(name)];
  const [one, other] = [sideLabel(labels[0]), sideLabel(labels[1])];
  const width = Math.max(one.length, other.length);
  const valueLines = [
    prose([span(`      ${one.padEnd(width)}`)], shown(before)),
    prose([span(`      ${other.padEnd(width)}`)], shown(now)),
  ];
  if (sides)
    return [
      hang([...head, span('  ')], sides.statement),
      ...(faultOf === undefined ? [] : [prose([span('      ')], sameFaultWords(faultOf))]),
      ...resultLines(one.padEnd(width), sides.before, sides.beforeFrom),
      ...resultLines(other.padEnd(width), sides.after),
    ];
  if (members) return [line(...head), ...valueLines, hang([span('      ')], members.join(', '))];
  if (!hasCard) return [prose([...head, span('  ')], `${shown(before)} -> ${shown(now)}`)];
  return [
    ...(isNamed ? [] : [line(...head)]),
    ...(subject ? [prose([span('      ')], shown(subject))] : []),
    ...valueLines,
  ];
}

/** @param from another run than that of the side, which has the result */
function resultLines(label: string, row: RowView | null, from = ''): readonly Line[] {
  const state = withWhy(stateWords(row), row, row?.reason?.text);
  return [
    prose([span(`      ${label}`)], [state, from].filter(Boolean).map(shown).join(', ')),
    ...(row ? rowBlocks(row, MOST) : [])
      .filter(({ label }) => label !== 'see')
      .map((block) =>
        prose([span(`        ${block.label.replace(' first', '').padEnd(10)} `)], shown(said(block))),
      ),
  ];
}

const shown = (value: string): string => clip(value, MOST.characters);
