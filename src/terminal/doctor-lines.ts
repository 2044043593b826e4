import type { LogHeader } from '../log/record.js';
import type { DetailedCost } from '../run/cost.js';
import type { Doubt } from '../run/preflight.js';
import type { Examination, KeyLook } from '../run/examine.js';
import { count, counted, duration } from '../format/format.js';
import { BLANK, flow, hang, line, span, type Line, type Span, type Tone } from './lines.js';
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

/** Is true if a run can start, and the target accepts every given key. */
export const isReady = ({ looks }: Examination): boolean => looks.every(({ found }) => found.ok);

/** Formats the output of `doctor`: the server, each key, the estimate of a run, and for each doubt a hint. */
export function doctorLines(told: Told, look: Look): Line[] {
  const { header, examination, reach } = told;
  const { looks, cost } = examination;
  const [own] = looks;
  const answers = own !== undefined && (own.found.ok || looks.length > 1);
  return [
    ...headerLines(header, look),
    BLANK,
    ...(answers
      ? [...(own.found.ok ? serverLines(own, look) : []), ...looks.flatMap((one) => keyLines(one, one !== own, look))]
      : []),
    ...(answers && told.without.length > 0
      ? hang(lead(look, 'not-applicable', 'no key', 'quiet'), `${told.without.join(', ')}: not tested`, look, 'quiet')
      : []),
    ...(cost && reach ? [BLANK, ...costLines(cost, reach, header.scope.suiteKey, look)] : []),
    ...(answers ? [BLANK] : []),
    ...closing(told, look),
  ];
}

function serverLines({ found }: KeyLook, look: Look): Line[] {
  if (!found.ok) return [];
  const { reachableMs, clockSkewMs, animals, animalsComplete } = found.facts;
  const facts = [
    `in ${duration(reachableMs)}`,
    ...(clockSkewMs === null ? [] : [skew(clockSkewMs)]),
    ...(animals === null ? [] : [`${animalsComplete ? '' : 'at least '}${counted(animals, 'animal')}`]),
  ];
  return [
    ...flow(
      lead(look, 'passed', 'reachable', 'good'),
      facts.map((text) => span(text)),
      look,
    ),
    ...found.doubts.flatMap((doubt) => doubtLines(doubt, look)),
  ];
}

function keyLines({ key, found }: KeyLook, withDoubts: boolean, look: Look): Line[] {
  if (!found.ok)
    return [
      ...hang(lead(look, 'failed', key, 'bad'), `${found.obstacle.short}.`, look),
      ...hang(INDENT, found.obstacle.hint, look),
    ];
  const { keyAccepted, limitSeen } = found.facts;
  const said = keyAccepted ? 'key accepted' : 'key not refused';
  const limit = limitSeen === null ? '' : `, limit ${limitSeen}`;
  // Doubts of the suites' key are about the server, and shown there.
  return [
    ...hang(lead(look, 'passed', key, 'good'), `${said}${limit}`, look),
    ...(withDoubts ? found.doubts.flatMap((doubt) => doubtLines(doubt, look)) : []),
  ];
}

const doubtLines = ({ text, hint }: Doubt, look: Look): Line[] => [
  ...hang([span(INDENT_TEXT), span(`${look.glyphs.warned} `, 'warn')], `${text}.`, look),
  ...hang([span(`${INDENT_TEXT}  `)], hint, look, 'quiet'),
];

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
    ...rows.map((text) => line(...INDENT, span(text))),
    ...hang(plain('would take'), `about ${duration(seconds * 1_000)}`, look),
    ...[...reasons].flatMap((text, at) => hang(at === 0 ? plain('left out') : INDENT, text, look, 'quiet')),
  ];
}

function closing({ examination, next }: Told, look: Look): Line[] {
  const refused = examination.looks.filter(({ found }) => !found.ok);
  if (refused.length === 0)
    return [
      line(span('READY'.padEnd(LABEL_WIDTH), 'good'), span('a run can start')),
      { ...line(span('next'.padEnd(LABEL_WIDTH), 'quiet'), span(next)), whole: true },
    ];
  const [first] = refused;
  const { message, hint } = first && !first.found.ok ? first.found.obstacle : { message: '', hint: '' };
  return [
    ...hang([span('NOT READY'.padEnd(LABEL_WIDTH), 'bad')], message, look),
    // The line of its key has the hint already.
    ...(examination.looks.length > 1 ? [] : hang(INDENT, hint, look)),
  ];
}

const INDENT_TEXT = ' '.repeat(LABEL_WIDTH);
const INDENT: readonly Span[] = [span(INDENT_TEXT)];

const plain = (label: string): readonly Span[] => [span(label.padEnd(LABEL_WIDTH), 'quiet')];

const lead = (
  look: Look,
  glyph: 'passed' | 'failed' | 'not-applicable',
  label: string,
  tone: Tone,
): readonly Span[] => [span(`${look.glyphs[glyph]} `, tone), span(label.padEnd(LABEL_WIDTH - 2))];
