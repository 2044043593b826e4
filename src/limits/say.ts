import type { KeyName } from '../contract/names.js';

/** The key as the subject of a sentence. */
export const subject = (key: KeyName): string => (key === 'sacrificial' ? 'The sacrificial key' : `The ${key} plan`);

/** The key as a heading has it: “Pro”. */
export const title = (key: KeyName): string => key.charAt(0).toUpperCase() + key.slice(1);
