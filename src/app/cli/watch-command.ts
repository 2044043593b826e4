import { basename, join } from 'node:path';
import Parser from 'yargs-parser';
import { canRedraw } from '../../report/terminal/look.js';
import { openRows } from '../../run/last-failed.js';
import { earlierRuns, REPORTS } from '../../run/report-dir.js';
import { ReloadWatch } from '../../run/reloads.js';
import { watchFor, type Trigger, RESTART_MS, untilListening } from '../../run/triggers.js';
import { wrapped, safeText } from '../../outcome/words/safe-text.js';
import { badOption } from '../../base/kernel/errors.js';
import type { Obstacle } from '../../log/record.js';
import { EXIT_USAGE, explainError } from './explain-error.js';
import { interruption } from './process-end.js';
import type { Arguments } from './command-options.js';
import { line, print, type Io } from './io.js';
import { checkFolder } from './named-files.js';
import { namedTarget } from './open-target.js';
import { runOnce } from './run-command.js';

/** `watch`: repeats open rows after a changed file, a restarted server, or Enter; returns the last exit code. */
export async function command(args: Arguments<'watch'>, io: Io): Promise<number> {
  checkWatch(args);
  const target = namedTarget(args, io);
  if (target === null)
    throw badOption(
      'watch needs a server, because the embedded one never changes.',
      'Name one with --target or --base-url.',
    );
  using interrupted = interruption();
  using triggers = watchFor({
    baseUrl: target.baseUrl,
    folder: args.watchDir,
    input: io.in,
    onGone: () => line(io.out, 'The server stopped; waiting for it.'),
    onLimit: () => {
      const remedy = 'raise fs.inotify.max_user_watches, or name a smaller folder with --watch-dir';
      const text = `Not everything below ${args.watchDir} can be watched: ${remedy}.`;
      print(io.err, wrapped('warning           ', text));
    },
    signal: interrupted.signal,
  });
  using reloads = new ReloadWatch(target.baseUrl, interrupted.signal);
  const began = new Date().toISOString();
  const left = (): ReadonlyMap<string, boolean> => openSince(began, target.name);
  const judge = (lastFailed: boolean): Promise<number> =>
    judgeOnceUp(
      { ...args, only: halfOf(args), lastFailed, quick: args.quick && !lastFailed },
      io,
      target.baseUrl,
      triggers,
      interrupted.signal,
    );
  /** Judges, and again if the server was reloaded meanwhile: half of it was the old one. */
  const judgeOne = async (lastFailed: boolean, isChanged = false): Promise<number> => {
    for (let repeats = 0; ; repeats += 1) {
      if (args.watchDir !== undefined) await reloads.begin();
      const judged = await (isChanged ? reloads.through(judge(lastFailed)) : judge(lastFailed));
      if (!isChanged) reloads.noteIdle();
      if (!isChanged || !reloads.wasReloaded() || repeats === MOST_REPEATS || interrupted.signal.aborted)
        return judged;
      print(io.out, ['', '── the server was reloaded meanwhile: again', '']);
    }
  };
  let code = await judgeOne(false);
  let open = left();
  for (;;) {
    if (!interrupted.signal.aborted) print(io.out, idleLines(args, open.size > 0));
    if (args.watchDir !== undefined) await reloads.begin();
    const endRest = reloads.rest();
    const trigger = await triggers.next();
    endRest();
    if (trigger === null) return code;
    if (trigger.kind === 'file') await reloads.reloaded();
    if (canRedraw(io.out, io.env)) io.out.write(CLEAR);
    print(io.out, ['', `── ${whyAgain(trigger, args.watchDir)}`, '']);
    const before = open;
    code = await again(() => judgeOne(open.size > 0, trigger.kind === 'file'), args, io);
    open = left();
    // What an interrupted run did not judge is no change.
    if (!interrupted.signal.aborted) print(io.out, changeLines(before, open));
    // The rows that passed before may have broken meanwhile.
    if (before.size > 0 && open.size === 0 && code === 0 && !interrupted.signal.aborted) {
      print(io.out, ['', '── nothing is open: everything once', '']);
      code = await again(() => judgeOne(false), args, io);
      open = left();
    }
  }
}

/** A file may be wrong during its editing: the error is printed, and the watch continues. */
async function again(judge: () => Promise<number>, args: Arguments<'run'>, io: Io): Promise<number> {
  try {
    return await judge();
  } catch (error) {
    print(io.err, explainError(error, args.verbose, io.err.columns));
    return EXIT_USAGE;
  }
}

