import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../base/kernel/errors.js';
import { compareResults } from '../../outcome/acceptance/compare.js';
import type { Results } from '../../outcome/results/results.js';
import { commentMarkdown } from '../../report/machine/pull-request-comment.js';
import { ciOf } from '../../run/ci-environment.js';
import { comment, pullRequestOf, type Commented } from '../../run/pull-request.js';
import type { Arguments } from './command-options.js';
import { line, type Io } from './io.js';
import { handedIn, resultsAt } from './named-files.js';

/**
 * `comment [RUN]`: writes the result of a run as a comment on the pull request of this job, or edits that of
 * an earlier run. Prints the comment without a pull request. Returns 0 whatever GitHub answers: a comment
 * decides nothing.
 */
export const command = (args: Arguments<'comment'>, io: Io): Promise<number> =>
  handedIn('results-damaged', `${args.run ?? ''}: a member has a wrong type`, () => commented(args, io));

async function commented(
  { run, before, slot, link, exitCode }: Arguments<'comment'>,
  io: Io,
): Promise<number> {
  const results = run === undefined ? null : readable(run);
  const earlier = before === undefined ? null : readable(before);
  const pull = pullRequestOf(io.env);
  const ci = ciOf(io.env);
  const body = commentMarkdown({
    results,
    comparison:
      results && earlier && isComparable(earlier, results)
        ? compareResults(sameTarget(earlier, results), results)
        : null,
    slot,
    link: link ?? ci?.url,
    commit: typeof pull === 'string' ? ci?.commit : (pull.commit ?? ci?.commit),
    exitCode,
  });
  if (typeof pull === 'string') {
    io.out.write(body);
    report({ kind: 'none', why: pull }, io);
    return 0;
  }
  report(await comment(pull, body), io);
  return 0;
}

/**
 * Returns the results of a run; null if it has none that this version can read: it was cut short, or is of
 * another version.
 */
function readable(folder: string): Results | null {
  try {
    return resultsAt(folder);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

/** Runs of another kind, or of another target, say nothing of each other. */
const isComparable = (one: Results, other: Results): boolean =>
  (one.capacity === undefined) === (other.capacity === undefined) &&
  targetOf(one.target) === targetOf(other.target);

/** Name of a target without the port of its address, which a job may choose anew for each run. */
const targetOf = ({ name, baseUrl }: Results['target']): string => {
  const port = URL.canParse(baseUrl) ? new URL(baseUrl).port : '';
  return port !== '' && name.endsWith(`-${port}`) ? name.slice(0, -port.length - 1) : name;
};

/** Each job may start the server at another address, and is no other environment for that. */
const sameTarget = (earlier: Results, { target }: Results): Results => ({ ...earlier, target });

/**
 * Says what became of the comment; why there is none only once in a job, as far as the runner has a folder
 * for that.
 */
function report(done: Commented, { out, err, env }: Io): void {
  if (done.kind !== 'none') {
    line(out, `comment         ${done.kind} ${done.url}`);
    return;
  }
  const folder = env['RUNNER_TEMP'];
  const mark = folder === undefined ? null : join(folder, 'petstore-conformance-no-comment');
  if (mark !== null && existsSync(mark)) return;
  const isOnGitHub = (env['GITHUB_ACTIONS'] ?? '') !== '';
  line(
    err,
    `${isOnGitHub ? '::notice title=Conformance::' : ''}No comment was written: ${done.why}. The verdict stands.`,
  );
  try {
    if (mark !== null) writeFileSync(mark, '');
  } catch {
    // Then it says so again.
  }
}
