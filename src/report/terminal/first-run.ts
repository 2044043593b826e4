import { sum } from '../../base/kernel/format.js';
import type { LogHeader } from '../../log/record.js';
import { LOUD } from '../../outcome/words/outcomes.js';
import { EMBEDDED } from '../../wire/targets/load-target.js';
import { AMOUNTS } from '../amounts.js';
import type { PartView } from '../run-document.js';
import type { Line } from './lines.js';
import type { Look } from './look.js';
import type { Depth } from './part-lines.js';

const MOST = AMOUNTS.terminal.firstRun;

/** Is true for a run of the sample server: a reader's first, or one that tries the kit out. */
export const isFirstRun = ({ target }: Pick<LogHeader, 'target'>): boolean => target.name === EMBEDDED;

export interface Form {
  readonly depth: Depth;
  readonly shows: (part: PartView) => boolean;
  /** Faults in the list at the end; undefined for all, and all else. */
  readonly faults: number | undefined;
}

const always = (): boolean => true;
const isLoud = ({ rows }: PartView): boolean => rows.some(({ outcome }) => LOUD.has(outcome));

export const WHOLE: Form = { depth: 'full', shows: always, faults: undefined };

/** From the whole to the least. What failed stays longest: the report has the rest. */
const FORMS: readonly Form[] = [
  WHOLE,
  { depth: 'brief', shows: always, faults: Infinity },
  { depth: 'brief', shows: isLoud, faults: MOST.faults },
  { depth: 'counted', shows: always, faults: MOST.faults },
  { depth: 'counted', shows: isLoud, faults: MOST.faults },
  { depth: 'counted', shows: () => false, faults: MOST.faults },
  { depth: 'counted', shows: () => false, faults: 1 },
];

/**
 * Returns the end of a first run in the longest form for which there is room.
 *
 * @param printed lines before it
 */
export function firstRunLines(
  inForm: (form: Form) => readonly Line[],
  printed: number,
  look: Look,
): readonly Line[] {
  const forms = FORMS.map((form) => (form === WHOLE ? inForm(form) : inForm(form).map(cutAsOnScreen)));
  return firstWithin(forms, MOST.lines - printed, look);
}

const DEPTHS = ['full', 'brief', 'counted'] as const;

/** Lines of waits, of the parts that are still to come, and of the end in its shortest form. */
const REST = 26;

/** Returns a part that a screen shows while the first run goes on, as deep as there is room for. */
export const firstRunPart = (
  atDepth: (depth: Depth) => readonly Line[],
  printed: number,
  look: Look,
): readonly Line[] => firstWithin(DEPTHS.map(atDepth), MOST.lines - REST - printed, look);

export const heightOf = (lines: readonly Line[], look: Look): number => sum(lines, (one) => one(look).length);

const firstWithin = (forms: readonly (readonly Line[])[], room: number, look: Look): readonly Line[] =>
  forms.find((lines) => heightOf(lines, look) <= room) ?? forms.at(-1) ?? [];

/** A file cuts no text, which a counted number of lines has no room for. */
const cutAsOnScreen =
  (one: Line): Line =>
  (look) =>
    one({ ...look, isScreen: true });
