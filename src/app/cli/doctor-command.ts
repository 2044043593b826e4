import { lookOf } from '../../report/terminal/look.js';
import { doctorLines, isReady } from '../../report/terminal/doctor-lines.js';
import { paint } from '../../report/terminal/lines.js';
import { examine, reach } from '../../run/examine.js';
import { headerOf } from '../../log/header.js';
import { planRun } from '../../run/plan-run.js';
import { lockKeys } from '../../run/key-lock.js';
import { EXIT_CODES } from '../../judge/verdict.js';
import { asStarted } from '../../outcome/words/as-started.js';
import { commandLine } from './command-line.js';
import type { Arguments } from './command-options.js';
import { interruption } from './process-end.js';
import { line, painted, type Io } from './io.js';
import { openTarget } from './open-target.js';
import { keyNames } from '../../base/interface/names.js';
import { namedKeys } from '../../wire/targets/keys.js';

/** `doctor`: tests a target with each of its keys, and estimates a run; 0 if one can start. */
export async function command(args: Arguments<'doctor'>, io: Io): Promise<number> {
  await using opened = await openTarget(args, io, { underLoad: false });
  const { target, embedded } = opened;
  using interrupted = interruption();
  using _ = await lockKeys(target);
  try {
    const next = commandLine('run', args);
    const plan = planRun({
      target,
      include: embedded ? ['ban'] : [],
      readOnly: args.readOnly,
      allowLoadOnProduction: args.allowLoadOnProduction,
      command: next,
      now: Date.now(),
    });
    const examination = await examine(plan, interrupted.signal);
    // An interrupted test says nothing about the target.
    interrupted.signal.throwIfAborted();
    const lines = doctorLines({
      header: headerOf(plan.request),
      examination,
      reach: examination.cost && reach(plan, examination.cost),
      without: keyNames.filter((name) => !namedKeys(target).some(([given]) => given === name)),
      next: asStarted(next),
    });
    for (const text of paint(lines, lookOf(io.out, io.env, args.verbose))) painted(io.out, text);
    return isReady(examination) ? 0 : EXIT_CODES.inconclusive;
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    line(io.out, 'Interrupted.');
    return EXIT_CODES.inconclusive;
  }
}
