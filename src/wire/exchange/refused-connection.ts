import type { TimedAnswer, WireRequest } from './connection.js';

/** Rests after closing connections in which a server may learn of it, before each new attempt, ms. */
export const RESTS_MS = [25, 100, 400] as const;

type Sent = Pick<TimedAnswer, 'answer' | 'reuse' | 'isUnsent'>;

/** True if a new connection was refused, or closed before a response. */
export const wasRefused = ({ answer, reuse }: Sent): boolean =>
  answer.kind === 'none' && reuse === undefined && (answer.code === 'refused' || answer.code === 'reset');

/** True if its new connection was refused, and the request may be sent again. */
export const isRefused = (sent: Sent, { method }: Pick<WireRequest, 'method'>): boolean =>
  wasRefused(sent) && (sent.isUnsent === true || method !== 'POST');
