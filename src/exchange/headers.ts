import { randomBytes } from 'node:crypto';
import type { Exchange, Header } from './types.js';

/** The value of a header, its name in any case; several of one name joined as RFC 9110 section 5.3 allows; null when absent. */
export function header(headers: readonly Header[], name: string): string | null {
  const wanted = name.toLowerCase();
  let joined: string | null = null;
  for (const [candidate, value] of headers) {
    // Few names have the same length, and comparing that costs nothing.
    if (candidate.length !== wanted.length || candidate.toLowerCase() !== wanted) continue;
    joined = joined === null ? value : `${joined}, ${value}`;
  }
  return joined;
}

/** Headers from one flat list of names and values in turn. */
export const pairsOf = (flat: readonly string[]): Header[] =>
  Array.from({ length: Math.floor(flat.length / 2) }, (_, at) => [flat[at * 2] ?? '', flat[at * 2 + 1] ?? ''] as const);

/** A header of an exchange's answer; null when it is absent or no answer came. */
export const answerHeader = ({ answer }: Exchange, name: string): string | null =>
  answer.kind === 'response' ? header(answer.headers, name) : null;

/** The answer's status; null when no whole answer came. */
export const statusOf = ({ answer }: Exchange): number | null => (answer.kind === 'response' ? answer.status : null);

/** An operation and the status that it was answered with, as `getPet 404`. */
export const kindOfAnswer = (exchange: Exchange): string => `${exchange.operation} ${statusOf(exchange)}`;

/** W3C Trace Context: the run's eight digits start every trace id, so that a server's own log can be searched for them. */
export const traceparent = (run: string): string =>
  `00-${run}${randomBytes(12).toString('hex')}-${randomBytes(8).toString('hex')}-01`;

/** The trace id of a traceparent (W3C Trace Context): 32 hexadecimal digits behind the version. */
export const traceIdOf = (traceparent: string): string => traceparent.split('-')[1] ?? '';

/** The trace id that a request carried, by which a server's own traces can be searched; null where it carried none. */
export function traceOf({ request }: Pick<Exchange, 'request'>): string | null {
  const [, value = ''] = request.headers.find(([name]) => name === 'traceparent') ?? [];
  const id = traceIdOf(value);
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}
