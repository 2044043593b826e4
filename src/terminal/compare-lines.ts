import pc from 'picocolors';
import { capital, count, counted, duration, listed, moment } from '../format/format.js';
import { CHANGE_KINDS, CHANGE_LABELS, type Change, type ChangeKind } from '../words/changes.js';
import { receivedWords, timesWords } from '../words/findings.js';
import { safeText } from '../words/safe-text.js';
import { OWN_TITLE } from '../words/own.js';
import { clip } from '../format/visible.js';
import { wrapped } from '../words/wrapped.js';
import type { CapacityComparison } from '../acceptance/compare-capacity.js';
import { sideLine, sideWords } from '../words/compare-details.js';
import type { BothSides, ComparedRun, Comparison } from '../acceptance/compare.js';
import { comparisonSentence, verdictOf } from '../report/runs/compare-sentence.js';
import type { Places } from '../report/pages/places.js';

type Colors = ReturnType<typeof pc.createColors>;

/** Longest value on a terminal: two or three lines; results.json has the rest. */
const LONGEST_VALUE = 200;

/** Most rows of a kind that are listed; more are counted. */
const MOST_LISTED = 25;

const GLYPHS: Readonly<Record<ChangeKind, string>> = {
  'newly-failing': '✗',
  'first-failing': '✗',
  'newly-warned': '!',
  'newly-open': '?',
  'newly-untested': '–',
  'newly-passing': '✓',
  'newly-tested': '+',
  'outcome-changed': '~',
  'observation-changed': '~',
};

interface Options {
  readonly color: boolean;
  /** Places of the two reports. */
  readonly places?: Places;
}

/** Formats a comparison for a terminal or a log file, the sentence first. Colour never carries information by itself. */
export function comparisonLines(comparison: Comparison, { color, places }: Options): readonly string[] {
  const colors = pc.createColors(color);
  const { against, run, changes, unchanged, stillFailing, remarks, capacity, sides, own } = comparison;
  return [
    colors.bold(plain(comparisonSentence(comparison))),
    '',
    ...runLines('before', against, places?.before),
    ...runLines('now', run, places?.after),
    ...remarks.map((remark) => colors.dim(`note    ${plain(remark)}`)),
    ...CHANGE_KINDS.flatMap((kind) => {
      const rows = changes.filter((change) => change.kind === kind);
      if (rows.length === 0) return [];
      return [
        '',
        colors.bold(`${capital(CHANGE_LABELS[kind])} (${count(rows.length)})`),
        ...rows.slice(0, MOST_LISTED).flatMap((change) => changeLines(change, sides.get(change.id), colors)),
        ...(rows.length > MOST_LISTED ? [`  and ${count(rows.length - MOST_LISTED)} more`] : []),
      ];
    }),
    ...(stillFailing.length > 0
      ? ['', ...wrapped(`Failing in both (${count(stillFailing.length)}) `, plain(listed(stillFailing)))]
      : []),
    ...(own.length > 0 ? ['', colors.bold(`${OWN_TITLE} (${count(own.length)})`)] : []),
    ...own.map(({ id, before, after }) => `  ${colors.dim('~')} ${plain(id)}  ${plain(before)} -> ${plain(after)}`),
    ...(capacity ? capacityLines(capacity, colors) : []),
    ...(!capacity && unchanged > 0 ? ['', `${counted(unchanged, 'requirement')} with the same outcome.`] : []),
  ];
}

/** Formats figures of two load runs side by side, and thresholds with a different result. */
function capacityLines({ figures, thresholds }: CapacityComparison, colors: Colors): readonly string[] {
  return [
    ...(thresholds.length === 0 ? [] : ['', colors.bold(`Thresholds with another outcome (${thresholds.length})`)]),
    ...thresholds.map(
      ({ text, before, after, isNewlyMissed }) =>
        `  ${isNewlyMissed ? colors.red('✗') : colors.dim('~')} ${plain(text)}  ${before} -> ${after}`,
    ),
    ...(figures.length === 0 ? [] : ['', colors.bold('Figures side by side')]),
    ...figures.map(({ phase, figure, before, after, change }, at) => {
      const name = at > 0 && figures[at - 1]?.phase === phase ? '' : plain(phase);
      return `  ${name.padEnd(14)} ${figure.padEnd(16)} ${before.padStart(10)} -> ${after.padStart(10)}  ${change}`.trimEnd();
    }),
  ];
}

function runLines(label: string, run: ComparedRun, place: string | null | undefined): readonly string[] {
  const { name, startedAt, label: build, musts, requests, durationMs } = run;
  const facts = [
    name,
    ...(build === null ? [] : [`build ${build}`]),
    moment(startedAt),
    verdictOf(run),
    ...(run.obstacle === null && !run.isLoad
      ? [`${count(musts.passed)} of ${counted(musts.inScope, 'required behaviour')} passed`]
      : []),
    `${counted(requests, 'request')} in ${duration(durationMs)}`,
  ];
  return [
    `${label.padEnd(8)}${plain(facts.join('  '))}`,
    ...(place === null || place === undefined ? [] : [`        ${plain(place)}`]),
  ];
}

function changeLines({ id, kind }: Change, sides: BothSides | undefined, colors: Colors): readonly string[] {
  const head = `  ${colors[HUES[kind]](GLYPHS[kind])} ${plain(id)}`;
  if (!sides) return [head];
  switch (kind) {
    case 'newly-failing':
    case 'first-failing':
    case 'newly-warned':
      return [
        ...wrapped(`${head}  `, plain(sides.statement)),
        ...resultLines('before', sides.before),
        ...resultLines('now', sides.after),
      ];
    case 'observation-changed':
      return [
        head,
        ...sides.observed.flatMap(({ subject, before, after }) => [
          ...(subject === '' ? [] : [`      ${shown(subject)}`]),
          `      before  ${shown(before ?? 'not seen')}`,
          `      now     ${shown(after ?? 'not seen')}`,
        ]),
      ];
    case 'newly-open':
    case 'newly-untested':
    case 'newly-passing':
    case 'newly-tested':
    case 'outcome-changed':
      return [head, `      before  ${shown(sideLine(sides.before))}`, `      now     ${shown(sideLine(sides.after))}`];
  }
}

/** Formats a run's findings, with expected and actual. */
function resultLines(label: string, result: BothSides['before']): readonly string[] {
  const { state, reason, findings, left } = sideWords(result);
  return [
    `      ${label.padEnd(8)}${shown(reason === '' ? state : `${state}: ${reason}`)}`,
    ...findings.flatMap((finding) => [
      `        found      ${shown(finding.message)}${timesWords(finding)}`,
      ...(finding.expected === undefined ? [] : [`        expected   ${shown(finding.expected)}`]),
      ...(finding.actual === undefined
        ? []
        : [`        ${receivedWords(finding).padEnd(10)} ${shown(finding.actual)}`]),
    ]),
    ...(left > 0 ? [`        and ${counted(left, 'more finding')}`] : []),
  ];
}

const shown = (value: string): string => plain(clip(value, LONGEST_VALUE));

const HUES: Readonly<Record<ChangeKind, 'red' | 'yellow' | 'green' | 'dim'>> = {
  'newly-failing': 'red',
  'first-failing': 'red',
  'newly-warned': 'yellow',
  'newly-open': 'yellow',
  'newly-untested': 'yellow',
  'newly-passing': 'green',
  'newly-tested': 'green',
  'outcome-changed': 'dim',
  'observation-changed': 'dim',
};

/** Escapes only what affects a terminal: the place shows Unicode, as for a run. */
const plain = (text: string): string => safeText(text, true);
