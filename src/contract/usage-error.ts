import { UserError } from './user-error.js';

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
  | 'own-suites-missing'
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
export class UsageError extends UserError<UsageErrorCode> {
  override readonly name = 'UsageError';
  constructor(code: UsageErrorCode, message: string, hint: string, options?: ErrorOptions) {
    super('usage', code, message, hint, options);
  }
}

/** An option that cannot be taken as it was given, or does not go with another. */
export const badOption = (message: string, hint: string): UsageError => new UsageError('bad-option', message, hint);
