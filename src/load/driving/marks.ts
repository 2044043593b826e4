import { wasServed } from '../../limits/answers.js';
import type { Sample } from '../../limits/sample.js';
import type { ProfileMark } from '../../log/record.js';
import type { Recovery } from '../profiles/recovery.js';

/*
 * The moments of a profile that a drawing marks.
 */

/** The refusal that ended a burst. */
export const refusalMarks = (refusal: Sample | undefined): readonly ProfileMark[] =>
  refusal === undefined ? [] : [{ kind: 'first-refusal', at: refusal.answeredAt, text: `429 to ${refusal.operation}` }];

/** What a refusal promised, and when the key was served again. */
export function recoveryMarks({
  series: { refusal, retry, resetRetry },
  retryAt,
  resetAt,
}: Recovery): readonly ProfileMark[] {
  const served = [resetRetry, retry].find((sample) => sample !== null && wasServed(sample)) ?? null;
  return [
    { kind: 'retry-after', at: retryAt, text: `Retry-After: ${refusal.retryAfter ?? 'none'}` },
    ...(resetAt === null ? [] : [{ kind: 'reset' as const, at: resetAt, text: `X-RateLimit-Reset: ${refusal.reset}` }]),
    ...(served === null ? [] : [{ kind: 'recovered' as const, at: served.answeredAt, text: 'served again' }]),
  ];
}

/** When the key was served once more. */
export const servedMarks = (recovered: Recovery): readonly ProfileMark[] =>
  recoveryMarks(recovered).filter(({ kind }) => kind === 'recovered');

/** Where each burst began. */
export const windowMarks = (all: readonly (readonly Sample[])[]): readonly ProfileMark[] =>
  all.flatMap(([first], index) =>
    first === undefined ? [] : [{ kind: 'window' as const, at: first.sentAt, text: `burst ${index + 1}` }],
  );
