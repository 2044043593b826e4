import { size } from '../format/format.js';
import type { Misframed } from './misframed.js';

/** What tells that a connection is over. */
export interface Closing {
  once(event: 'close', listener: () => void): unknown;
}

/** Of bodies that are not whole, on all connections together, in bytes: beside it a run needs some 150 MB. */
const MOST_HELD = 128 * 2 ** 20;

let all = 0;

/** What one connection holds of a body that is not whole. */
export interface HeldBody {
  /** Counts further bytes; says when all connections together hold too much. */
  readonly add: (bytes: number) => Misframed | null;
  /** The body is whole. */
  readonly end: () => void;
}

/**
 * Counts a connection's unfinished body among those of all others, until it is whole or the connection is over: hundreds of
 * bodies that never end would take all memory, though none of them is too large.
 * @param maxBodyBytes of one body, for which there is always room
 */
export function heldBody(connection: Closing, maxBodyBytes: number): HeldBody {
  const most = Math.max(MOST_HELD, 2 * maxBodyBytes);
  let own = 0;
  const end = (): void => {
    all -= own;
    own = 0;
  };
  connection.once('close', end);
  return {
    end,
    add: (bytes) => {
      all += bytes;
      own += bytes;
      return all <= most
        ? null
        : { code: 'too-large', message: `the unfinished bodies of all connections are larger than ${size(most)}` };
    },
  };
}
