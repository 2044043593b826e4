import type { Change } from '../behaviour.js';
import { isOperation, of, onFigures, onHeader, RATE_HEADERS, withStatus } from '../changes.js';
import { planOf } from '../options.js';
import { flawsOf, flawsTurning } from '../registry.js';

const REFUSED = withStatus(429);

const [LIMIT, REMAINING, RESET] = RATE_HEADERS;

/** Mistakes in the figures that the headers carry, the limit itself being kept. */
export const figureFlaws = [
  ...flawsTurning(['rate-limit-value'], 'load', {
    'limit-header-of-another-plan': {
      title: 'Limit is 100 for a Free key, a figure of last year.',
      change: onFigures((figures) => (figures.limit === 60 ? { ...figures, limit: 100 } : figures)),
    },
    'limit-header-counts-down': {
      inSuites: true,
      title: 'Limit is what is left, as Remaining is.',
      change: onFigures((figures) => ({ ...figures, limit: figures.remaining })),
    },
    'limit-header-differs-on-creations': {
      inSuites: true,
      title: 'Limit is one more on creations: another route, another copy of the figures.',
      change: onHeader(LIMIT, of('createPet'), (limit) => String(Number(limit) + 1)),
    },
  }),
  ...flawsTurning(['rate-remaining-counts'], 'load', {
    'remaining-constant': {
      inSuites: true,
      title: 'Remaining never changes.',
      also: ['rate-all-operations'],
      change: onFigures((figures) => ({ ...figures, remaining: figures.limit - 1 })),
    },
    'remaining-falls-by-two': {
      inSuites: true,
      title: 'Remaining falls by two a request, though the limit counts one.',
      change: onFigures((figures) => ({
        ...figures,
        remaining: Math.max(0, figures.limit - 2 * (figures.limit - figures.remaining)),
      })),
    },
    'remaining-one-behind': {
      title: 'Remaining is read before the request is counted, so that the last one served leaves 1.',
      change: onAnswersServed((remaining) => remaining + 1),
    },
  }),
  ...flawsOf('load', {
    'remaining-full-on-creations': {
      inSuites: true,
      title: 'On creations Remaining is the whole limit, from a counter of their own that nothing raises.',
      turns: ['rate-all-operations'],
      also: ['rate-remaining-counts'],
      change: onFigures((figures, context) =>
        isOperation(context, 'createPet') ? { ...figures, remaining: figures.limit } : figures,
      ),
    },
    'remaining-below-zero-past-limit': {
      title: 'Remaining falls below zero once requests are refused.',
      turns: ['rate-headers-wellformed'],
      change: onHeader(REMAINING, REFUSED, () => '-1'),
    },
    'remaining-left-on-429': {
      title: 'A 429 says that five requests are left.',
      turns: ['rate-remaining-counts'],
      change: onHeader(REMAINING, REFUSED, () => '5'),
    },
    'remaining-above-limit-at-first': {
      title: 'Remaining starts one above Limit.',
      turns: ['rate-headers-wellformed'],
      also: ['rate-remaining-counts'],
      change: onAnswersServed((remaining, limit) => (remaining === limit - 1 ? limit + 1 : remaining)),
    },
    'reset-past-on-429': {
      title: 'The Reset of a 429 is the time at which the window began.',
      turns: ['rate-headers-wellformed'],
      change: onHeader(RESET, REFUSED, (reset) => String(Number(reset) - 3_600)),
    },
  }),
];

/** Another Remaining on answers to requests that were served. */
function onAnswersServed(alter: (remaining: number, limit: number) => number): Change {
  return onHeader(
    REMAINING,
    (answer, { caller }) => answer.status !== 429 && caller.kind === 'known',
    (remaining, { caller, settings }) =>
      caller.kind === 'known'
        ? String(alter(Number(remaining), settings.plans[planOf(caller.key)].perMinute))
        : remaining,
  );
}
