import { ban } from './ban/experiment.js';
import { burst } from './burst/experiment.js';
import { concurrent } from './concurrent/experiment.js';
import { dayQuota } from './day-quota/experiment.js';
import type { Experiment } from './experiment.js';
import { recovery } from './recovery/experiment.js';
import { steady } from './steady/experiment.js';
import { window } from './window/experiment.js';
import { type ProfileName, profileNames } from '../contract/names.js';

const BY_NAME: Readonly<Record<ProfileName, Experiment>> = {
  burst,
  recovery,
  window,
  concurrent,
  steady,
  'day-quota': dayQuota,
  ban,
};

/** All experiments, in the order in which a key runs them, so that none spoils the next. */
export const EXPERIMENTS: readonly Experiment[] = profileNames.map((name) => BY_NAME[name]);

/** Experiments that run only by option. */
export const OPT_IN: ReadonlySet<ProfileName> = new Set(
  EXPERIMENTS.filter(({ runs }) => runs.kind === 'opt-in').map(({ name }) => name),
);

/** Returns the experiment of a name. */
export const experimentOf = (name: ProfileName): Experiment => BY_NAME[name];
