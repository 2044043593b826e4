import type { Comparison } from '../../outcome/acceptance/compare.js';
import { clip } from '../../base/kernel/visible.js';
import { count } from '../../base/kernel/format.js';
import { BASELINE, comparisonDocument, type Places } from '../comparison.js';
import type { Block, Pair, SideLabels } from '../document.js';
import { stateWords } from '../../outcome/words/changes.js';
import { partlyText } from '../../outcome/words/outcomes.js';
import { AMOUNTS } from '../amounts.js';
import { rowBlocks, said, sameFaultWords } from '../rows/blocks.js';
import type { RowView } from '../rows/row-view.js';
import { BLANK, hang, line, mark, paint, span, tableLine, type Line } from './lines.js';
import { plainLook } from './look.js';

const MOST = AMOUNTS.comparison;

/** Colour never carries information by itself. */
export function comparisonLines(
  comparison: Comparison,
  { color, places = {} }: { readonly color: boolean; readonly places?: Places },
): readonly string[] {
  const { sentence, runs, remarks, sections } = comparisonDocument(comparison);
  const lines: readonly Line[] = [
    line(span(sentence, 'strong')),
    BLANK,
    ...runs.rows.flatMap(({ cells: [label, ...facts] }, at) => {
      const place = [places.before, ...(places.baseline ?? []), places.after][at];
      const text = facts
        .map((fact) => fact.text)
        // An environment is named already.
        .filter((fact) => fact !== '' && fact !== label?.text)
        .join('  ');
      return [
        line(span(`${sideLabel(label?.text ?? '')}${text}`)),
        ...(place ? [line(span(`        ${place}`))] : []),
      ];
    }),
    ...remarks.map((remark) => line(span(`note    ${remark}`, 'quiet'))),
    ...sections.flatMap(({ title, blocks }) => [
      BLANK,
      ...(title === '' ? [] : [line(span(title, 'strong'))]),
      ...blocks.flatMap(blockLines),
    ]),
  ];
  const uncut: Line = (look) => lines.flatMap((one) => one(look)).map((row) => ({ ...row, whole: true }));
  return paint([uncut], plainLook(color));
}

function blockLines(block: Block): readonly Line[] {
  switch (block.kind) {
    case 'text':
      return [line(span(block.text))];
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
    line(span(`      ${one.padEnd(width)}${shown(before)}`)),
    line(span(`      ${other.padEnd(width)}${shown(now)}`)),
  ];
  if (sides)
    return [
      hang([...head, span('  ')], sides.statement),
      ...(faultOf === undefined ? [] : [line(span(`      ${sameFaultWords(faultOf)}`))]),
      ...resultLines(one.padEnd(width), sides.before, sides.beforeFrom),
      ...resultLines(other.padEnd(width), sides.after),
    ];
  if (members) return [line(...head), ...valueLines, hang([span('      ')], members.join(', '))];
  if (!hasCard) return [line(...head, span(`  ${shown(before)} -> ${shown(now)}`))];
  return [
    ...(isNamed ? [] : [line(...head)]),
    ...(subject ? [line(span(`      ${shown(subject)}`))] : []),
    ...valueLines,
  ];
}

/** @param from another run than that of the side, which has the result */
function resultLines(label: string, row: RowView | null, from = ''): readonly Line[] {
  const why = row?.reason?.text ?? (row?.partly ? `not tested: ${partlyText(row)}` : '');
  const state = [stateWords(row), why].filter(Boolean).join(': ');
  return [
    `      ${label}${[state, from].filter(Boolean).map(shown).join(', ')}`,
    ...(row ? rowBlocks(row, MOST) : [])
      .filter(({ label }) => label !== 'see')
      .map((block) => `        ${block.label.padEnd(10)} ${shown(said(block))}`),
  ].map((text) => line(span(text)));
}

const shown = (value: string): string => clip(value, MOST.characters);
