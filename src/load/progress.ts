import type { ProfileName } from '../contract/profile-names.js';
import type { KeyName } from '../contract/plan-names.js';
import type { Lab } from './lab.js';

/** A person reads no faster, and the log stays small. */
const EVERY_MS = 500;

/** Says how far a profile is, from time to time; `text` is asked for only when it is said. */
export function progressEvery(lab: Lab, profile: ProfileName, key: KeyName, text: () => string): () => void {
  let last = lab.now();
  return () => {
    if (lab.now() - last < EVERY_MS) return;
    last = lab.now();
    lab.progress(profile, key, text());
  };
}
