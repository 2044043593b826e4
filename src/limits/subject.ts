import type { KeyName } from '../contract/names.js';

/** Returns the key as the subject of a sentence. */
export const subject = (key: KeyName): string => (key === 'sacrificial' ? 'The sacrificial key' : `The ${key} plan`);

/** Returns the key as a heading: “Pro”. */
export const title = (key: KeyName): string => key.charAt(0).toUpperCase() + key.slice(1);
