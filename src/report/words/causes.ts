import type { LikelyCause } from '../causes/likely.js';
import { listed } from '../../format/format.js';

/** A likely cause in a line, e.g. “A 404 has no rate headers (no-rate-headers-on-404): rate-headers-present”. */
export const causeWords = (cause: LikelyCause): string => `${causeAlone(cause)}: ${listed(cause.rows)}`;

/** The same without the requirements that it explains; what cannot be told apart stands side by side. */
export const causeAlone = ({ flaws }: LikelyCause): string =>
  flaws.map(({ name, title }) => `${title.replace(/\.$/, '')} (${name})`).join('; or: ');
