import { inspect } from 'node:util';

/** Replacement for a key in output: the name of its shell variable. */
export const KEY_PLACEHOLDER = '$PETSTORE_KEY';

/** A key that shows itself only when asked to: printing, joining or serialising it gives the placeholder. */
export interface Secret {
  /** The key itself, to be sent and to be redacted; for nothing else. */
  readonly reveal: () => string;
  readonly toString: () => string;
  readonly toJSON: () => string;
}

const placeholder = (): string => KEY_PLACEHOLDER;

const known = new Set<string>();

/** All keys that this process was given, in clear: for the door through which everything printed goes, and for nothing else. */
export const knownKeys = (): Iterable<string> => known;

/** Takes a key out of those: a command prints it because that is its purpose. */
export const published = (key: string): void => void known.delete(key);

/** Wraps a key. The text lives in a closure, so that no inspection of the object finds it. */
export function secret(key: string): Secret {
  known.add(key);
  return Object.freeze({
    reveal: () => key,
    toString: placeholder,
    toJSON: placeholder,
    [inspect.custom]: placeholder,
  });
}
