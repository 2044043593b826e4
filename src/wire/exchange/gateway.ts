import { statusOf } from './headers.js';
import type { Exchange } from './types.js';

/**
 * Status codes of a gateway without a response from its service (RFC 9110, 15.6.3 to 15.6.5). A service that
 * is down or restarts for a moment shows itself in all three: which one depends on the gateway in front of
 * it.
 */
export const OF_A_GATEWAY: readonly number[] = [502, 503, 504];

/** True for a response that a gateway may have sent in the service's place. */
export const isOfGateway = (exchange: Exchange): boolean => OF_A_GATEWAY.includes(statusOf(exchange) ?? 0);
