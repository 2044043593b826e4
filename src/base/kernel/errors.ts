/** Origin of a user's error: the command's use, or the configuration's files and options. */
type UserFault = 'usage' | 'configuration';

/**
 * An error that a user can fix: its message, its origin, and a hint. It is never the target's fault; any
 * other error is a fault of the kit. docs/reference.md lists the codes.
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

/** Stable codes of errors in a command line or its moment. */
type UsageErrorCode =
  | 'unknown-option'
  | 'unknown-command'
  | 'bad-option'
  | 'unmatched-requirement'
  | 'unmatched-profile'
  | 'unmatched-suite'
  | 'unknown-name'
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
  | 'lfs-pointer'
  | 'line-ends'
  | 'port-in-use'
  | 'plug-and-play'
  | 'temporary-folder'
  | 'unknown-app'
  | 'client-command'
  | 'traffic-unreadable'
  | 'not-har'
  | 'traffic-zip'
  | 'no-address'
  | 'proxy-itself';

/** A command that cannot run as given. */
export class UsageError extends UserError<UsageErrorCode> {
  override readonly name = 'UsageError';
  constructor(code: UsageErrorCode, message: string, hint: string, options?: ErrorOptions) {
    super('usage', code, message, hint, options);
  }
}

/** Returns the error of an invalid option, or of options that exclude each other. */
export const badOption = (message: string, hint: string): UsageError =>
  new UsageError('bad-option', message, hint);

/** Returns the error of a file or folder that cannot be used as it was named. */
export const badPlace = (message: string, hint: string, cause?: unknown): UsageError =>
  new UsageError('report-dir', message, hint, { cause });

/** Stable codes of errors in a run's log or results.json. */
type RunFileErrorCode =
  | 'log-unreadable'
  | 'log-version'
  | 'log-damaged'
  | 'results-unreadable'
  | 'results-version'
  | 'results-damaged';

/** An unusable log or results.json; the fault is in the file. */
export class RunFileError extends UserError<RunFileErrorCode> {
  override readonly name = 'RunFileError';
  constructor(code: RunFileErrorCode, message: string, options?: ErrorOptions) {
    const hint = 'Name a run’s folder or file. It must be unchanged, and from this version of the kit.';
    super('usage', code, message, hint, options);
  }
}

/** Stable codes of errors in a configuration file or an option in its place. */
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

export interface ConfigProblem {
  readonly code: ConfigErrorCode;
  /** One sentence; never contains a key or the value of an environment variable. */
  readonly message: string;
  readonly file?: string | undefined;
  /** Counted from 1. */
  readonly line?: number | undefined;
  /** Expected value, in words. */
  readonly expected?: string | undefined;
  readonly nearest?: string | undefined;
  /** Further mistakes in the same file, so that all can be corrected together. */
  readonly further?: readonly ConfigError[];
  readonly hint: string;
  readonly cause?: unknown;
}

/** Returns one error for several mistakes in a file: the first, with the others. */
export const together = (errors: readonly [ConfigError, ...ConfigError[]], hint: string): ConfigError => {
  const [{ code, message, file, line, expected, nearest }, ...further] = errors;
  return new ConfigError({ code, message, file, line, expected, nearest, further, hint });
};

export class ConfigError extends UserError<ConfigErrorCode> {
  override readonly name = 'ConfigError';
  override readonly where: string;
  override readonly details: readonly (readonly [label: string, text: string])[];
  readonly file?: string;
  readonly line?: number;
  readonly expected?: string;
  readonly nearest?: string;

  constructor({ code, message, file, line, expected, nearest, further = [], hint, cause }: ConfigProblem) {
    super('configuration', code, message, hint, cause === undefined ? undefined : { cause });
    this.where = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `;
    this.details = [
      ...(expected === undefined ? [] : [['expected', expected] as const]),
      ...(nearest === undefined ? [] : [['did you mean', nearest] as const]),
      ...further.flatMap((other) => [['also', `${other.where}${other.message}`] as const, ...other.details]),
    ];
    Object.assign(this, { file, line, expected, nearest });
  }
}
