import { RATE_HEADERS } from '../../base/interface/rate-headers.js';
import { violated, type Judgement } from '../findings/finding.js';
import { count, counted } from '../../base/kernel/format.js';
import type { Figures } from './bounds.js';
import { dearFalls, isBeyondRefill, type Fall } from './falls.js';

interface Miscount {
  readonly judgement: Judgement;
  readonly falls: readonly Fall[];
}

/** Describes falls by more than one at an operation: "it fell by 6 over 3 requests of listPets". */
export function dearText(dear: readonly Fall[]) {
  const sum = dear.reduce((total, { fall }) => total + fall, 0);
  const text = `it fell by ${count(sum)} over ${counted(dear.length, 'request')} of ${dear[0]?.to.operation}`;
  return { sum, text };
}

/**
 * Finds a Remaining that falls by more than one at an operation each time, or stays at more requests than a
 * refill explains; null without.
 *
 * @param name subject of the sentence, such as "The free plan"
 */
export function miscounted(
  name: string,
  falls: readonly Fall[],
  figures: Figures,
  isOfDay = false,
): Miscount | null {
  const found = (wrong: readonly Fall[], actual: string, most: number, got: number): Miscount => ({
    judgement: violated(
      [],
      `${name}'s Remaining${isOfDay ? ' of the day' : ''} does not count its requests.`,
      {
        expected: `${RATE_HEADERS.remaining} that falls by one a request`,
        actual,
        measured: { most, got, ...(isOfDay && { what: ['day'] }) },
      },
    ),
    falls: wrong,
  });
  const dear = dearFalls(falls);
  if (dear.length > 0) {
    const { sum, text } = dearText(dear);
    return found(dear, text, dear.length, sum);
  }
  const clear = falls.filter(({ isKnown }) => isKnown);
  const short = clear.filter(({ isShort }) => isShort);
  if (!isBeyondRefill(short, figures)) return null;
  const actual = `it did not fall at ${count(short.length)} of ${counted(clear.length, 'request')}`;
  return found(short, actual, clear.length, clear.length - short.length);
}
