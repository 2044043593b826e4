import type { ProfileName } from '../../base/interface/names.js';
import type { RequirementId } from '../../base/interface/types.js';
import type { QuestionName } from '../../judge/limits/asked.js';
import { QUESTIONS, questionsOf } from './questions.js';

/** Questions of a quick run: how much a key gets, and when it is allowed back. */
const QUICK: ReadonlySet<QuestionName> = new Set<QuestionName>(['whole', 'reset', 'back']);

/** Profiles of a quick run. */
export const QUICK_PROFILES: readonly ProfileName[] = [
  ...new Set(QUESTIONS.filter(({ name }) => QUICK.has(name)).map(({ profile }) => profile)),
];

/** Is true if the questions of a quick run decide a requirement. */
export const isDecidedQuickly = (row: RequirementId): boolean => {
  const needed = questionsOf(row).filter(({ again }) => !again.includes(row));
  return needed.length > 0 && needed.every(({ name }) => QUICK.has(name));
};
