import { basename, join } from 'node:path';
import { isFolder } from '../contract/places.js';
import { newestRun } from '../run/report-dir.js';
import { watchFor, type Trigger } from '../run/triggers.js';
import { badOption } from '../contract/usage-error.js';
import { wrapped } from '../report/words/wrapped.js';
import { explainError } from './explain-error.js';
import { interruption } from './interruption.js';
import { line, type Io } from './io.js';
import { namedTarget } from './open-target.js';
import { runCommand } from './run-command.js';
import type { RunArguments } from './run-options.js';

/** What `watch` was asked for. */
export interface WatchArguments extends RunArguments {
  readonly watchDir?: string | undefined;
}

/**
 * `watch`: runs, and runs what was open again whenever a file changes, the server is back or Enter is pressed; gives the exit
 * code of the last run.
 */
export async function watchCommand(args: WatchArguments, io: Io): Promise<number> {
  checkWatch(args);
  const target = namedTarget(args, io);
  if (target === null)
    throw badOption('No server is named, and the embedded one never changes.', 'Name one with --target or --base-url.');
  const interrupted = interruption();
  const triggers = watchFor({
    baseUrl: target.baseUrl,
    folder: args.watchDir,
    input: io.in,
    onGone: () => line(io.out, 'The server is gone; this waits for it.'),
    signal: interrupted.signal,
  });
  try {
    let code = await runCommand({ ...args, only: halfOf(args), lastFailed: false }, io);
    for (;;) {
      const isOpen = leftOpen(target.name);
      if (!interrupted.signal.aborted) for (const text of idleLines(args, isOpen)) line(io.out, text);
      const trigger = await triggers.next();
      if (trigger === null) return code;
      for (const text of ['', `── ${whyAgain(trigger, args.watchDir)}`, '']) line(io.out, text);
      code = await again({ ...args, only: halfOf(args), lastFailed: isOpen }, io);
    }
  } finally {
    triggers.close();
    interrupted.release();
  }
}

/** A file that is being edited may be wrong for a moment: that is said, and does not end the watch. */
async function again(args: RunArguments, io: Io): Promise<number> {
  try {
    return await runCommand(args, io);
  } catch (error) {
    for (const text of explainError(error, args.verbose)) line(io.err, text);
    return 2;
  }
}

/** Load takes minutes: it comes only to those who ask for it. */
const halfOf = ({ only, profile }: RunArguments): RunArguments['only'] =>
  only ?? (profile.length === 0 ? 'suites' : undefined);

/** Whether the newest run of a target left something that a run of the open rows would ask again. */
function leftOpen(name: string): boolean {
  const results = newestRun('reports', name)?.results;
  return (
    results !== undefined &&
    !results.obstacle &&
    results.complete &&
    [...results.requirements, ...(results.own?.requirements ?? [])].some(({ outcome }) =>
      ['failed', 'error', 'warned', 'inconclusive'].includes(outcome),
    )
  );
}

function idleLines({ watchDir }: WatchArguments, isOpen: boolean): readonly string[] {
  const causes = [...(watchDir === undefined ? [] : [`a change in ${watchDir}`]), 'a restart of the server', 'Enter'];
  const what = `${causes.join(', ')}: ${isOpen ? 'runs what is open' : 'runs everything'} again. Ctrl-C ends.`;
  return ['', ...wrapped('watching          ', what)];
}

function whyAgain(trigger: Trigger, watchDir: string | undefined): string {
  switch (trigger.kind) {
    case 'file':
      return `${join(watchDir === undefined ? '' : basename(watchDir), trigger.file)} has changed`;
    case 'server':
      return 'the server answers again';
    case 'enter':
      return 'again';
  }
}

/** Refuses what makes no sense in a loop, and a folder that is none. */
function checkWatch(args: WatchArguments): void {
  const wrong = (
    [
      ['report-dir', args.reportDir !== undefined],
      ['dry-run', args.dryRun],
      ['certify', args.certify],
      ['last-failed', args.lastFailed],
      ['notify', args.notify !== undefined],
    ] as const
  ).find(([, given]) => given);
  if (wrong)
    throw badOption(
      `--${wrong[0]} goes with run, and not with watch.`,
      'watch runs what is open by itself, and writes each run into reports/.',
    );
  const { watchDir } = args;
  if (watchDir !== undefined && !isFolder(watchDir))
    throw badOption(`${watchDir} is no folder.`, 'Name the folder of the server’s code.');
}
