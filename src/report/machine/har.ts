import { header } from '../../wire/exchange/headers.js';
import type { Entry, Header, Log, QueryString, Response } from 'har-format';
import type { Answer, Exchange } from '../../wire/exchange/types.js';
import { addressOf } from '../../wire/exchange/request-target.js';
import type { RunLog } from '../../log/run-log.js';
import { counted } from '../../base/kernel/format.js';

const UNKNOWN = -1;

/**
 * Yields exchanges.har: the suites' exchanges as HAR 1.2, in order of sending, entry by entry, since the file
 * may be large. Keys were redacted when recorded. Load responses are missing, because only their figures are
 * kept. The HTTP version is the kit's. Lone surrogates are written as escapes.
 */
export function* harText({ header, exchanges }: RunLog): Generator<string> {
  const { origin } = new URL(header.target.baseUrl);
  const head: Omit<Log, 'entries'> = {
    version: '1.2',
    creator: header.kit,
    comment: `Run ${header.run} of ${header.target.name}, started ${header.startedAt}`,
  };
  yield `{"log": ${JSON.stringify(head, null, 1).slice(0, -2)},\n "entries": [`;
  for (const [at, exchange] of exchanges.toSorted((a, b) => a.sentAt - b.sentAt).entries())
    yield `${at === 0 ? '' : ','}\n${JSON.stringify(entryOf(exchange, origin), null, 1)}`;
  yield '\n]}}\n';
}

function entryOf(exchange: Exchange, origin: string): Entry {
  const { request, latencyMs, sentAt, attempts } = exchange;
  const again = attempts > 1 ? `, sent ${attempts} times` : '';
  return {
    startedDateTime: new Date(sentAt).toISOString(),
    time: latencyMs,
    request: {
      method: request.method,
      url: addressOf(origin, request.path),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(request.headers),
      queryString: queryOf(request.path),
      ...(request.body !== null && {
        postData: { mimeType: header(request.headers, 'content-type') ?? '', text: request.body },
      }),
      headersSize: UNKNOWN,
      bodySize: request.body === null ? 0 : Buffer.byteLength(request.body),
    },
    response: responseOf(exchange),
    cache: {},
    // Only the total time is measured, from sending to the last byte.
    timings: { send: 0, wait: latencyMs, receive: 0 },
    comment: `${exchange.id}: ${exchange.probe}${again}`,
  };
}

type Came = Pick<Exclude<Answer, { kind: 'none' }>, 'status' | 'headers' | 'text' | 'cutFrom'>;

/** Without a complete response: status 0 and `_error`, as in browsers' developer tools. */
function responseOf({ answer }: Exchange): Response & { _error?: string } {
  const { status, headers, text, cutFrom }: Came =
    answer.kind === 'response' ? answer : { status: 0, headers: [], text: '' };
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headersOf(headers),
    content: {
      size: cutFrom ?? Buffer.byteLength(text),
      mimeType: header(headers, 'content-type') ?? 'x-unknown',
      text,
      ...(cutFrom !== undefined && { comment: `the beginning of ${counted(cutFrom, 'byte')}` }),
    },
    redirectURL: header(headers, 'location') ?? '',
    headersSize: UNKNOWN,
    bodySize: UNKNOWN,
    ...(answer.kind === 'none' && { _error: `${answer.code}: ${answer.message}` }),
  };
}

const headersOf = (headers: Exchange['request']['headers']): Header[] =>
  headers.map(([name, value]) => ({ name, value }));

/** `URLSearchParams` accepts any text, even a lone percent sign. */
const queryOf = (path: string): QueryString[] => {
  const mark = path.indexOf('?');
  return mark < 0
    ? []
    : [...new URLSearchParams(path.slice(mark + 1))].map(([name, value]) => ({ name, value }));
};
