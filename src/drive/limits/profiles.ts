import type { Cost, CostGiven, Experiment } from '../experiments/experiment.js';
import type { ProfileName } from '../../base/interface/names.js';
import type { Figures } from '../../judge/limits/bounds.js';
import { QUESTIONS } from './questions.js';
import { byPlainQuestions } from './switch.js';

/** Profiles whose questions must be asked first, for the state in which they leave a key. */
const AFTER: Readonly<Partial<Record<ProfileName, readonly ProfileName[]>>> = {
  recovery: ['burst'],
  window: ['burst', 'recovery'],
  concurrent: ['burst', 'recovery'],
  steady: ['burst', 'recovery'],
};

/** Returns a profile as plain questions ask it: always, at the cost of its questions. */
export function asQuestions(experiment: Experiment): Experiment {
  const own = QUESTIONS.filter(({ profile }) => profile === experiment.name);
  if (own.length === 0 || !byPlainQuestions()) return experiment;
  const cost = (figures: Figures, given: CostGiven): Cost =>
    own
      .map((question) => question.cost(figures, given))
      .reduce((sum, one) => ({
        requests: sum.requests + one.requests,
        seconds: sum.seconds + one.seconds,
      }));
  return { ...experiment, after: AFTER[experiment.name] ?? [], runs: { kind: 'always' }, cost };
}
