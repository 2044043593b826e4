import type { Exchange } from './types.js';

/**
 * Returns the ids of GET requests that got another status than an equal one before, or of one animal another
 * body: their fault may show only after that one.
 *
 * @param exchanges in order of sending
 */
export function laterFetches(exchanges: readonly Exchange[]): ReadonlySet<string> {
  const first = new Map<string, string>();
  return new Set(
    exchanges.flatMap((exchange) => {
      const { id, operation, credential, request, answer } = exchange;
      // A 429 speaks of the time, not of the request.
      if (request.method !== 'GET' || answer.kind !== 'response' || answer.status === 429) return [];
      const sent = JSON.stringify([request.path, credential]);
      // A listing changes with every creation.
      const got = JSON.stringify([answer.status, operation === 'getPet' ? answer.text : null]);
      const before = first.get(sent);
      if (before === undefined) first.set(sent, got);
      return before === undefined || before === got ? [] : [id];
    }),
  );
}
