import type { PlanName } from '../../base/interface/types.js';
import type { TargetFile } from '../../wire/targets/target-file.js';
import type { Results } from '../../outcome/results/results.js';

/** A target as in its file; the name is optional. `${NAME}` reads the environment here too. */
export type TargetSettings = Omit<TargetFile, 'name'> & { readonly name?: string };

/** Options of a run; each works like the option of the command `run` with the same name. */
export interface RunOptions {
  readonly only?: 'suites' | 'load';
  /** Ids, with * for any characters. */
  readonly requirements?: readonly string[];
  readonly profiles?: readonly string[];
  readonly plans?: readonly PlanName[];
  /** Asks of the limits only the burst and the way back. */
  readonly quick?: boolean;
  readonly include?: readonly ('ban' | 'day-quota')[];
  /** Suites of your own: files, folders or patterns. */
  readonly suites?: readonly string[];
  /** Ledger of own suites; by default `requirements.yaml` next to them. */
  readonly ledger?: string;
  /** True if they affect the verdict. */
  readonly ownDecide?: boolean;
  readonly readOnly?: boolean;
  /** ISO date. */
  readonly asOf?: string;
  readonly label?: string;
  /** What runs at the address, each as `NAME@sha256:DIGEST` or `gitCommit:DIGEST`. */
  readonly subject?: readonly string[];
  /** True to write a certificate, or the reason why it is missing. */
  readonly certify?: boolean;
  readonly allowLoadOnProduction?: boolean;
  /** Folder for the reports; a new one in `reports/` by default. */
  readonly reportDir?: string;
  /** Ends the run early; its records so far remain. */
  readonly signal?: { readonly aborted: boolean };
  /** Receives the output of the command. Without it nothing is printed. */
  readonly output?: { write(text: string): unknown };
}

export interface Run {
  readonly results: Results;
  /** Exit code of the same command: 0 conformant, 1 not, 2 an error, 3 inconclusive. */
  readonly exitCode: number;
  /** Folder of the reports. */
  readonly directory: string;
}

/** Options for judging an app; all others are as for `run`. */
export interface CertifyOptions extends Omit<RunOptions, 'certify'> {
  /** A key for each plan to test; one is enough. */
  readonly keys: TargetSettings['keys'];
  /** Path prefix of the interface; `/v1` by default. An address already includes it. */
  readonly path?: string;
  /** Lengths of the limits' windows, seconds, if they differ from the interface: only load waits for them. */
  readonly windows?: TargetSettings['windows'];
  readonly suiteKey?: TargetSettings['suiteKey'];
}
