import { count } from '../../base/kernel/format.js';
import type { ClientExchange, RecordedBody } from './client-exchange.js';
import { header } from './headers.js';
import type { Header } from './types.js';
import { parseRequestTarget } from './request-target.js';

/**
 * What every record of traffic does to an exchange, whether the reference server, the proxy or a HAR file's
 * recorder made it: it leaves out what is no request of the client, and keeps within bounds.
 */

/** Reasons why a message is no request of the client, in words that follow a number. */
export type OutOfScope = 'CORS preflights' | 'without the key, of no operation';

/**
 * Returns why a message at the service's origin is no request of the client; null if it is one: one for an
 * operation, or with a key.
 */
export function outOfScope(
  request: Pick<ClientExchange['request'], 'method' | 'target' | 'headers'>,
  { basePath, hasKey }: { readonly basePath: string; readonly hasKey: boolean },
): OutOfScope | null {
  if (isPreflight(request)) return 'CORS preflights';
  return hasKey || parseRequestTarget(request, basePath).operation !== null
    ? null
    : 'without the key, of no operation';
}

/** Returns whether a browser asks for permission before it sends a request (Fetch, 3.3.5). */
export const isPreflight = ({
  method,
  headers,
}: Pick<ClientExchange['request'], 'method' | 'headers'>): boolean =>
  method === 'OPTIONS' && header(headers, 'access-control-request-method') !== null;

interface Changes {
  readonly target?: (target: string) => string;
  readonly header?: (header: Header) => Header;
  readonly body: (body: RecordedBody) => RecordedBody;
}

const same = <Part>(part: Part): Part => part;

/** Changes texts of an exchange, those of headers and bodies in its request and its response alike. */
export function changed(
  exchange: ClientExchange,
  { target = same, header: ofHeader = same, body }: Changes,
): ClientExchange {
  const { request, answer } = exchange;
  const inMessage = <Message extends Pick<typeof request, 'headers' | 'body'>>(
    message: Message,
  ): Message => ({
    ...message,
    headers: message.headers.map(ofHeader),
    body: body(message.body),
  });
  return {
    ...exchange,
    request: { ...inMessage(request), target: target(request.target) },
    answer: answer.kind === 'none' ? answer : inMessage(answer),
  };
}

/**
 * Cuts the text of a body that is longer than `most` characters. The beginning is copied: a part of a text
 * keeps the whole text in memory.
 */
export const shortened = (body: RecordedBody, most: number): RecordedBody =>
  'text' in body && body.text.length > most
    ? { kind: 'cut', text: Buffer.from(body.text.slice(0, most)).toString(), why: 'it is too long to keep' }
    : body;

/** Longest body to keep when there is no more room, in characters: a creation is shorter. */
export const SHORT_BODY = 1024;

/**
 * Bounds a record of any length: of later bodies only the beginning is kept, and at the end exchanges are
 * only counted.
 */
export function recordBounds(most: {
  readonly exchanges: number;
  /** Characters of one body, and room for all. */
  readonly body: number;
  readonly room: number;
}) {
  let taken = 0;
  let { room } = most;
  const keep = (body: RecordedBody): RecordedBody => {
    if (body.kind !== 'whole' && body.kind !== 'cut') return body;
    const length = room > 0 ? most.body : SHORT_BODY;
    room -= Math.min(body.text.length, length);
    return shortened(body, length);
  };
  return {
    /** Why an exchange is only counted, in words that follow a number. */
    reason: `beyond the first ${count(most.exchanges)}`,
    isFull: (): boolean => taken >= most.exchanges,
    take(exchange: ClientExchange): ClientExchange {
      taken += 1;
      return changed(exchange, { body: keep });
    },
  };
}
