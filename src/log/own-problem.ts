/** What broke down in a file of own suites, and where. */
export interface OwnProblem {
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  /** The requirement whose test it was. */
  readonly requirement?: string;
}
