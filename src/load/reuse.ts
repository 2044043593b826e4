/** Rest before the second request on a connection, ms: a server that closes after each response has done so by then. */
export const REST_MS = 25;

/** Ends that show a habit: one may be an accident. A creation cannot be repeated, so it does not risk a second. */
const MOST_DEATHS = { safe: 3, unsafe: 1 } as const;

/** Kept connections per silent end that make reuse worthwhile: a server that ends more gets fresh ones. */
const KEPT_FOR_EACH_DEATH = 100;

export type Reuse = ReturnType<typeof newReuse>;

/**
 * Learns whether a server keeps connections open after a response, for all senders of a run. Until a response over a used connection, one at a time tries it; others use fresh ones. A
 * server may close a connection at any time, without notice (RFC 9112, 9.5).
 * @param singly true if no connection may be used twice
 */
export function newReuse(singly = false) {
  let [kept, deaths] = [0, 0];
  let isTried = false;
  const isRisky = (most: number): boolean => deaths >= most && kept < deaths * KEPT_FOR_EACH_DEATH;
  return {
    /**
     * Chooses the next request's connection: the same, the same after `REST_MS` without an end, or a fresh one.
     * @param isSafe true if the request changes nothing (RFC 9110, 9.2.1)
     */
    next(isSafe: boolean): 'same' | 'after a rest' | 'fresh' {
      if (singly || isRisky(isSafe ? MOST_DEATHS.safe : MOST_DEATHS.unsafe)) return 'fresh';
      if (kept > 0) return 'same';
      if (isTried) return 'fresh';
      isTried = true;
      return 'after a rest';
    },
    /** Notes a response over a used connection. */
    kept(): void {
      kept += 1;
      isTried = false;
    },
    /** Notes that a used connection ended silently: at rest, or before any byte of a response. */
    died(): void {
      deaths += 1;
      isTried = false;
    },
    /** Notes that a trial connection gave no result. */
    leftOpen(): void {
      isTried = false;
    },
    /** True if connections ended so often that each request gets its own. */
    get isSingle(): boolean {
      return isRisky(MOST_DEATHS.safe);
    },
  };
}
