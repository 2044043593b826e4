import type { ClientRequest, ServerResponse } from 'node:http';
import { pairsOf } from '../exchange/headers.js';
import type { Header } from '../exchange/types.js';

/** A comma between two links, in front of the next one's address (RFC 8288, 3). */
const BETWEEN_LINKS = /,\s*(?=<)/;

/**
 * Passes on the interim responses that Node can write: 100, 102 and 103 (RFC 9110, 15.2). A client of
 * HTTP/1.0 knows none.
 */
export function passInterim(upstream: ClientRequest, response: ServerResponse): void {
  const isOpen = (): boolean => !response.headersSent && !response.destroyed;
  upstream.once('continue', () => {
    if (isOpen()) response.writeContinue();
  });
  upstream.on('information', ({ statusCode, rawHeaders }) => {
    if (!isOpen()) return;
    if (statusCode === 102) response.writeProcessing();
    if (statusCode === 103) writeHints(response, pairsOf(rawHeaders));
  });
}

const isLink = ([name]: Header): boolean => name.toLowerCase() === 'link';

/**
 * Writes early hints (RFC 8297). Node throws for a link of another form than its own: such a hint is lost,
 * and the response still comes.
 */
function writeHints(response: ServerResponse, headers: readonly Header[]): void {
  const link = headers.filter(isLink).flatMap(([, value]) => value.split(BETWEEN_LINKS));
  const others = headers.filter((header) => !isLink(header)).map(([name, value]) => [name, value] as const);
  try {
    response.writeEarlyHints({ ...Object.fromEntries(others), link });
  } catch {
    // A hint changes nothing of the response.
  }
}
