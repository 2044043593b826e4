import type { LogHeader } from '../log/record.js';
import type { DetailedCost } from '../run/cost.js';
import type { Doubt } from '../run/preflight.js';
import type { Examination, KeyLook } from '../run/examine.js';
import { count, counted, duration } from '../format/format.js';
import type { Outcome } from '../verdict/verdict.js';
import { BLANK, flow, hang, line, span, TONES, type Line, type Span, type Tone } from './lines.js';
import type { Look } from './look.js';
import { headerLines, skew } from './opening.js';

/** Data shown in addition to an examination. */
export interface Told {
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

const plain = (label: string, tone: Tone = 'quiet'): readonly Span[] => [span(label.padEnd(LABEL_WIDTH), tone)];

const lead = (outcome: Outcome, label: string, { glyphs }: Look): readonly Span[] => [
  span(`${glyphs[outcome]} `, TONES[outcome]),
  span(label.padEnd(LABEL_WIDTH - 2)),
];

/** Is true if a run can start, and the target accepts every given key. */
export const isReady = ({ looks }: Examination): boolean => looks.every(({ found }) => found.ok);

/** Formats the output of `doctor`: the server, each key, the estimate of a run, and for each doubt a hint. */
export function doctorLines({ header, examination, reach, without, next }: Told, look: Look): Line[] {
  const { looks, cost } = examination;
  const [own] = looks;
  const answers = own !== undefined && (own.found.ok || looks.length > 1);
  return [
    ...headerLines(header, look),
    BLANK,
    ...(answers ? [...serverLines(own, look), ...looks.flatMap((one) => keyLines(one, one !== own, look))] : []),
    ...(answers && without.length > 0
      ? hang(lead('not-applicable', 'no key', look), `${without.join(', ')}: not tested`, look, 'quiet')
      : []),
    ...(cost && reach ? [BLANK, ...costLines(cost, reach, header.scope.suiteKey, look)] : []),
    ...(answers ? [BLANK] : []),
    ...closing(looks, next, look),
  ];
}

function serverLines({ found }: KeyLook, look: Look): Line[] {
  if (!found.ok) return [];
  const { reachableMs, clockSkewMs, animals, animalsComplete } = found.facts;
  const facts = [
    span(`in ${duration(reachableMs)}`),
    ...(clockSkewMs === null ? [] : [span(skew(clockSkewMs))]),
    ...(animals === null ? [] : [span(`${animalsComplete ? '' : 'at least '}${counted(animals, 'animal')}`)]),
  ];
  return [...flow(lead('passed', 'reachable', look), facts, look), ...doubtLines(found.doubts, look)];
}

function keyLines({ key, found }: KeyLook, withDoubts: boolean, look: Look): Line[] {
  if (!found.ok)
    return [
      ...hang(lead('failed', key, look), `${found.obstacle.short}.`, look),
      ...hang([INDENT], found.obstacle.hint, look),
    ];
  const { keyAccepted, limitSeen } = found.facts;
  const said = keyAccepted ? 'key accepted' : 'key not refused';
  // Doubts of the suites' key are about the server, and shown there.
  return [
    ...hang(lead('passed', key, look), `${said}${limitSeen === null ? '' : `, limit ${limitSeen}`}`, look),
    ...(withDoubts ? doubtLines(found.doubts, look) : []),
  ];
}

const doubtLines = (doubts: readonly Doubt[], look: Look): Line[] =>
  doubts.flatMap(({ text, hint }) => [
    ...hang([INDENT, span(`${look.glyphs.warned} `, 'warn')], `${text}.`, look),
    ...hang([INDENT, span('  ')], hint, look, 'quiet'),
  ]);

function costLines(
  { suites, load, seconds }: DetailedCost,
  { judged, all }: NonNullable<Told['reach']>,
  suiteKey: string,
  look: Look,
): Line[] {
  const certain = load?.profiles.filter(({ ifNeeded }) => !ifNeeded) ?? [];
  const byKey = new Map<string, { suites: number; load: number }>();
  const add = (key: string, part: 'suites' | 'load', requests: number): void => {
    const before = byKey.get(key) ?? { suites: 0, load: 0 };
    byKey.set(key, { ...before, [part]: before[part] + requests });
  };
  if (suites) add(suiteKey, 'suites', suites.withKey);
  for (const { key, requests } of certain) add(key, 'load', requests);
  if (suites) add('without a key', 'suites', suites.withoutKey);
  const rows = [...byKey].map(([key, sent]) =>
    [key.padEnd(14), ...[sent.suites, sent.load].map((one) => (one === 0 ? '' : count(one)).padStart(8))].join(''),
  );
  const reasons = new Set(load?.findings.flatMap((finding) => ('reason' in finding ? [finding.reason.text] : [])));
  return [
    ...hang(plain('would judge'), `up to ${count(judged)} of ${counted(all, 'requirement')}`, look),
    line(...plain('would send'), span(`${''.padEnd(14)}  suites    load`, 'quiet')),
    ...rows.map((text) => line(INDENT, span(text))),
    ...hang(plain('would take'), `about ${duration(seconds * 1_000)}`, look),
    ...[...reasons].flatMap((text, at) => hang(at === 0 ? plain('left out') : [INDENT], text, look, 'quiet')),
  ];
}

function closing(looks: readonly KeyLook[], next: string, look: Look): Line[] {
  const refused = looks.map(({ found }) => found).find((found) => !found.ok);
  if (!refused)
    return [
      line(...plain('READY', 'good'), span('a run can start')),
      { ...line(...plain('next'), span(next)), whole: true },
    ];
  const { message, hint } = refused.obstacle;
  return [
    ...hang(plain('NOT READY', 'bad'), message, look),
    // The line of its key has the hint already.
    ...(looks.length > 1 ? [] : hang([INDENT], hint, look)),
  ];
}
