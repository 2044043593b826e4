import { operationNames } from '../../base/interface/names.js';
import type { OperationName } from '../../base/interface/types.js';
import type { Blocks, CapacityResults, PhaseResult } from '../../loadkit/capacity-shape.js';
import { LEAST_COMPARED_SECONDS } from '../../loadkit/blocks.js';
import { duration, grouped, listedUpTo, percentOf, percentRange } from '../../base/kernel/format.js';
import { subjectName, subjectOf, type Subject } from '../../loadkit/subjects.js';
import { differenceOf, type Difference } from './difference.js';

/** Figures that runs are compared by. For a throughput, less is slower. */
const SPEEDS = ['p50', 'p95', 'p99', 'throughput'] as const;
export type Speed = (typeof SPEEDS)[number];

/** Share of comparisons of equal runs in which any figure may be called different. */
const ALPHA = 0.05;

/** Difference that has to be ruled out before a figure is called the same, where no rule asks for another. */
export const ASKED_SIZE = 0.2;

/** Longest advised phase: a longer one says only that these runs are too unsteady, s. */
const LONGEST_ADVICE = 86_400;

/** Most subjects of one answer that a sentence names. */
const MOST_NAMED = 3;

/** A comparison that could not even have shown a doubling says nothing. */
const MOST_SHOWN = 1;

/**
 * What is compared: a phase, an operation or a journey in it, or a step of a journey. Phase and journey have
 * no operation.
 */
export interface SpeedSubject extends Subject<OperationName | null> {
  readonly phase: string;
}

/** Whether its subject got slower. Shares of the earlier runs: 0.09 is 9 % slower; negative is faster. */
export interface SpeedChange extends SpeedSubject {
  /** null where nothing is known of any figure. */
  readonly figure: Speed | null;
  readonly answer: 'slower' | 'faster' | 'same' | 'unknown';
  /** Interval of the slowdown; null where unknown. */
  readonly low: number | null;
  readonly high: number | null;
  /** Smallest slowdown that these runs would have shown in 9 of 10 cases; null where unknown. */
  readonly shown: number | null;
  readonly words: string;
}

export interface Compared {
  readonly before: readonly CapacityResults[];
  readonly after: CapacityResults;
  /** True if what was sent differs. */
  readonly scenariosDiffer: boolean;
}

type Comparable = SpeedSubject &
  ({ readonly why: string } | { readonly before: readonly Blocks[]; readonly after: Blocks });

/**
 * Returns for each shared phase and operation whether it got slower, with intervals, or why that is unknown.
 * Each figure has one interval, which tables, sentences and rules show. Pure.
 *
 * @param rules the differences that are asked for
 */
export function speedChanges(compared: Compared, rules: readonly SlowerRule[] = []): readonly SpeedChange[] {
  const subjects = subjectsOf(compared);
  return subjects.flatMap((subject) => {
    const asked = (figure: Speed): number => {
      const bounds = rules
        .filter((rule) => rule.figure === figure && isAbout(rule, subject, compared.after))
        .map(({ most }) => most);
      return bounds.length > 0 ? Math.min(...bounds) : ASKED_SIZE;
    };
    return changesOf(subject, levelFor(subject, subjects), asked);
  });
}

/**
 * All intervals of a comparison hold together, so each has to be wider (Bonferroni). Whole phases are what is
 * asked first, so they have half of the share, however many parts there are.
 */
function levelFor(subject: Comparable, subjects: readonly Comparable[]): number {
  const known = subjects.filter((other) => !('why' in other));
  const alike = known.filter((other) => isWhole(other) === isWhole(subject));
  const share = alike.length === known.length ? ALPHA : ALPHA / 2;
  return share / Math.max(1, SPEEDS.length * alike.length);
}

const isWhole = (subject: SpeedSubject): boolean => subjectName(subject) === '';

function subjectsOf({ before, after, scenariosDiffer }: Compared): readonly Comparable[] {
  return after.phases.flatMap((now): readonly Comparable[] => {
    const then = before.flatMap(({ phases }) => phases.find(({ name }) => name === now.name) ?? []);
    if (then.length < before.length) return [];
    const phase = now.name;
    const why = scenariosDiffer
      ? 'the scenarios differ'
      : (whyOther(before, after) ?? whyUnknown([...then, now]));
    if (why !== null) return [{ phase, operation: null, why }];
    return subjectsIn(now).flatMap(({ resultIn, ...subject }): readonly Comparable[] => {
      const own = resultIn(now)?.blocks;
      const others = then.flatMap((each) => resultIn(each)?.blocks ?? []);
      return own && others.length === then.length ? [{ ...subject, before: others, after: own }] : [];
    });
  });
}

