/** What a limiter would say to a request now. Times are Unix ms on the server's clock. */
export interface Look {
  readonly admits: boolean;
  /** Whole requests left. */
  readonly remaining: number;
  /** When the allowance is back, or begins to come back. */
  readonly resetAt: number;
  /** When a request is admitted again; now when one is admitted at once. */
  readonly retryAt: number;
}

/** The memory of one key in one window. */
export interface Limiter {
  readonly look: (now: number) => Look;
  /** Counts one admitted request. */
  readonly take: (now: number) => void;
  /** Is told of one refused request. */
  readonly refuse: (now: number) => void;
}

/** At most `limit` requests in `windowMs`. */
export interface Allowance {
  readonly limit: number;
  readonly windowMs: number;
}

/** One way to hold an allowance. */
export type Algorithm = (allowance: Allowance) => Limiter;

const second = (now: number): number => Math.floor(now / 1000) * 1000;

/** The same by a clock that counts whole seconds. */
export const bySeconds =
  (algorithm: Algorithm): Algorithm =>
  (allowance) => {
    const limiter = algorithm(allowance);
    return {
      look: (now) => limiter.look(second(now)),
      take: (now) => limiter.take(second(now)),
      refuse: (now) => limiter.refuse(second(now)),
    };
  };

/** The same where a refusal uses the allowance as well. */
export const countingRefusals =
  (algorithm: Algorithm): Algorithm =>
  (allowance) => {
    const limiter = algorithm(allowance);
    return { ...limiter, refuse: limiter.take };
  };
