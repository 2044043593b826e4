import type { Redacted } from '../exchange/redact.js';

/** Marks a value as redacted: for the journal after redaction, and for readers of a journal. */
export const knownRedacted = <T>(value: T): Redacted<T> => value as Redacted<T>;