type SubjectResult = Pick<PhaseResult, 'latencyMs' | 'blocks'>;

/**
 * Returns what can be compared in a phase: itself, its operations, its journeys and their steps, and where
 * their figures are.
 */
export const subjectsIn = ({ name: phase, operations, journeys = [] }: PhaseResult) => [
  { phase, operation: null, resultIn: (of: PhaseResult): SubjectResult | undefined => of },
  ...operations.map(({ operation }) => ({
    phase,
    operation,
    resultIn: (of: PhaseResult) => of.operations.find((each) => each.operation === operation),
  })),
  ...journeys.flatMap(({ journey, steps }) => {
    const journeyIn = (of: PhaseResult) => of.journeys?.find((each) => each.journey === journey);
    return [
      { phase, operation: null, journey, resultIn: journeyIn },
      ...steps.map(({ operation }, place) => ({
        phase,
        operation,
        journey,
        step: place + 1,
        resultIn: (of: PhaseResult) => journeyIn(of)?.steps[place],
      })),
    ];
  }),
];

function whyOther(before: readonly CapacityResults[], after: CapacityResults): string | null {
  const { machine } = after.generator;
  const other = before
    .map(({ generator }) => generator.machine)
    .find((each) => each !== undefined && each !== machine);
  return machine === undefined || other === undefined
    ? null
    : `another machine sent the load: ${other} before, ${machine} now`;
}

function whyUnknown(phases: readonly PhaseResult[]): string | null {
  if (phases.some(({ saturated, exhausted }) => saturated || exhausted))
    return 'the generator was the bottleneck';
  if (phases.every(({ blocks }) => blocks)) return null;
  return phases.every(({ whole }) => whole)
    ? `a phase needs ${LEAST_COMPARED_SECONDS} s at one rate for that`
    : 'a run was cut short';
}

/** @param asked difference that has to be ruled out, as a share */
function changesOf(
  subject: Comparable,
  alpha: number,
  asked: (figure: Speed) => number,
): readonly SpeedChange[] {
  const named = { phase: subject.phase, ...subjectOf(subject) };
  const unknown = (figure: Speed | null, why: string): SpeedChange => {
    const none = { low: null, high: null, shown: null };
    return { ...named, figure, answer: 'unknown', ...none, words: `cannot tell: ${why}` };
  };
  if ('why' in subject) return [unknown(null, subject.why)];
  const { before, after } = subject;
  const seconds = Math.min(...[...before, after].map((blocks) => blocks.seconds * blocks.throughput.length));
  return SPEEDS.map((figure): SpeedChange => {
    const earlier = before.map((blocks) => blocks[figure] ?? []);
    const found = differenceOf(earlier, after[figure] ?? [], alpha);
    if (found === null) return unknown(figure, 'too few responses');
    const { low, high } = figure === 'throughput' ? lessIsSlower(found) : found;
    const change = { ...named, figure, low, high, shown: found.shown };
    if (low > 0 || high < 0) {
      const answer = low > 0 ? ('slower' as const) : ('faster' as const);
      return { ...change, answer, words: `${percentRange(low, high)} % ${answer}` };
    }
    const size = asked(figure);
    const more = neededFor(size, low, high, seconds);
    if (found.shown > MOST_SHOWN) return unknown(figure, `${UNSTEADY}; ${more}`);
    if (high > size)
      return { ...change, answer: 'unknown', words: `cannot tell: ${spanning(low, high)}; ${more}` };
    if (Math.log1p(low) < -Math.log1p(size))
      return { ...change, answer: 'same', words: `not slower; ${spanning(low, high)}` };
    const could = `${duration(seconds * 1000)} could have shown ${percentOf(found.shown)} %`;
    return { ...change, answer: 'same', words: `no difference; ${could}` };
  });
}

const UNSTEADY = 'it varied so much within the runs that not even twice as slow would show';

