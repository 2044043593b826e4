import { wasServed } from '../../limits/answers.js';
import { duration } from '../../format/format.js';
import type { ProfileMark } from '../../log/record.js';
import { answered } from '../telling.js';
import type { Recovery } from './drive.js';

/** "Served again 0.4 s after Retry-After (58 s) was over." */
export function recoverySentence({ series: { refusal, retry, resetRetry }, resetAt }: Recovery): string {
  if (retry === null) return 'No request was sent after the wait.';
  const waited = duration(retry.sentAt - refusal.answeredAt);
  const told = refusal.retryAfter === null ? 'no Retry-After' : `Retry-After: ${refusal.retryAfter}`;
  const first = wasServed(retry) ? 'Served again' : answered(retry, 'Asked again and');
  const second =
    resetRetry === null
      ? ''
      : `, and ${wasServed(resetRetry) ? 'served' : answered(resetRetry, '')} ${resetAt !== null ? 'after Reset' : 'later'}`;
  return `${first} ${waited} after the 429 (${told})${second}.`;
}

/** "Served after Reset, 60.3 s after the 429." */
export function resetSentence({ series: { refusal, resetRetry } }: Recovery): string {
  if (resetRetry === null) return 'X-RateLimit-Reset was not tested.';
  const what = wasServed(resetRetry) ? 'Served' : answered(resetRetry, 'Asked and');
  return `${what} after Reset, ${duration(resetRetry.sentAt - refusal.answeredAt)} after the 429.`;
}

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
