import { arrivalsOf, type PlacedPhase } from './schedule.js';

/** Which part of a scenario is sent here: every `count`th arrival, beginning with `index`. The whole is slice 0 of 1. */
export interface Slice {
  readonly index: number;
  readonly count: number;
}

/** All of it. */
export const WHOLE: Slice = { index: 0, count: 1 };

/** The most parts that a scenario is split into: beyond that, the machines are not the problem. */
const MOST_SLICES = 1000;

/** Reads `I/N`, I from 1 to N; null for what is none. Pure. */
export function parseSlice(text: string): Slice | null {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text.trim()) ?? [];
  const slice = { index: Number(index) - 1, count: Number(count) };
  return slice.index >= 0 && slice.index < slice.count && slice.count <= MOST_SLICES ? slice : null;
}

/** How many of so many places belong to a slice. */
export const placesOf = ({ index, count }: Slice, places: number): number =>
  Math.max(0, Math.ceil((places - index) / count));

/** The place in the whole of a slice's own place: slices interleave, so that their sum is the schedule itself. */
export const placeInWhole = ({ index, count }: Slice, place: number): number => place * count + index;

/**
 * The keys that a slice uses, in turn. Each belongs to one slice alone wherever there are as many keys as slices; then,
 * and where the slices divide the keys, the sum of all slices uses them as the whole would.
 */
export const keysOfSlice = <Key>({ index, count }: Slice, keys: readonly Key[]): readonly Key[] =>
  keys.length >= count
    ? keys.filter((_, at) => at % count === index)
    : keys.filter((_, at) => at === index % keys.length);

/** Whether some key would be used by two slices. */
export const sharesKeys = ({ count }: Slice, keys: number): boolean => keys < count;

/** An arrival as a slice sends it: when, in ms from the beginning of the run, its place in the whole, and its key. */
export interface SliceArrival<Key> {
  readonly atMs: number;
  readonly nth: number;
  readonly key: Key;
}

/** The arrivals of a phase of open loop that belong to a slice; of closed loop there are none beforehand. Pure, computed on demand. */
export function arrivalsOfSlice<Key>(
  slice: Slice,
  keys: readonly [Key, ...Key[]],
  { phase, startMs, before, count }: PlacedPhase,
): { readonly count: number; readonly at: (place: number) => SliceArrival<Key> } {
  if (phase.kind === 'closed' || count === null) return { count: 0, at: () => ({ atMs: 0, nth: 0, key: keys[0] }) };
  const { at } = arrivalsOf(phase);
  return {
    count: placesOf(slice, count),
    at(place) {
      const whole = placeInWhole(slice, place);
      return { atMs: startMs + at(whole), nth: before + whole, key: keys[place % keys.length] ?? keys[0] };
    },
  };
}
