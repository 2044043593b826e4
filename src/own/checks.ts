import * as findings from '../findings/finding.js';
import type { Answer } from './answer.js';

declare const judged: unique symbol;

/** What a test says of its requirement; made by `checks`, handed to `judge`. */
export interface Judgement {
  readonly kind: string;
  readonly [judged]?: never;
}

/** What was expected and what came, a line each. */
export interface Detail {
  readonly expected?: string;
  readonly actual?: string;
}

type Answers = Answer | readonly Answer[];

const listOf = (answers: Answers): readonly Answer[] => ('id' in answers ? [answers] : answers);

/** Judgements, which are no assertions: a test may make several, and each stands in the report with its answers. */
export const checks = {
  /** The statement held in these answers. */
  kept: (answers: Answers, message?: string): Judgement => findings.kept(listOf(answers), message),
  /** The statement was broken: a sentence with the service as its subject. */
  violated: (answers: Answers, message: string, detail: Detail = {}): Judgement =>
    findings.violated(listOf(answers), message, detail),
  /** Kept where the condition holds, and otherwise violated with the message. */
  holds: (condition: boolean, answers: Answers, message: string, detail: Detail = {}): Judgement =>
    condition ? findings.kept(listOf(answers)) : findings.violated(listOf(answers), message, detail),
  /** Kept where the answer has one of these statuses. */
  status: (answer: Answer, ...statuses: readonly number[]): Judgement =>
    statuses.includes(answer.status)
      ? findings.kept([answer])
      : findings.violated([answer], `“${answer.method} ${answer.path}” was answered ${answer.status}`, {
          expected: statuses.join(' or '),
          actual: String(answer.status),
        }),
  /** Something worth recording that cannot be wrong. */
  observed: (answers: Answers, value: string, subject?: string): Judgement =>
    findings.observed(listOf(answers), value, subject),
  /** In scope and not established, with the reason; another run might. */
  notEstablished: (reason: string, answers: Answers = []): Judgement =>
    findings.unestablished('prerequisite', reason, listOf(answers)),
  /** Out of scope for this target, with the reason. */
  notApplicable: (reason: string): Judgement => findings.outOfScope('untestable', reason),
} as const;
