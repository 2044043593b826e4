import type { RequirementId } from '../base/interface/types.js';
import { rateFactsOf } from '../judge/checks/rate-headers.js';
import { surplusFinding } from '../judge/checks/passive.js';
import { nothingKnown } from '../wire/exchange/kept-connection.js';
import { now } from '../wire/exchange/connection.js';
import { answeredAt } from '../wire/exchange/headers.js';
import { PATIENCE_MS } from '../judge/world/known-animals.js';
import { createSender } from '../wire/exchange/sender.js';
import { explore } from '../drive/explore/explore.js';
import { PacedLine } from '../drive/explore/paced-line.js';
import type { Exchange } from '../wire/exchange/types.js';
import { judging } from '../judge/checks/judging.js';
import { planOf } from '../wire/targets/target.js';
import type { ProfilesOptions } from './load-profiles.js';
import type { ExploreRequest, RunRequest } from './request.js';

interface ExploringOptions extends Pick<ProfilesOptions, 'removal' | 'journal' | 'learnt'> {
  readonly request: Pick<RunRequest, 'target' | 'run' | 'writes'>;
  readonly asked: ExploreRequest;
  readonly broken: ReadonlySet<RequirementId>;
  readonly signal?: AbortSignal | undefined;
  /** Last response to the key before, or `load`, after which its Remaining is unknown. */
  readonly before?: Exchange | 'load' | null;
  /** Newest creation of the suites: a fetch may not find its animal yet, though listings show it. */
  readonly added?: Exchange | undefined;
}

export async function exploreTarget(options: ExploringOptions): Promise<void> {
  const { request, asked, removal, journal, broken, signal, learnt, before = null, added } = options;
  const { target, run, writes } = request;
  journal.append({ type: 'phase', phase: 'explore', at: Date.now() });
  const plan = planOf(target, target.suiteKey);
  let number = 0;
  const afterwards = nothingKnown(learnt);
  const line = new PacedLine({
    openSender: () =>
      createSender({
        baseUrl: target.baseUrl,
        run,
        limits: { ...target.http, ...(signal && { signal }) },
        nextId: () => `e${(number += 1)}`,
        afterwards,
        onSurplus: (after) => journal.append({ type: 'finding', finding: surplusFinding(after) }),
      }),
    key: target.keys[target.suiteKey]?.reveal() ?? '',
    most: asked.requests,
    windowMs: target.windows.minute * 1000,
    perMinute: plan.perMinute,
    exclusive: target.exclusive,
    signal,
    last: before === 'load' ? undefined : (before ?? undefined),
    onPause: ({ ms, what }) => journal.append({ type: 'waiting', what, until: Date.now() + ms }),
  });
  try {
    await explore({
      line,
      journal,
      context: {
        ...judging(),
        rates: rateFactsOf({ plan, windows: target.windows, banSeconds: target.ban.maxSeconds }),
      },
      plan: target.suiteKey,
      seed: asked.seed,
      animals: asked.animals,
      writes,
      fetches: removal === 'before',
      replay: asked.replay,
      onward: asked.onward,
      broken,
      signal,
      ready: async () => {
        if (before === 'load')
          await line.pause({
            ms: target.windows.minute * 1000 + 1000,
            what: 'the key’s rate limit to reset after load',
          });
        const ms = (added ? answeredAt(added) + PATIENCE_MS : -Infinity) - now();
        if (ms > 0) await line.pause({ ms, what: 'created animals to appear' });
      },
    });
  } finally {
    await line.close();
  }
}
