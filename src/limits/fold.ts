import type { Sample } from './sample.js';

/**
 * Something that is learnt of samples one after the other, in the order of sending. A state is a value, and its size does
 * not grow with the number of samples: what a day holds is judged without being held.
 */
export interface Fold<State> {
  readonly none: State;
  readonly with: (state: State, sample: Sample) => State;
}

/** What a fold knows after samples; `from` is what it knew before them. */
export function folded<State>(fold: Fold<State>, samples: Iterable<Sample>, from: State = fold.none): State {
  let state = from;
  for (const sample of samples) state = fold.with(state, sample);
  return state;
}
