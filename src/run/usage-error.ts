/** Stable codes of what can be wrong with a command line or with the moment that it is run at. */
export type UsageErrorCode =
  | 'unknown-option'
  | 'unknown-command'
  | 'bad-option'
  | 'unmatched-requirement'
  | 'unmatched-profile'
  | 'unmatched-suite'
  | 'unknown-requirement'
  | 'no-earlier-run'
  | 'nothing-selected'
  | 'key-in-use'
  | 'report-dir'
  | 'no-log'
  | 'not-one-run'
  | 'agents-in-use'
  | 'no-redis'
  | 'not-installed'
  | 'other-kit'
  | 'port-in-use';

/** A command that cannot be carried out as it was given; the fault is the caller's, never the target's. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  constructor(
    readonly code: UsageErrorCode,
    message: string,
    readonly hint: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