/** Repetitions of a run in which the server was reloaded: files may be saved again and again. */
const MOST_REPEATS = 2;

/** Obstacles that a restart brings, and that pass by themselves. */
const OF_A_RESTART: ReadonlySet<Obstacle['code']> = new Set(['refused', 'reset', 'timeout', 'gateway']);

/**
 * Judges as soon as the server is up: waits silently while it restarts. A run that cannot start leaves no
 * report.
 */
async function judgeOnceUp(
  args: Arguments<'run'>,
  io: Io,
  baseUrl: string,
  triggers: { readonly forgetRestart: () => void },
  signal: AbortSignal,
): Promise<number> {
  const until = Date.now() + RESTART_MS;
  for (;;) {
    await untilListening(baseUrl, signal, until - Date.now());
    triggers.forgetRestart();
    const judged = await runOnce(args, io, { discards: ({ obstacle }) => obstacle !== undefined });
    const obstacle = judged?.log.footer?.obstacle;
    if (!judged || !obstacle) return judged?.code ?? 0;
    if (signal.aborted) return judged.code;
    if (Date.now() >= until || !OF_A_RESTART.has(obstacle.code)) {
      for (const text of [`Cannot start: ${obstacle.message}`, obstacle.hint])
        line(io.out, safeText(text, true));
      return judged.code;
    }
  }
}

/** Load takes minutes, so it runs only if requested. */
const halfOf = ({ only, profile, quick }: Arguments<'run'>): Arguments<'run'>['only'] =>
  only ?? (profile.length === 0 && !quick ? 'suites' : undefined);

/** Rows that a target's runs since a time left open; true for those that the newest failed. */
function openSince(began: string, name: string): ReadonlyMap<string, boolean> {
  const runs = earlierRuns(REPORTS, name).filter(({ results }) => results.startedAt >= began);
  return new Map(openRows(runs).map(({ id, shown }) => [id, shown !== null && shown.run === runs[0]]));
}

function changeLines(
  before: ReadonlyMap<string, boolean>,
  now: ReadonlyMap<string, boolean>,
): readonly string[] {
  const [open, wasOpen] = [[...now], [...before.keys()]];
  const groups: readonly (readonly [label: string, ids: readonly string[]])[] = [
    ['fixed', wasOpen.filter((id) => !now.has(id))],
    ['still failing', open.flatMap(([id, failed]) => (before.has(id) && failed ? [id] : []))],
    ['still open', open.flatMap(([id, failed]) => (before.has(id) && !failed ? [id] : []))],
    ['new', open.flatMap(([id]) => (before.has(id) ? [] : [id]))],
  ];
  const lines = groups.flatMap(([label, ids]) =>
    ids.length === 0 ? [] : wrapped(label.padEnd(18), ids.join(', ')),
  );
  return lines.length === 0 ? [] : ['', ...lines];
}

const CLEAR = '\x1b[2J\x1b[H';

function idleLines({ watchDir }: Arguments<'watch'>, isOpen: boolean): readonly string[] {
  const causes = [
    ...(watchDir === undefined ? [] : [`a change in ${watchDir}`]),
    'a restart of the server',
    'Enter',
  ];
  const what = `${causes.join(', ')}: ${isOpen ? 'runs open requirements' : 'runs everything'} again. Ctrl-C ends.`;
  return ['', ...wrapped('watching          ', what)];
}

function whyAgain(trigger: Trigger, watchDir: string | undefined): string {
  switch (trigger.kind) {
    case 'file':
      return `${join(watchDir === undefined ? '' : basename(watchDir), trigger.file)} has changed`;
    case 'server':
      return 'the server responds again';
    case 'enter':
      return 'again';
  }
}

function checkWatch(args: Arguments<'watch'>): void {
  const without = ['reportDir', 'dryRun', 'certify', 'lastFailed', 'notify'] as const;
  const wrong = without.find((name) => (args[name] ?? false) !== false);
  if (wrong)
    throw badOption(
      `--${Parser.decamelize(wrong, '-')} works with run, not with watch.`,
      'watch runs open requirements without it, and writes each run into reports/.',
    );
  if (args.watchDir !== undefined)
    checkFolder(args.watchDir, 'Name the folder of the server’s code.', 'bad-option');
}
