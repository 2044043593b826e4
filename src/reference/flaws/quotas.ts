import type { OperationName } from '../../contract/types.js';
import type { Behaviour, Change, Context } from '../behaviour.js';
import { both, chain, of, onHeader, RATE_HEADERS, seams, withStatus } from '../changes.js';
import { fixedWindow } from '../limiters/fixed-window.js';
import type { Limiter } from '../limiters/limiter.js';
import { withHeader } from '../messages.js';
import { flawsTurning } from '../registry.js';

const [, REMAINING] = RATE_HEADERS;

/** Refuses an operation beyond so many a minute, whatever is left of the plan. */
const allowing = (operation: OperationName, limit: number): Change =>
  seams(({ operations, refuse, retryAfter }): Partial<Behaviour> => {
    const quotas = new Map<string, Limiter>();
    return {
      operations: {
        ...operations,
        [operation]: (context: Context) => {
          const { caller, request, settings } = context;
          const whose = caller.kind === 'known' ? caller.key : '';
          const quota = quotas.get(whose) ?? fixedWindow({ limit, windowMs: settings.minuteSeconds * 1000 });
          quotas.set(whose, quota);
          const { admits, retryAt } = quota.look(request.at);
          if (!admits)
            return withHeader(
              refuse(context, { kind: 'limited', retryAt }),
              'Retry-After',
              retryAfter(retryAt, context) ?? '',
            );
          quota.take(request.at);
          return operations[operation](context);
        },
      },
    };
  });

/** Operations that have a smaller allowance of their own, besides the plan's. */
export const quotaFlaws = flawsTurning(['rate-remaining-counts'], 'suites', {
  'creations-ten-a-minute': {
    title: 'A second limiter stands before creations and allows ten a minute; its 429 says that nothing is left.',
    change: chain(
      onHeader(REMAINING, both(of('createPet'), withStatus(429)), () => '0'),
      allowing('createPet', 10),
    ),
  },
  'fetches-three-a-minute': {
    title: 'The deprecated operation was throttled to three requests a minute, to hasten its users.',
    change: allowing('getPet', 3),
  },
});
