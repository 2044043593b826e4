import type { PlanName } from '../contract/types.js';
import type { TargetFile } from '../targets/target-file.js';
import type { Results } from '../verdict/results.js';

/** A target as its file would hold it; the name may be left out. `${NAME}` reads the environment here as well. */
export type TargetSettings = Omit<TargetFile, 'name'> & { readonly name?: string };

/** Options of a run; each works like the option of the command `run` with the same name. */
export interface RunOptions {
  readonly only?: 'suites' | 'load';
  /** Ids, with * for any characters. */
  readonly requirements?: readonly string[];
  readonly profiles?: readonly string[];
  readonly plans?: readonly PlanName[];
  readonly include?: readonly ('ban' | 'day-quota')[];
  /** Suites of your own: files, folders or patterns. */
  readonly suites?: readonly string[];
  /** Ledger of own suites; by default `requirements.yaml` next to them. */
  readonly ledger?: string;
  /** Whether they affect the verdict. */
  readonly ownDecide?: boolean;
  readonly readOnly?: boolean;
  /** ISO date. */
  readonly asOf?: string;
  /** The build of the server. */
  readonly label?: string;
  /** Whether to write a certificate, or to say why it is missing. */
  readonly certify?: boolean;
  readonly allowLoadOnProduction?: boolean;
  /** The folder to write into; a new one in `reports/` unless given. */
  readonly reportDir?: string;
  /** Ends the run early; what was recorded by then stands. */
  readonly signal?: { readonly aborted: boolean };
  /** Takes what the command would print. Without it nothing is printed. */
  readonly output?: { write(text: string): unknown };
}

/** Result of a run. */
export interface Run {
  readonly results: Results;
  /** Exit code of the same command: 0 conformant, 1 not, 2 an error, 3 inconclusive. */
  readonly exitCode: number;
  /** The folder of the reports. */
  readonly directory: string;
}

/** Options for judging an app; all others are as for `run`. */
export interface CertifyOptions extends Omit<RunOptions, 'certify'> {
  /** A key for each plan that may be tested; one is enough. */
  readonly keys: TargetSettings['keys'];
  /** Path prefix of the interface; `/v1` by default. An address already includes it. */
  readonly path?: string;
  /** How long the limits' windows are, in seconds, where not as in the interface: only load waits for them. */
  readonly windows?: TargetSettings['windows'];
  readonly suiteKey?: TargetSettings['suiteKey'];
}
