/**
 * What programs may import of the kit. What is exported here, and the types that it leads to, keeps its
 * meaning within a major version; everything else is the kit's own affair. What does the work is loaded when
 * it is asked for.
 */
import type { CertifyOptions, Run, RunOptions, TargetSettings } from './app/api/run-options.js';
import type { App } from './app/api/serve-app.js';
import type { Results } from './outcome/results/results.js';

export type { App, CertifyOptions, Results, Run, RunOptions, TargetSettings };
export { checks, type Detail, type Judgement } from './drive/own/checks.js';
export type { Answer, Asked } from './drive/own/checks.js';
export {
  requirement,
  test,
  type Body,
  type Facts,
  type Stated,
  type Test,
  type Tools,
} from './drive/own/host.js';
export type { OwnResults, RequirementResult, ResultFinding } from './outcome/results/results.js';
export type { Outcome, Verdict } from './judge/verdict.js';

/**
 * Judges a target, as the command `run` does with the same options, and writes its reports.
 *
 * @param target a target file, the name of a target that the package carries, or what would stand in such a
 *   file
 * @throws an Error with `code` and `hint` where the target or an option makes no sense; whatever a server
 *   does is in the results
 */
export async function run(target: string | TargetSettings, options?: RunOptions): Promise<Run> {
  return (await import('./app/api/run.js')).runTarget(target, options);
}

/**
 * Writes the reports of a run anew from its log, and gives its results. Nothing is sent.
 *
 * @param path a run's folder, or its log
 */
export async function report(path: string): Promise<Results> {
  return (await import('./app/api/run.js')).reportOn(path);
}

/**
 * Judges a server inside another test: puts it on a free port, runs the suites (load only with `only:
 * undefined` or `'load'`, which takes minutes where the limits have real windows), and closes it again.
 *
 * @throws `NotConformant`, whose message shows each requirement that is not kept, and whose `run` has the
 *   results
 */
export async function certify(app: App, options: CertifyOptions): Promise<Run> {
  return (await import('./app/api/run.js')).certifyApp(app, options);
}
