import { header } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import * as findings from '../../judge/findings/finding.js';
import { parsedJson } from '../../base/kernel/json.js';

/** A request of an own suite's test. */
export interface Asked {
  /** GET by default. */
  readonly method?: string;
  /** Below the base address, e.g. `/pets`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, other values as JSON. */
  readonly body?: unknown;
  /** True to send the run's key, as by default. */
  readonly key?: boolean;
}

/** The response. Without a complete one the requirement is inconclusive, and the test ends. */
export interface Answer {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Returns the value of a header, ignoring the case of its name; joins repeated ones by commas. */
  readonly header: (this: void, name: string) => string | null;
  readonly text: string;
  /** Body as JSON.parse reads it; undefined if it is no JSON. */
  readonly json: unknown;
  /** From sending to the last byte, ms. */
  readonly latencyMs: number;
}

/** Converts an exchange for a test; null without a complete response. */
export function answerOf({ id, request, answer, latencyMs }: Exchange): Answer | null {
  if (answer.kind === 'none') return null;
  const { status, headers, text } = answer;
  return {
    id,
    method: request.method,
    path: request.path,
    status,
    header: (name) => header(headers, name.toLowerCase()),
    text,
    json: parsedJson(text),
    latencyMs,
  };
}

declare const judged: unique symbol;

/** Judgement of a requirement, made by `checks` and passed to `judge`. */
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

/** Judgements, which do not end a test: it may make several, and the report shows each with its responses. */
export const checks = {
  /** Passes: the statement held in these responses. */
  kept: (answers: Answers, message?: string): Judgement => findings.kept(listOf(answers), message),
  /** Fails, with a sentence about the service. */
  violated: (answers: Answers, message: string, detail: Detail = {}): Judgement =>
    findings.violated(listOf(answers), message, detail),
  /** Passes if the condition is true; otherwise fails with the message. */
  holds: (condition: boolean, answers: Answers, message: string, detail: Detail = {}): Judgement =>
    condition ? findings.kept(listOf(answers)) : findings.violated(listOf(answers), message, detail),
  /** Passes if the response has one of these status codes. */
  status: (answer: Answer, ...statuses: readonly number[]): Judgement =>
    statuses.includes(answer.status)
      ? findings.kept([answer])
      : findings.violated([answer], `“${answer.method} ${answer.path}” got ${answer.status}`, {
          expected: statuses.join(' or '),
          actual: String(answer.status),
        }),
  /** Records an observation that cannot be wrong. */
  observed: (answers: Answers, value: string, subject?: string): Judgement =>
    findings.observed(listOf(answers), value, subject),
  /** Inconclusive, with the reason; another run may decide. */
  notEstablished: (reason: string, answers: Answers = []): Judgement =>
    findings.unestablished('prerequisite', reason, listOf(answers)),
  /** Out of scope for this target, with the reason. */
  notApplicable: (reason: string): Judgement => findings.outOfScope('untestable', reason),
} as const;
