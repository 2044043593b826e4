import type { ProfileName } from '../../base/interface/names.js';
import type { RequirementId } from '../../base/interface/types.js';
import type { QuestionName } from '../../judge/limits/asked.js';
import type { Question } from './question.js';
import { QUESTIONS } from './questions.js';

/* Which questions a run asks, by name, row or profile. */

const BY_NAME: ReadonlyMap<QuestionName, Question> = new Map(QUESTIONS.map((one) => [one.name, one]));

export function questionOf(name: QuestionName): Question {
  const question = BY_NAME.get(name);
  if (question === undefined) throw new RangeError(`There is no question ${name}.`);
  return question;
}

export const questionsOf = (row: string): readonly Question[] =>
  QUESTIONS.filter(({ decides }) => decides.some((id) => id === row));

export const questionsIn = (profiles: Iterable<ProfileName>): readonly Question[] => {
  const asked = new Set(profiles);
  return QUESTIONS.filter(({ profile }) => asked.has(profile));
};

export const profilesBefore = (profile: ProfileName): readonly ProfileName[] => {
  const before = QUESTIONS.filter((question) => question.profile === profile).flatMap(({ after }) => after);
  return [
    ...new Set(QUESTIONS.filter(({ name }) => before.includes(name)).map((question) => question.profile)),
  ].filter((name) => name !== profile);
};

/** Questions of a quick run: how much a key gets, and when it is allowed back. */
const QUICK: ReadonlySet<QuestionName> = new Set<QuestionName>(['whole', 'reset', 'back']);

export const QUICK_PROFILES: readonly ProfileName[] = [
  ...new Set(QUESTIONS.filter(({ name }) => QUICK.has(name)).map(({ profile }) => profile)),
];

export const isDecidedQuickly = (row: RequirementId): boolean => {
  const needed = questionsOf(row).filter(({ again }) => !again.includes(row));
  return needed.length > 0 && needed.every(({ name }) => QUICK.has(name));
};
