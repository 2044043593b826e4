import { filesUnread, nameOfRequest, type Traffic } from '../../wire/exchange/client-exchange.js';
import { kept, observed, unestablished, violated, type Judgement } from '../findings/finding.js';
import { readRequest, soundnessOf } from './as-read.js';

/**
 * `client-valid-request`, part 4: requests to the declared operations are what the interface declares.
 *
 * Why it cannot be wrong in the client's disfavour: it reads the bytes of the request, whatever the server
 * answered. Everything that can be read as valid is valid (`05`, `7.0`, a parameter twice); what the
 * interface does not declare is not judged; a body that the record lacks proves nothing. A parameter or an id
 * that holds the key breaks `client-bearer-key` only.
 */
export const requestsAreValid = (traffic: Traffic): readonly Judgement[] =>
  traffic.exchanges.flatMap((exchange) => {
    const { target, remarks } = readRequest(exchange, traffic);
    if (exchange.origin !== undefined || target.operation === null) return [];
    const name = nameOfRequest(exchange, traffic.basePath);
    const soundness = soundnessOf(remarks);
    const unread = target.operation === 'createPet' ? filesUnread(exchange).request : null;
    return [
      ...(unread === null
        ? []
        : [unestablished('file-missing', `a body is not known: ${unread}`, [exchange])]),
      ...remarks.flatMap(({ kind, what, expected = '' }) => {
        if (kind === 'wrong')
          return [violated([exchange], `the client sent ${what} in “${name}”`, { expected, actual: what })];
        return kind === 'open' ? [observed([exchange], what, 'requests')] : [];
      }),
      ...(soundness === 'sound' || soundness === 'open' ? [kept([exchange])] : []),
    ];
  });
