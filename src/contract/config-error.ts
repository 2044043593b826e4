import { UserError } from './user-error.js';

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
  /** What would have been right, in words. */
  readonly expected?: string;
  /** The known name that is closest to the one that was found. */
  readonly nearest?: string;
  /** What to do next. */
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
