/** Whose affair an error is: of how a command was used, or of what a file or an option of the configuration says. */
type UserFault = 'usage' | 'configuration';

/**
 * An error that a user can meet, and mend: what is wrong, whose affair that is, and what to do about it. It is never the
 * target's fault; what is no such error is a fault of the kit. The codes stand in docs/reference.md.
 */
export class UserError<Code extends string = string> extends Error {
  /** Prefix of the message: the file and line with the problem. */
  readonly where: string = '';
  /** Details in addition to the message, each with a label of at most fifteen letters. */
  readonly details: readonly (readonly [label: string, text: string])[] = [];

  constructor(
    readonly fault: UserFault,
    readonly code: Code,
    message: string,
    /** Next step for the user, as a sentence. */
    readonly hint: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What to do about a file that was given for one of a run's. */
export const NAME_A_RUN =
  'Name the folder of a run, or its file, that this version of the kit has written and nobody has changed.';

/** Stable codes of what can be wrong with a command line or with the moment that it is run at. */
type UsageErrorCode =
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

/** Stable codes of what can be wrong with a file of the configuration or an option that stands for one. */
export type ConfigErrorCode =
  | 'unreadable-file'
  | 'yaml-syntax'
  | 'too-large'
  | 'unknown-name'
  | 'missing-field'
  | 'wrong-type'
  | 'bad-value'
  | 'duplicate-id'
  | 'unknown-requirement'
  | 'no-own-ledger'
  | 'unknown-target'
  | 'env-missing'
  | 'bad-placeholder'
  | 'misplaced-key'
  | 'bad-url'
  | 'bad-key'
  | 'bad-key-option'
  | 'key-file'
  | 'duplicate-key'
  | 'no-key'
  | 'suite-key'
  | 'plan-figures'
  | 'over-limit'
  | 'nothing-to-send'
  | 'bad-certificate'
  | 'certificate-version'
  | 'signed-attestation';

/** What a {@link ConfigError} is made of. */
export interface ConfigProblem {
  readonly code: ConfigErrorCode;
  /** One sentence; never a key, nor the value of an environment variable. */
  readonly message: string;
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
  /** Expected value, in words. */
  readonly expected?: string;
  /** The known name that is closest to the one that was found. */
  readonly nearest?: string;
  /** Next step for the user. */
  readonly hint: string;
  readonly cause?: unknown;
}

/** Configuration that cannot be used; the fault is the configuration's, never the target's. */
export class ConfigError extends UserError<ConfigErrorCode> {
  override readonly name = 'ConfigError';
  override readonly where: string;
  override readonly details: readonly (readonly [label: string, text: string])[];
  readonly file?: string;
  readonly line?: number;
  readonly expected?: string;
  readonly nearest?: string;

  constructor({ code, message, file, line, expected, nearest, hint, cause }: ConfigProblem) {
    super('configuration', code, message, hint, cause === undefined ? undefined : { cause });
    this.where = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `;
    this.details = [
      ...(expected === undefined ? [] : [['expected', expected] as const]),
      ...(nearest === undefined ? [] : [['did you mean', nearest] as const]),
    ];
    if (file !== undefined) this.file = file;
    if (line !== undefined) this.line = line;
    if (expected !== undefined) this.expected = expected;
    if (nearest !== undefined) this.nearest = nearest;
  }
}
