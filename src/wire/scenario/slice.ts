import { arrivalsOf, type PlacedPhase } from './schedule.js';

/**
 * Share of a scenario that one worker or agent sends: every `count`th arrival, from `index`. The whole is
 * slice 0 of 1.
 */
export interface Slice {
  readonly index: number;
  readonly count: number;
}

export const WHOLE: Slice = { index: 0, count: 1 };

export const placesOf = ({ index, count }: Slice, places: number): number =>
  Math.max(0, Math.ceil((places - index) / count));

/** Returns a slice's place in the whole: slices interleave, so that their sum is the schedule. */
const placeInWhole = ({ index, count }: Slice, place: number): number => place * count + index;

/**
 * Returns the keys of a slice, in order of turns. With as many keys as slices, each key belongs to one slice.
 * Then, and if the number of slices is a multiple of the number of keys, all slices together use them like
 * the whole.
 */
export const keysOfSlice = <Key>({ index, count }: Slice, keys: readonly Key[]): readonly Key[] =>
  keys.length >= count
    ? keys.filter((_, at) => at % count === index)
    : keys.filter((_, at) => at === index % keys.length);

export const sharesKeys = ({ count }: Slice, keys: number): boolean => keys < count;

/** Returns a slice's arrivals of an open phase; closed ones have none in advance. Pure, computed on demand. */
export function arrivalsOfSlice<Key>(
  slice: Slice,
  keys: readonly [Key, ...Key[]],
  { phase, startMs, before, count }: PlacedPhase,
) {
  if (phase.kind === 'closed' || count === null)
    return { count: 0, at: () => ({ atMs: 0, nth: 0, key: keys[0] }) };
  const { at } = arrivalsOf(phase);
  return {
    count: placesOf(slice, count),
    /** Returns an arrival's time in ms from the start of the run, its place in the whole, and its key. */
    at: (place: number) => {
      const whole = placeInWhole(slice, place);
      return { atMs: startMs + at(whole), nth: before + whole, key: keys[place % keys.length] ?? keys[0] };
    },
  };
}
