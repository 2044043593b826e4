/** Error in a file of own suites, and its place. */
export interface OwnProblem {
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  /** Requirement whose test failed. */
  readonly requirement?: string;
}
