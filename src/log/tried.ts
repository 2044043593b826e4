/** How often something of a kind was tried. */
export interface Tried {
  /** What was tried: `names`, `categories`, `pairs`, `states` and so on. */
  readonly kind: string;
  readonly class: string;
  /** 0 where it was left out for want of requests. */
  readonly tried: number;
  /** How often it was answered with success. */
  readonly served: number;
}
