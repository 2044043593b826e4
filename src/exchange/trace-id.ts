import type { Exchange } from './types.js';

/** The trace id of a traceparent (W3C Trace Context): 32 hexadecimal digits behind the version. */
export const traceIdOf = (traceparent: string): string => traceparent.split('-')[1] ?? '';

/** The trace id that a request carried, by which a server's own traces can be searched; null where it carried none. */
export function traceOf({ request }: Pick<Exchange, 'request'>): string | null {
  const [, value = ''] = request.headers.find(([name]) => name === 'traceparent') ?? [];
  const id = traceIdOf(value);
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}
