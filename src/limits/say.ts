import type { Finding, ReasonCode } from '../checks/finding.js';
import type { RequirementId } from '../contract/types.js';
import type { KeyName } from './series.js';

const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** A number for people: thousands set apart, one decimal at most. */
export const figure = (value: number): string => NUMBER.format(value);

/** A number with its noun: "1 request", "60 requests". */
export const counted = (count: number, noun: string): string => `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;

/** A length of time in the unit that people would use: "412 ms", "3.4 s". */
export const duration = (ms: number): string =>
  Math.abs(ms) < 1000 ? `${Math.round(ms)} ms` : `${figure(ms / 1000)} s`;

/** The key as the subject of a sentence. */
export const subject = (key: KeyName): string => (key === 'sacrificial' ? 'The sacrificial key' : `The ${key} plan`);

/** The key as a heading has it: “Pro”. */
export const title = (key: KeyName): string => key.charAt(0).toUpperCase() + key.slice(1);

/** A place in a series: "1st", "22nd", "61st". */
export function ordinal(place: number): string {
  const tens = place % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th');
  return `${figure(place)}${suffix}`;
}

/** The statement held. */
export const kept = (requirement: RequirementId, message: string): Finding => ({
  kind: 'kept',
  requirement,
  message,
  exchanges: [],
});

/** The statement was broken: what was promised, and what came. */
export const violated = (requirement: RequirementId, message: string, expected: string, actual: string): Finding => ({
  kind: 'violated',
  requirement,
  message,
  expected,
  actual,
  exchanges: [],
});

/** A part of what the row names that was left out, as it reads after "not tried:". */
export const untried = (requirement: RequirementId, what: string): Finding => ({ kind: 'untried', requirement, what });

/** What a may row saw. */
export const observed = (requirement: RequirementId, subject: string, value: string): Finding => ({
  kind: 'observed',
  requirement,
  subject,
  value,
  exchanges: [],
});

/** In scope, but not established. */
export const inconclusive = (requirement: RequirementId, code: ReasonCode, text: string): Finding => ({
  kind: 'inconclusive',
  requirement,
  reason: { code, text },
  exchanges: [],
});

/** What this target or this selection can never establish. */
export const notApplicable = (requirement: RequirementId, code: ReasonCode, text: string): Finding => ({
  kind: 'not-applicable',
  requirement,
  reason: { code, text },
});
