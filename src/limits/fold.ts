import type { Sample } from './sample.js';

/**
 * State learned from samples, one by one, in order of sending. A state is a value. Its size does not grow with the
 * samples, so a day's requests need not be kept.
 */
export interface Fold<State> {
  readonly none: State;
  readonly with: (state: State, sample: Sample) => State;
}

/** Returns the state after some samples. `from` is the state before them. */
export function folded<State>(fold: Fold<State>, samples: Iterable<Sample>, from: State = fold.none): State {
  let state = from;
  for (const sample of samples) state = fold.with(state, sample);
  return state;
}
