import type { ClientExchange, RecordedBody } from '../wire/exchange/client-exchange.js';
import { count } from '../base/kernel/format.js';

/** Most exchanges of a record: an hour of a Business key's limit, about 100 MB of log. */
const MOST_EXCHANGES = 60_000;
/** Characters of bodies that stay in memory until the end, for judging the client: about 10 kB for each of the first 6,000. */
const MOST_CHARACTERS = 64_000_000;

/** Returns what bounds a record of any length: later bodies are missing, and at the end exchanges are only counted. */
export function bounded({ exchanges = MOST_EXCHANGES, characters = MOST_CHARACTERS } = {}) {
  let taken = 0;
  let size = 0;
  const keep = (body: RecordedBody): RecordedBody => {
    if (body.kind !== 'whole' && body.kind !== 'cut') return body;
    size += body.text.length;
    return size <= characters
      ? body
      : { kind: 'missing', why: `the record keeps ${count(characters)} characters of bodies` };
  };
  return {
    /** Why an exchange was only counted. */
    reason: `beyond the first ${count(exchanges)} requests`,
    /** Returns the exchange as the record keeps it; null if it is full. */
    take(exchange: ClientExchange): ClientExchange | null {
      taken += 1;
      if (taken > exchanges) return null;
      const { request, answer } = exchange;
      return {
        ...exchange,
        request: { ...request, body: keep(request.body) },
        answer: answer.kind === 'response' ? { ...answer, body: keep(answer.body) } : answer,
      };
    },
  };
}
