import type { KeyName } from '../limits/series.js';
import type { Field } from './field.js';

/** A person reads no faster, and the log stays small. */
const EVERY_MS = 500;

/** Says how far a profile is, from time to time; `text` is asked for only when it is said. */
export function progressEvery(field: Field, profile: string, key: KeyName, text: () => string): () => void {
  let last = field.now();
  return () => {
    if (field.now() - last < EVERY_MS) return;
    last = field.now();
    field.progress(profile, key, text());
  };
}
