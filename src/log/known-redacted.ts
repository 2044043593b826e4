import type { Redacted } from '../exchange/redact.js';

/** Says of a value that it has been redacted: for the journal, once it has done so, and for who reads what a journal wrote. */
export const knownRedacted = <T>(value: T): Redacted<T> => value as Redacted<T>;
