import { statusOf } from './headers.js';
import type { Exchange } from './types.js';

/**
 * Status codes of a gateway without a response from its service (RFC 9110, 15.6.3 to 15.6.5). A service that
 * is down or restarts for a moment shows itself in all three: which one depends on the gateway in front of
 * it.
 */
export const OF_A_GATEWAY: readonly number[] = [502, 503, 504];

export const isOfGateway = (exchange: Pick<Exchange, 'answer'>): boolean =>
  OF_A_GATEWAY.includes(statusOf(exchange) ?? 0);

/** True for a response of a target that is unavailable, to a request that expects another one. */
export const isOfOutage = (exchange: Pick<Exchange, 'intent' | 'answer'>): boolean =>
  isOfGateway(exchange) && !isExpected(exchange, statusOf(exchange) ?? 0);

export const isExpected = ({ intent }: Pick<Exchange, 'intent'>, status: number): boolean =>
  intent.kind === 'expects' && intent.statuses.includes(status);
