/**
 * Rest before the second request on a connection, ms: a server that closes after each response has done so by
 * then.
 */
export const REST_MS = 25;

/**
 * Ends that show a habit: one may be an accident. A creation cannot be repeated, so it does not risk a
 * second.
 */
const MOST_ENDS = { safe: 2, unsafe: 1 } as const;

/** Kept connections per silent end that make reuse worthwhile: a server that ends more gets fresh ones. */
const KEPT_FOR_EACH_END = 100;

/** Facts about a server's connections, to hand over between senders and processes of one run. */
export interface LearntReuse {
  /** Number of connections that broke under a request that reused them. */
  readonly deaths: number;
  /** Number of connections that the server closed soon after a response, without `Connection: close`. */
  readonly closings: number;
}

export type ConnectionReuse = ReturnType<typeof newConnectionReuse>;

/**
 * Learns whether a server keeps connections open after a response. All senders of a process share one. A
 * server may close a connection at any time, without notice (RFC 9112, 9.5). Until a response over a used
 * connection, one at a time tries it.
 *
 * @param learnt facts that other senders of the run learned before
 * @param singly true if no connection may be used twice
 */
export function newConnectionReuse(learnt: LearntReuse = { deaths: 0, closings: 0 }, singly = false) {
  let { deaths, closings } = learnt;
  let kept = 0;
  let isForbidden = singly;
  let isTried = false;
  const isRisky = (isSafe: boolean): boolean => {
    // A close at rest costs a safe request nothing if other connections stay open: some servers close after refusals.
    const ends = isSafe && kept > 0 ? deaths : deaths + closings;
    return ends >= (isSafe ? MOST_ENDS.safe : MOST_ENDS.unsafe) && kept < ends * KEPT_FOR_EACH_END;
  };
  return {
    /**
     * True if a request may use a connection without a rest. A creation needs proof that the server keeps
     * connections open.
     */
    allows: (isSafe: boolean): boolean => !isForbidden && !isRisky(isSafe) && (isSafe || kept > 0),
    /**
     * Chooses the next request's connection: the same, the same after `REST_MS` without an end, or a fresh
     * one.
     *
     * @param isSafe true if the request changes nothing (RFC 9110, 9.2.1)
     */
    next(isSafe: boolean): 'same' | 'after a rest' | 'fresh' {
      if (isForbidden || isRisky(isSafe)) return 'fresh';
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
    /** Notes that a used connection ended before any byte of a response. */
    died(): void {
      deaths += 1;
      isTried = false;
    },
    /** Notes that the server closed a connection at rest, soon after a response and without notice. */
    closed(): void {
      closings += 1;
      isTried = false;
    },
    /** Notes that a trial connection gave no result. */
    leftOpen(): void {
      isTried = false;
    },
    /** Forbids reuse, because bytes came that belong to no response. */
    forbid(): void {
      isForbidden = true;
    },
    get isForbidden(): boolean {
      return isForbidden;
    },
    /** True if each request gets its own connection. */
    get isSingle(): boolean {
      return isForbidden || isRisky(true);
    },
    learnt: (): LearntReuse => ({ deaths, closings }),
  };
}
