import type { Sample } from '../limits/sample.js';

/** Puts samples of requests side by side, which are answered in any order, into the order of sending. */
export interface SendingOrder {
  /** A request is about to be sent, and no sample of it can be older; what this gives is called when it has been answered. */
  readonly begin: (at: number) => () => void;
  readonly take: (sample: Sample) => void;
}

/**
 * Hands each sample on as soon as none that was sent before it can still come: it keeps what was answered meanwhile, and
 * no more.
 */
export function sendingOrder(handOn: (sample: Sample) => void): SendingOrder {
  // In the order of beginning, so that the first of them is the oldest.
  const underWay = new Set<{ readonly at: number }>();
  let waiting: Sample[] = [];

  const release = (): void => {
    const [oldest] = underWay;
    const until = oldest?.at ?? Infinity;
    waiting.sort((one, other) => one.sentAt - other.sentAt);
    const found = waiting.findIndex(({ sentAt }) => sentAt >= until);
    const ready = found < 0 ? waiting.length : found;
    waiting.slice(0, ready).forEach(handOn);
    waiting = waiting.slice(ready);
  };

  return {
    begin(at) {
      const request = { at };
      underWay.add(request);
      return () => {
        underWay.delete(request);
        release();
      };
    },
    take: (sample) => void waiting.push(sample),
  };
}
