import { inspect } from 'node:util';
import { placeholder } from '../exchange/key-forms.js';

/** A key that is hidden by default: printing, joining or serialising it gives the placeholder. */
export interface Secret {
  /** Returns the key, only for sending and redacting. */
  readonly reveal: () => string;
  readonly toString: () => string;
  readonly toJSON: () => string;
}

const hidden = (): string => placeholder('whole');

const known = new Set<string>();

/** Returns all keys of this process in clear, only for redacting its output. */
export const knownKeys = (): Iterable<string> => known;

/** Removes a key from those: a command prints it on purpose. */
export const published = (key: string): void => void known.delete(key);

/** Wraps a key in a closure, so no inspection of the object finds it. */
export function secret(key: string): Secret {
  known.add(key);
  return Object.freeze({
    reveal: () => key,
    toString: hidden,
    toJSON: hidden,
    [inspect.custom]: hidden,
  });
}
