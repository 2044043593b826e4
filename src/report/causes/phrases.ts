import type { LikelyCause } from './likely.js';

/** Returns only the titles of a likely cause, for small spaces. */
export const causeTitles = ({ flaws }: LikelyCause): string =>
  flaws.map(({ title }) => title.replace(/\.$/, '')).join('; or: ');

/** Returns a likely cause in a line, “A 404 has no rate headers (no-rate-headers-on-404)”, or several that look alike. */
export const causeAlone = ({ flaws }: LikelyCause): string =>
  flaws.map(({ name, title }) => `${title.replace(/\.$/, '')} (${name})`).join('; or: ');
