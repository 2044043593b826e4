import type { LikelyCause } from './likely.js';

/** The titles of a likely cause alone, for where there is room for no more. */
export const causeTitles = ({ flaws }: LikelyCause): string =>
  flaws.map(({ title }) => title.replace(/\.$/, '')).join('; or: ');

/** A likely cause in a line, e.g. “A 404 has no rate headers (no-rate-headers-on-404)”; what cannot be told apart stands side by side. */
export const causeAlone = ({ flaws }: LikelyCause): string =>
  flaws.map(({ name, title }) => `${title.replace(/\.$/, '')} (${name})`).join('; or: ');
