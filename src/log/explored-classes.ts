/** Number of attempts of one kind. */
export interface Tried {
  /** Kind: `names`, `categories`, `pairs`, `states` and so on. */
  readonly kind: string;
  readonly class: string;
  /** 0 where too few requests were left. */
  readonly tried: number;
  /** Number of successful responses. */
  readonly served: number;
}
