import type { LogHeader } from '../../log/record.js';
import type { Doubt, Examination, KeyLook, RunCost } from '../examination.js';
import { aligned, count, counted, duration } from '../../base/kernel/format.js';
import type { Outcome } from '../../judge/verdict.js';
import { leftOutSentences } from '../../outcome/words/reasons.js';
import { firstWords } from '../../outcome/words/remarks.js';
import { BLANK, copyable, flow, hang, line, mark, span, type Line, type Span, type Tone } from './lines.js';
import { headerLine, skew } from './opening.js';

export interface DoctorReport {
  readonly header: LogHeader;
  readonly examination: Examination;
  /** Number of rows that a run would judge, of all. */
  readonly reach: { readonly judged: number; readonly all: number } | null;
  readonly without: readonly string[];
  readonly next: string;
}

/** Width of the labels: the longest label, its mark and a gap. */
const LABEL_WIDTH = 15;
const INDENT = span(' '.repeat(LABEL_WIDTH));

const plain = (label: string, tone: Tone = 'quiet'): readonly Span[] => [
  span(label.padEnd(LABEL_WIDTH), tone),
];

const lead = (outcome: Outcome, label: string): readonly Span[] => [
  mark(outcome),
  span(label.padEnd(LABEL_WIDTH - 2)),
];

/** Is true if a run can start, and the target accepts every given key. */
export const isReady = ({ looks }: Examination): boolean => looks.every(({ found }) => found.ok);

export function doctorLines({ header, examination, reach, without, next }: DoctorReport): Line[] {
  const { looks, cost } = examination;
  const [own] = looks;
  const answers = own !== undefined && (own.found.ok || looks.length > 1);
  return [
    headerLine(header),
    BLANK,
    ...(answers ? [...serverLines(own), ...looks.flatMap((one) => keyLines(one, one !== own))] : []),
    ...(answers && without.length > 0
      ? [hang(lead('not-applicable', 'no key'), `${without.join(', ')}: not tested`, 'quiet')]
      : []),
    ...(cost && reach ? [BLANK, ...costLines(cost, reach, header.scope.suiteKey)] : []),
    ...(answers ? [BLANK] : []),
    ...closing(looks, next),
  ];
}

function serverLines({ found }: KeyLook): Line[] {
  if (!found.ok) return [];
  const { reachableMs, clockSkewMs, animals, animalsComplete } = found.facts;
  const facts = [
    `in ${duration(reachableMs)}`,
    ...(clockSkewMs === null ? [] : [skew(clockSkewMs)]),
    ...(animals === null ? [] : [`${animalsComplete ? '' : 'at least '}${counted(animals, 'animal')}`]),
  ];
  return [flow(lead('passed', 'reachable'), facts), ...doubtLines(found.doubts)];
}

function keyLines({ key, found }: KeyLook, withDoubts: boolean): Line[] {
  if (!found.ok)
    return [hang(lead('failed', key), `${found.obstacle.short}.`), hang([INDENT], found.obstacle.hint)];
  const { keyAccepted, limitSeen, status } = found.facts;
  const said = keyAccepted ? 'key accepted' : `key not refused, but the first listing ${firstWords(status)}`;
  // Doubts of the suites' key are about the server, and shown there.
  return [
    hang(lead('passed', key), `${said}${limitSeen === null ? '' : `, limit ${limitSeen}`}`),
    ...(withDoubts ? doubtLines(found.doubts) : []),
  ];
}

const doubtLines = (doubts: readonly Doubt[]): Line[] =>
  doubts.flatMap(({ text, hint }) => [
    hang([INDENT, mark('warned')], `${text}.`),
    hang([INDENT, span('  ')], hint, 'quiet'),
  ]);

/** "about 5 min; up to 9 min where answers are in doubt". */
const takesText = (seconds: number, more: number): string =>
  `about ${duration(seconds * 1_000)}${
    more === 0 ? '' : `; up to ${duration((seconds + more) * 1_000)} where answers are in doubt`
  }`;

const amount = (requests: number): string => (requests === 0 ? '' : count(requests));

function costLines(
  { suites, load, seconds, more }: RunCost,
  { judged, all }: NonNullable<DoctorReport['reach']>,
  suiteKey: string,
): Line[] {
  const byKey = new Map<string, { suites: number; load: number }>();
  const add = (key: string, part: 'suites' | 'load', requests: number): void => {
    const before = byKey.get(key) ?? { suites: 0, load: 0 };
    byKey.set(key, { ...before, [part]: before[part] + requests });
  };
  if (suites) add(suiteKey, 'suites', suites.withKey);
  for (const { key, requests } of load?.profiles ?? []) add(key, 'load', requests);
  if (suites) add('without a key', 'suites', suites.withoutKey);
  const [head = '', ...rows] = aligned(
    [
      ['', 'suites', 'load'],
      ...[...byKey].map(([key, sent]) => [key, amount(sent.suites), amount(sent.load)]),
    ],
    ['left', 'right', 'right'],
  );
  return [
    hang(plain('would judge'), `up to ${count(judged)} of ${counted(all, 'requirement')}`),
    line(...plain('would send'), span(head, 'quiet')),
    ...rows.map((text) => line(INDENT, span(text))),
    hang(plain('would take'), takesText(seconds, more.seconds)),
    ...(load ? leftOutSentences(load) : []).map((text, at) =>
      hang(at === 0 ? plain('left out') : [INDENT], text, 'quiet'),
    ),
  ];
}

function closing(looks: readonly KeyLook[], next: string): Line[] {
  const refused = looks.map(({ found }) => found).find((found) => !found.ok);
  if (!refused)
    return [line(...plain('READY', 'good'), span('a run can start')), copyable(...plain('next'), span(next))];
  const { message, hint } = refused.obstacle;
  return [
    hang(plain('NOT READY', 'bad'), message),
    // The line of its key has the hint already.
    ...(looks.length > 1 ? [] : [hang([INDENT], hint)]),
  ];
}
