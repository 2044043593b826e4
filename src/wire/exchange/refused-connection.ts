import type { TimedAnswer, WireRequest } from './connection.js';

/** Rests after closing connections in which a server may learn of it, before each new attempt, ms. */
export const RESTS_MS = [25, 100, 400] as const;

/** True if a new connection was refused, or closed before a response to a request that may be sent again. */
export const isRefused = (
  { answer, reuse, isUnsent }: Pick<TimedAnswer, 'answer' | 'reuse' | 'isUnsent'>,
  { method }: Pick<WireRequest, 'method'>,
): boolean =>
  answer.kind === 'none' &&
  reuse === undefined &&
  (answer.code === 'refused' || answer.code === 'reset') &&
  (isUnsent === true || method !== 'POST');
