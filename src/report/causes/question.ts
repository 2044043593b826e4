import type { Exchange } from '../../exchange/types.js';

/** Headers that say nothing of what was asked. */
const IN_EVERY_REQUEST = /^(?:accept|accept-encoding|user-agent|traceparent|host|connection|content-(?:type|length))$/i;

/**
 * What a request asks, in words that are the same in every run: operation, credential, and path, query and body without
 * the names, ids and categories that belong to one store.
 */
export function questionOf({ operation, intent, request }: Exchange): string {
  const { method, path, headers, body } = request;
  const credential = headers.filter(([name]) => !IN_EVERY_REQUEST.test(name)).map((header) => header.join(' '));
  const [, query = ''] = path.split('?');
  const id = operation === 'getPet' ? idIn(path) : operation === null ? path : '';
  const row = intent.kind === 'declared' ? '' : intent.kind === 'open' ? intent.row : intent.chargedTo;
  return [operation ?? method, id && `${id} ${row}`, query, ...credential, bodyIn(body ?? '')].join('|');
}

/** Ids of a store are short; the kit's own, such as 2^63 - 1, are long. */
const idIn = (path: string): string => {
  const id = /([^/?]*)(?:\?|$)/.exec(path)?.[1] ?? '';
  return /^\d{1,18}$/.test(id) ? 'id' : id;
};

/** A body with the kit's names by their class, and a store's category as any. */
const bodyIn = (body: string): string =>
  body
    .replace(/"conformance-(?:[^"\\]|\\.)*"/g, (name) =>
      // oxlint-disable-next-line no-control-regex -- ASCII is what is meant
      name.length > 60 ? '"long"' : /^[\x00-\x7f]*$/.test(name) && !name.includes('\\') ? '"name"' : '"odd"',
    )
    .replace(/("categoryId":)\d{1,9}(?=[,}])/g, '$11')
    .replace(/^(\[[^,]*,)\d{1,9},/, '$11,');
