import { resolveOnce } from '../../wire/exchange/resolve.js';
import { endpointOf } from '../../wire/targets/base-url.js';
import type { Target } from '../../wire/targets/target.js';

/**
 * Resolves the target's host for a whole run: preflight, suites and load connect to one address, whatever a
 * resolver or Node's switches of another process would choose. Without an address, each connection resolves
 * the host itself, and fails.
 *
 * @param signal ends the wait for a resolver
 */
export async function resolveTarget(target: Target, signal?: AbortSignal): Promise<Target> {
  const { host, port } = endpointOf(new URL(target.baseUrl));
  const address = await Promise.race([resolveOnce(host, port, target.http.timeoutMs), untilAborted(signal)]);
  return address === null ? target : { ...target, http: { ...target.http, address } };
}

const untilAborted = (signal: AbortSignal | undefined): Promise<null> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve(null);
    signal?.addEventListener('abort', () => resolve(null), { once: true });
  });
