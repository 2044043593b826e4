import type { Exchange } from '../wire/exchange/types.js';

/** First letter of the id of an own suite's exchange; the kit's suites use `x`. */
const LETTER = 'o';

/** Returns the id of an own suite's exchange, from 1. */
export const ownId = (number: number): string => `${LETTER}${number}`;

/** Such exchanges judge nothing of the interface. */
export const isOwn = ({ id }: Pick<Exchange, 'id'>): boolean => id.startsWith(LETTER);
