import type { IncomingHttpHeaders } from 'node:http';
import { RATE_HEADERS } from '../../base/interface/rate-headers.js';
import type { Header } from '../../wire/exchange/types.js';

/** Headers that a page may read only where a server names them (Fetch, 4.7). */
const EXPOSED = ['Retry-After', ...Object.values(RATE_HEADERS)].join(', ');

/**
 * Returns the headers without which the page of another origin cannot read a response: it would see a failed
 * connection, and no Retry-After (Fetch, 3.3.3). With credentials a browser accepts the origin itself only.
 * None for a request without Origin.
 */
export const readableElsewhere = ({ origin }: IncomingHttpHeaders): readonly Header[] =>
  origin === undefined
    ? []
    : [
        ['Access-Control-Allow-Origin', origin],
        ['Access-Control-Allow-Credentials', 'true'],
        ['Access-Control-Expose-Headers', EXPOSED],
      ];

/** Returns the headers of the answer to a preflight, which allow what it asks for. */
export const allowed = (headers: IncomingHttpHeaders): readonly Header[] => [
  ...readableElsewhere(headers),
  [
    'Access-Control-Allow-Headers',
    headers['access-control-request-headers'] ?? 'Authorization, Content-Type',
  ],
  ['Access-Control-Allow-Methods', headers['access-control-request-method'] ?? 'GET, POST'],
  ['Access-Control-Max-Age', '600'],
];