/** Says how long a phase has to last for an interval that distinguishes no difference from one of a size. */
function neededFor(size: number, low: number, high: number, seconds: number): string {
  // An interval narrower than the size holds only one of the two; it narrows with the root of the time.
  const needed = seconds * ((Math.log1p(high) - Math.log1p(low)) / Math.log1p(size)) ** 2;
  const time = needed > LONGEST_ADVICE ? 'not even a day' : duration(Math.ceil(needed / 10) * 10_000);
  return `${time} would show ${percentOf(size)} %`;
}

/** Formats an interval that holds no difference. */
const spanning = (low: number, high: number): string =>
  `${percentOf(low)} % faster to ${percentOf(high)} % slower`;

/** Half the throughput is 100 % slower: each response takes twice as long. */
const lessIsSlower = ({ low, high }: Difference) => ({ low: 1 / (1 + high) - 1, high: 1 / (1 + low) - 1 });

/** Names a subject within its phase, a step with its operation. */
export const partText = (subject: SpeedSubject): string =>
  subject.step === undefined ? subjectName(subject) : `${subjectName(subject)}, ${subject.operation}`;

export function subjectText(subject: SpeedSubject): string {
  const part = partText(subject);
  return part === '' ? subject.phase : `${part} in ${subject.phase}`;
}

export interface SlowerRule {
  /** An operation, `journey adopt` or `step 2 of adopt`; empty for phases as wholes. */
  readonly part: string;
  readonly figure: Speed;
  /** Largest slowdown, as a share. */
  readonly most: number;
  readonly text: string;
}

const RULE = /^(.*?)(\w+) slower than (\d+(?:\.\d+)?) ?%$/;
const PART = new RegExp(`^(?:|${operationNames.join('|')}|journey \\S+|step \\d+ of \\S+)$`);

/**
 * Parses `p99 slower than 5%`, also with a part before it: `getPet p99 slower than 5%`; null if it is none.
 * Pure.
 */
export function parseSlower(text: string): SlowerRule | null {
  const [, before = '', name, bound] = RULE.exec(text.trim().replaceAll(/\s+/g, ' ')) ?? [];
  const figure = SPEEDS.find((known) => known === name);
  const part = before.trim();
  if (figure === undefined || !PART.test(part)) return null;
  return { part, figure, most: Number(bound) / 100, text: text.trim() };
}

/**
 * Judges a rule for every phase, by the intervals of the comparison: `failed` if a slowdown is surely larger,
 * `kept` if it is surely not; otherwise `unknown`. Runs too short to rule a slowdown out are no reason to
 * pass. Pure.
 *
 * @param changes all of the comparison, from `speedChanges`
 */
export function judgeSlower(rule: SlowerRule, changes: readonly SpeedChange[], after: CapacityResults) {
  const own = changes.filter(
    (change) => (change.figure === null || change.figure === rule.figure) && isAbout(rule, change, after),
  );
  const failed = own.filter(({ low }) => low !== null && low > rule.most);
  const unknown = own.filter(({ high }) => high === null || high > rule.most);
  const outcome =
    failed.length > 0
      ? ('failed' as const)
      : unknown.length > 0 || own.length === 0
        ? ('unknown' as const)
        : ('kept' as const);
  const named = outcome === 'failed' ? failed : outcome === 'unknown' ? unknown : own;
  const alike = grouped(named, ({ words }) => words);
  const words = [...alike].map(([text, all]) => `${listedUpTo(all.map(subjectText), MOST_NAMED)}: ${text}`);
  const what = rule.part === '' ? 'phase' : `phase with ${rule.part}`;
  return { outcome, words: own.length === 0 ? `cannot tell: no ${what} is in all runs` : words.join('; ') };
}

/**
 * Returns whether a rule is about a subject. A phase that cannot be compared stands for all of its parts; one
 * of a single operation has no blocks of that operation, because they are its own.
 */
function isAbout(
  rule: SlowerRule,
  subject: SpeedSubject & { readonly figure?: Speed | null },
  after: CapacityResults,
): boolean {
  if (subjectName(subject) === rule.part || subject.figure === null) return true;
  const sent = after.phases.find(({ name }) => name === subject.phase)?.operations ?? [];
  return subjectName(subject) === '' && sent.length === 1 && sent[0]?.operation === rule.part;
}
