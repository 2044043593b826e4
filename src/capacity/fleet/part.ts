import type { RunLog } from '../../log/run-log.js';
import { parseSlice, type Slice } from '../../scenario/slice.js';

/** One part of a run: the log that it left, and what it is called in reports (its folder, or its agent). */
export interface Part {
  readonly name: string;
  readonly log: RunLog;
}

/** Which part of how many a log is; null for what is no part of a load run. A part that could not start says it in its header. */
export function sliceIn({ header, capacity }: RunLog): Slice | null {
  const slice = capacity?.scenario.slice ?? parseSlice(header.scope.selection?.part ?? '');
  return slice !== null && slice.count > 1 ? slice : null;
}

/** What all parts of one run have in common: what it is called, and its value; undefined where a part that did not start cannot know it. */
export type Marks = readonly (readonly [what: string, value: string | undefined])[];

/** What makes logs parts of one run: of which kind of run, which part one is (null for none), and what all have in common. */
export interface PartKind {
  readonly of: string;
  readonly sliceIn: (log: RunLog) => Slice | null;
  readonly marksOf: (log: RunLog) => Marks;
}

/** The parts of a load run, as `load --slice` leaves them. */
const OF_LOAD: PartKind = { of: 'a load run', sliceIn, marksOf };

function marksOf(log: RunLog): Marks {
  const { header, capacity } = log;
  const begins = capacity?.scenario.together?.beginsAt;
  return [
    ['its scenario is', header.scope.selection?.scenario],
    ['its scenario reads', capacity ? JSON.stringify(capacity.scenario.scenario) : undefined],
    ['its run has parts:', String(sliceIn(log)?.count)],
    ['it was sent to', header.target.baseUrl],
    ['it was to begin at', begins === undefined ? undefined : new Date(begins).toISOString()],
    ['it is of the kit', header.kit.version],
    ['its interface is', `${header.contract}${header.ledger}`],
    ['its writes are', header.scope.writes ? 'on' : 'off'],
  ];
}

/** In what two parts differ that all parts of one run have in common, in words that go on from the first one's name; null where in nothing. */
function differenceOf(one: Marks, other: Marks): string | null {
  const at = one.findIndex(([, value], place) => {
    const theirs = other[place]?.[1];
    return value !== undefined && theirs !== undefined && value !== theirs;
  });
  const [what, value] = one[at] ?? [];
  if (what === undefined) return null;
  // A whole scenario or a digest tells a reader nothing.
  return (value ?? '').length > 60 ? `${what} another` : `${what} ${value}, and the others’ ${other[at]?.[1]}`;
}

/** The parts of one run, by their place, and what does not belong to them, as sentences without a full stop. */
export interface SortedParts {
  /** The part that the others were held against: one that agrees with the most. */
  readonly reference: Part | null;
  readonly count: number;
  readonly byIndex: ReadonlyMap<number, Part>;
  readonly problems: readonly string[];
}

/** Sorts what was given as the parts of one run: which are there twice, or of another run. Pure. */
export function sortParts(
  given: readonly Part[],
  { of, sliceIn: place, marksOf: markedBy }: PartKind = OF_LOAD,
): SortedParts {
  const marks = new Map(given.map((part) => [part, markedBy(part.log)] as const));
  const parts = given.filter(({ log }) => place(log) !== null);
  const against = (part: Part, other: Part): string | null =>
    differenceOf(marks.get(part) ?? [], marks.get(other) ?? []);
  const agreeing = (part: Part): number => parts.filter((other) => against(part, other) === null).length;
  const reference =
    parts.reduce<Part | null>((best, part) => (best && agreeing(best) >= agreeing(part) ? best : part), null) ?? null;
  const problems = given.filter((part) => !parts.includes(part)).map(({ name }) => `${name} is no part of ${of}`);
  const byIndex = new Map<number, Part>();
  for (const part of parts) {
    const difference = reference && against(part, reference);
    const index = place(part.log)?.index ?? 0;
    const before = byIndex.get(index);
    if (difference !== null) problems.push(`${part.name} is of another run: ${difference}`);
    else if (before) problems.push(`part ${index + 1} is there twice: ${before.name} and ${part.name}`);
    else byIndex.set(index, part);
  }
  return { reference, count: reference ? (place(reference.log)?.count ?? 0) : 0, byIndex, problems };
}
