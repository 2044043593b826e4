/** What is known of whether a server keeps a connection open after an answer. All senders of a run share it. */
export interface Reuse {
  /**
   * How the next request goes after an answer: over the same connection; over it once it has stayed open for `REST_MS`; or
   * over a fresh one.
   * @param isSafe whether the request changes nothing (RFC 9110, 9.2.1)
   */
  next(isSafe: boolean): 'same' | 'after a rest' | 'fresh';
  /** A request over a used connection was answered. */
  kept(): void;
  /** A used connection ended without a word: at rest, or before a byte of an answer came back. */
  died(): void;
  /** A connection that was to try it tells nothing. */
  leftOpen(): void;
  /** Whether connections ended so often that each request gets its own. */
  readonly isSingle: boolean;
}

/**
 * How long the first used connection is left alone before a second request goes over it, ms: the end of a connection that a
 * server closes after each answer follows the answer on the same way, so it comes within some ms.
 */
export const REST_MS = 25;

/** One such end may be an accident, and three of three are a habit. A creation, which cannot be repeated, does not risk a second. */
const MOST_DEATHS = { safe: 3, unsafe: 1 } as const;

/** A server that ends one of so many used connections is better asked over a fresh one each time. */
const KEPT_FOR_EACH_DEATH = 100;

/**
 * Nothing is known yet. Until a request over a used connection was answered, one at a time tries it; the others go over
 * fresh ones meanwhile. A server may close a connection at any time and need not announce it (RFC 9112, 9.5).
 * @param singly no connection is to be used twice, whatever the server does
 */
export function newReuse(singly = false): Reuse {
  let [kept, deaths] = [0, 0];
  let isTried = false;
  const isRisky = (most: number): boolean => deaths >= most && kept < deaths * KEPT_FOR_EACH_DEATH;
  return {
    next(isSafe) {
      if (singly || isRisky(isSafe ? MOST_DEATHS.safe : MOST_DEATHS.unsafe)) return 'fresh';
      if (kept > 0) return 'same';
      if (isTried) return 'fresh';
      isTried = true;
      return 'after a rest';
    },
    kept() {
      kept += 1;
      isTried = false;
    },
    died() {
      deaths += 1;
      isTried = false;
    },
    leftOpen() {
      isTried = false;
    },
    get isSingle() {
      return isRisky(MOST_DEATHS.safe);
    },
  };
}
