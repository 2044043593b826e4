import type { KeyName } from '../contract/names.js';

/** Returns the key as the subject of a sentence. */
export const subject = (key: KeyName): string => (key === 'sacrificial' ? 'The sacrificial key' : `The ${key} plan`);
