import { now } from '../wire/exchange/connection.js';

/**
 * Delay of work after a response, ms: a client that sends its next request immediately is not kept waiting by
 * its last one.
 */
const SOON_MS = 3;
/** Rest of the traffic after which work that can wait is done, ms, and the longest piece of it. */
const REST_MS = 50;
const PIECE_MS = 5;
/** Most pieces of work that wait, so that memory stays bounded in traffic that never rests. */
const MOST_WAITING = 200;

/** Does work a moment after it came, in order, all that came together at one time. */
export function soonAfter<One>(work: (one: One) => void) {
  let waiting: One[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const all = waiting;
    waiting = [];
    for (const one of all) work(one);
  };
  return {
    add(one: One): void {
      waiting.push(one);
      timer ??= setTimeout(flush, SOON_MS);
    },
    flush,
  };
}

/** Does work in order while nothing comes, and the rest at the end. */
export function atRest<One>(work: (one: One) => void) {
  const waiting: One[] = [];
  let last = 0;
  const doFirst = (): void => {
    const [first] = waiting.splice(0, 1);
    if (first !== undefined) work(first);
  };
  const timer = setInterval(() => {
    const at = now();
    if (at - last < REST_MS) return;
    while (waiting.length > 0 && now() - at < PIECE_MS) doFirst();
  }, REST_MS).unref();
  return {
    add(one: One): void {
      last = now();
      waiting.push(one);
      if (waiting.length > MOST_WAITING) doFirst();
    },
    /** Does all that waits, and ends. */
    end(): void {
      clearInterval(timer);
      while (waiting.length > 0) doFirst();
    },
  };
}
