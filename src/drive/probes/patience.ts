import { isOfGateway } from '../../wire/exchange/gateway.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { pauseAfter, type Pause } from './waits.js';

export interface Patience {
  readonly again: () => Promise<Exchange>;
  readonly pause: (pause: Pause) => Promise<void>;
  /** Length of the plan's minute on this target, ms. */
  readonly windowMs: number;
  readonly isSpent?: () => boolean;
  /** True if a 502, 503 or 504 is final, because the target was still unavailable after earlier waits. */
  readonly isUnavailable?: boolean;
}

/**
 * Waits and sends a request again as long as an unexpected 429, 502, 503 or 504 asks for it (part 8,
 * "Exceeding the limit").
 *
 * @param first its first response
 * @returns the last response, and the number of waits before it
 */
export async function retryPatiently(
  first: Exchange,
  { again, pause, windowMs, isSpent = () => false, isUnavailable = false }: Patience,
): Promise<{ readonly exchange: Exchange; readonly waits: number }> {
  let exchange = first;
  for (let waits = 0; ; waits += 1) {
    const isFinal = isSpent() || (isUnavailable && isOfGateway(exchange));
    const after = isFinal ? null : pauseAfter(exchange, waits, windowMs);
    if (!after) return { exchange, waits };
    await pause(after);
    exchange = await again();
  }
}
