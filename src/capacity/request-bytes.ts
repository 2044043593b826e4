import { bytesOf, traceparentIn, wireOf } from '../load/requests.js';
import type { EngineContext } from './engine-context.js';
import type { Prepared } from './requests.js';

/** Gives requests as they go over the wire; those that are sent again and again are put together once. */
export function requestBytes({ origin, keys }: Pick<EngineContext, 'origin' | 'keys'>): (request: Prepared) => Buffer {
  const { host } = new URL(origin);
  const known = new WeakMap<Prepared, Buffer>();
  return (request) => {
    // No other request is as this one: it is sent once.
    if (request.known === null) return serialized(request, keys, host);
    const bytes = known.get(request);
    if (bytes) return bytes;
    const fresh = serialized(request, keys, host);
    known.set(request, fresh);
    return fresh;
  };
}

const traces = new WeakMap<Prepared, string>();

/** The traceparent of a request as it was last put together: those that are sent again and again share one. */
export const traceparentOf = (request: Prepared): string => traces.get(request) ?? '';

function serialized(request: Prepared, keys: EngineContext['keys'], host: string): Buffer {
  const { spec, key } = request;
  const context = keys.get(key)?.context;
  if (!context) throw new RangeError('A request with a key that the run does not know.');
  const wire = wireOf(spec, context);
  traces.set(request, traceparentIn(wire));
  return bytesOf(wire, host);
}
