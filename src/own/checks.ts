import type { Exchange } from '../exchange/types.js';
import * as findings from '../findings/finding.js';

/** A request of a test of one's own. */
export interface Asked {
  /** GET unless given. */
  readonly method?: string;
  /** Below the base address, e.g. `/pets`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Whether to send the run's key; true by default. */
  readonly key?: boolean;
}

/** What came back. Where no whole answer came the requirement is inconclusive, and the test ends there. */
export interface Answer {
  /** Names it in the reports. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** The value of a header, whatever its case; several are joined by commas. */
  readonly header: (this: void, name: string) => string | null;
  readonly text: string;
  /** The body as JSON.parse reads it; undefined where it is none. */
  readonly json: unknown;
  /** From sending to the last byte. */
  readonly latencyMs: number;
}

/** An exchange as a test sees it; null where no whole answer came. */
export function answerOf({ id, request, answer, latencyMs }: Exchange): Answer | null {
  if (answer.kind === 'none') return null;
  const { status, headers, text } = answer;
  return {
    id,
    method: request.method,
    path: request.path,
    status,
    header: (name) => {
      const values = headers.flatMap(([each, value]) => (each.toLowerCase() === name.toLowerCase() ? [value] : []));
      return values.length === 0 ? null : values.join(', ');
    },
    text,
    json: parsed(text),
    latencyMs,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

declare const judged: unique symbol;

/** What a test says of its requirement; made by `checks`, handed to `judge`. */
export interface Judgement {
  readonly kind: string;
  readonly [judged]?: never;
}

/** Expected and actual, one line each. */
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
  /** In scope and inconclusive, with the reason; another run might. */
  notEstablished: (reason: string, answers: Answers = []): Judgement =>
    findings.unestablished('prerequisite', reason, listOf(answers)),
  /** Out of scope for this target, with the reason. */
  notApplicable: (reason: string): Judgement => findings.outOfScope('untestable', reason),
} as const;
