import type { Exchange } from '../exchange/types.js';

/** The first letter of an own suite's exchange, as `x` is of the kit's suites. */
const LETTER = 'o';

/** The id of an own suites' exchange, from 1. */
export const ownId = (number: number): string => `${LETTER}${number}`;

/** Whether a test of an own suite sent it: then nothing of the interface is judged by it. */
export const isOwn = ({ id }: Pick<Exchange, 'id'>): boolean => id.startsWith(LETTER);
