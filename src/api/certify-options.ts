import type { RunOptions, TargetSettings } from './run-options.js';

/** How an app is judged; everything else as for `run`. */
export interface CertifyOptions extends Omit<RunOptions, 'certify'> {
  /** A key for each plan that may be tested; one is enough. */
  readonly keys: TargetSettings['keys'];
  /** Where the interface's paths begin; `/v1` unless given. An address has it already. */
  readonly path?: string;
  /** How long the limits' windows are, in seconds, where not as in the interface: only load waits for them. */
  readonly windows?: TargetSettings['windows'];
  readonly suiteKey?: TargetSettings['suiteKey'];
}
