import { announcesClose, headerIn } from '../exchange/headers.js';

/**
 * Fields of one connection, which an intermediary removes even if Connection does not name them (RFC 9110,
 * 7.6.1).
 */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Connection may not name these: without them the message would mean something else (RFC 9110, 7.6.1). */
const NEVER_REMOVED: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'set-cookie',
]);

interface Changes {
  /** Value of Host; null to leave it. */
  readonly host?: string | null;
  /** True if the receiver does not know chunks (HTTP/1.0). */
  readonly noChunks?: boolean;
}

/**
 * Returns the headers to pass on: all of the message, in their order and spelling, except those of the
 * connection and those that Connection names (RFC 9110, 7.6.1). A chunked message stays chunked, with its
 * header in the same place.
 *
 * @param flat alternate names and values, as Node reads them
 */
export function passedHeaders(
  flat: readonly string[],
  { host = null, noChunks = false }: Changes = {},
): string[] {
  const named = new Set(
    (headerIn(flat, 'connection') ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => !NEVER_REMOVED.has(name)),
  );
  const passed: string[] = [];
  for (let at = 0; at < flat.length; at += 2) {
    const [name = '', value = ''] = [flat[at], flat[at + 1]];
    const lower = name.toLowerCase();
    // Node frames the body anew, and writes chunks only where this header stands.
    if (lower === 'transfer-encoding' && /chunked/i.test(value) && !noChunks) passed.push(name, 'chunked');
    if (OF_CONNECTION.has(lower) || named.has(lower)) continue;
    passed.push(name, lower === 'host' && host !== null ? host : value);
  }
  return passed;
}

/** Returns whether a message ends its connection, as HTTP/1.0 does by default (RFC 9112, 9.3). */
export function endsConnection(flat: readonly string[], httpVersion: string): boolean {
  return (
    announcesClose(flat) ||
    (httpVersion === '1.0' && !/\bkeep-alive\b/i.test(headerIn(flat, 'connection') ?? ''))
  );
}
