import { profileNames, type ProfileName } from '../../base/interface/names.js';
import type { Figures } from '../../judge/limits/bounds.js';
import { banCost } from '../limits/ban.js';
import { NOTHING, plus, type Cost, type CostGiven } from '../limits/cost.js';
import { dayCost } from '../limits/day-quota.js';
import type { Question } from '../limits/question.js';
import { profilesBefore, questionsIn } from '../limits/select.js';

/** A load profile: questions to keys' limiters under the name that `--profile` takes. */
export interface Profile {
  readonly name: ProfileName;
  /** Profiles that run before it, for the state in which they leave a key. */
  readonly after: readonly ProfileName[];
  readonly keys: 'each-plan' | 'one-plan' | 'sacrificial';
  /** Reason why it runs only by option; null if it runs with all others. */
  readonly optIn: string | null;
  readonly cost: (figures: Figures, given: CostGiven) => Cost;
  /** What the questions add that are asked only under a condition. */
  readonly more: (figures: Figures, given: CostGiven) => Cost;
}

const costOfQuestions =
  (name: ProfileName, isCounted: (question: Question) => boolean): Profile['cost'] =>
  (figures, given) =>
    questionsIn([name])
      .filter(isCounted)
      .map(({ cost }) => cost(figures, given))
      .reduce(plus, NOTHING);

const ofQuestions = (name: ProfileName): Profile => ({
  name,
  after: profilesBefore(name),
  keys: 'each-plan',
  optIn: null,
  cost: costOfQuestions(name, ({ only }) => only === null),
  more: costOfQuestions(name, ({ only }) => only !== null),
});

const BY_NAME: Readonly<Record<ProfileName, Profile>> = {
  burst: ofQuestions('burst'),
  recovery: ofQuestions('recovery'),
  window: ofQuestions('window'),
  concurrent: ofQuestions('concurrent'),
  steady: ofQuestions('steady'),
  watch: ofQuestions('watch'),
  'day-quota': {
    name: 'day-quota',
    after: [],
    keys: 'one-plan',
    optIn: "uses up a plan's day",
    cost: dayCost,
    more: () => NOTHING,
  },
  ban: {
    name: 'ban',
    after: [],
    keys: 'sacrificial',
    optIn: 'may get a key banned',
    cost: banCost,
    more: () => NOTHING,
  },
};

export const profileOf = (name: ProfileName): Profile => BY_NAME[name];

export const PROFILES: readonly Profile[] = profileNames.map(profileOf);

export const OPT_IN: ReadonlySet<ProfileName> = new Set(
  PROFILES.filter(({ optIn }) => optIn !== null).map(({ name }) => name),
);
