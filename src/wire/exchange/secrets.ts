import type { ClientExchange, RecordedBody } from './client-exchange.js';
import { changed } from './recorded.js';
import { isSecretName } from './secret-names.js';
import { hiddenInBody, hiddenInText, hiddenValue, type OnHidden } from './secret-texts.js';

/**
 * Replaces the values of secrets that are not the service's keys, wherever an exchange names them: in
 * headers, queries and members of bodies, of the request and of the response. Everything else stays as it is,
 * to the character. Doing it twice changes nothing.
 */
export function withoutSecrets(
  exchange: ClientExchange,
  onHidden: OnHidden = () => undefined,
): ClientExchange {
  return changed(exchange, {
    target: (target) => hiddenInText(target, onHidden),
    header: ([name, value]) => [
      name,
      // Its reader replaces the credential in Authorization, and keeps the name of a known key.
      isSecretName(name) && name.toLowerCase() !== 'authorization'
        ? hiddenValue(name, value, onHidden)
        : hiddenInText(value, onHidden),
    ],
    body: (body) => inBody(body, onHidden),
  });
}

/** Returns the names of secrets in records from which they were removed, sorted, each once in any letter case. */
export function hiddenNames(exchanges: readonly ClientExchange[]): readonly string[] {
  const names = new Map<string, string>();
  for (const exchange of exchanges)
    withoutSecrets(exchange, (name) => {
      if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
    });
  return [...names].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, name]) => name);
}

function inBody(body: RecordedBody, onHidden: OnHidden): RecordedBody {
  if (!('text' in body)) return body;
  const hidden = hiddenInBody(body.text, onHidden);
  return hidden === body.text ? body : { ...body, text: hidden };
}
