import { ban } from './ban/experiment.js';
import { burstToRefusal } from './burst/drive.js';
import { burst } from './burst/experiment.js';
import { sendTogether } from './concurrent/drive.js';
import { concurrent } from './concurrent/experiment.js';
import { useUpDay } from './day-quota/drive.js';
import { dayQuota } from './day-quota/experiment.js';
import type { Experiment } from './experiment.js';
import type { Step } from './key-run.js';
import { tryReset, waitOutParallelRefusal, waitOutRefusal } from './recovery/drive.js';
import { recovery } from './recovery/experiment.js';
import { steady } from './steady/experiment.js';
import { burstAfterSilence, keepSteady } from './steady/drive.js';
import { burstsAfterParallel, burstsAfterRetry, spreadAllowance } from './window/drive.js';
import { window } from './window/experiment.js';
import type { ProfileName } from '../../base/interface/names.js';

const BY_NAME = { burst, recovery, window, concurrent, steady, 'day-quota': dayQuota, ban } as const satisfies Readonly<
  Record<ProfileName, Experiment>
>;

/** All experiments. */
export const EXPERIMENTS: readonly Experiment[] = Object.values(BY_NAME);

/** Steps of one key, in order, so that none spoils the next. The ban's own key runs before them (`banPhase`). */
export const SEQUENCE: readonly (readonly [ProfileName, Step])[] = [
  ['burst', burstToRefusal],
  ['recovery', waitOutRefusal],
  ['window', burstsAfterRetry],
  ['recovery', tryReset],
  ['concurrent', sendTogether],
  ['window', burstsAfterParallel],
  ['recovery', waitOutParallelRefusal],
  ['window', spreadAllowance],
  ['steady', burstAfterSilence],
  ['steady', keepSteady],
  ['day-quota', useUpDay],
];

/** Experiments that run only by option. */
export const OPT_IN: ReadonlySet<ProfileName> = new Set(
  EXPERIMENTS.filter(({ runs }) => runs.kind === 'opt-in').map(({ name }) => name),
);

/** Returns the experiment of a name. */
export const experimentOf = (name: ProfileName): Experiment => BY_NAME[name];
