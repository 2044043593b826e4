import type { Page } from '../checks/listing.js';
import { listingAsked } from '../checks/listed.js';
import { readPets } from '../checks/pets.js';
import { now } from '../exchange/connection.js';
import type { Exchange } from '../exchange/types.js';
import { PATIENCE_MS } from '../probes/context.js';
import { createListingHistory } from '../probes/listing-history.js';
import { viewStore } from '../probes/store.js';
import { grouped } from '../format/grouped.js';
import { judgeOverdue, type Overdue } from './judge.js';
import type { Counterexample, Stage } from './perform.js';

/** What became of reads that had missed something: those that still do, by the story that missed it. */
export interface Settled {
  readonly path?: string;
  readonly exchanges: readonly Exchange[];
  readonly counterexamples: readonly Counterexample[];
}

/** An overdue read, and the story that it is of. */
export type Missed = Overdue & { readonly path?: string };

/**
 * Asks once more for all that was missed, when it has had the time that every animal has to show up: each request once,
 * whatever it missed.
 */
export async function settle(missed: readonly Missed[], stage: Stage): Promise<readonly Settled[]> {
  if (missed.length === 0) return [];
  const since = Math.max(...missed.map((each) => each.since));
  const ms = since + PATIENCE_MS - now();
  if (ms > 0) await stage.line.pause({ ms, what: 'what was created to show up' });
  const settled: Settled[] = [];
  for (const of of grouped(missed, ({ ask }) => ask.spec.probe).values()) {
    const [first] = of;
    const answers = first ? await stage.line.send([first.ask.spec]) : null;
    const exchange = answers?.[0];
    if (!first || !exchange) break;
    stage.onAnswer(first.ask, exchange, [], 'alone');
    stage.world.learn(exchange);
    for (const each of of) {
      const violations = judgeOverdue(each, exchange, stage.world, stage.context, (page) => isWhole(page, stage));
      if (violations.length === 0) continue;
      const created = stage.world.own.get(each.id)?.created.exchange;
      settled.push({
        ...(each.path !== undefined && { path: each.path }),
        exchanges: [...(created ? [created] : []), exchange],
        counterexamples: violations.map((violation) => ({ act: each.ask.act, violation })),
      });
    }
  }
  return settled;
}

/** Whether a page shows all that matches, as the suites tell it: where the target ends its pages is read off its other pages. */
function isWhole(page: Page, { world, context }: Stage): boolean {
  const asked = listingAsked(page.exchange, context);
  if (!asked) return false;
  const created = [...world.own.values()].map((own) => own.created.exchange);
  const all = [...world.pages(), ...created].toSorted((one, other) => one.sentAt - other.sentAt);
  const { whole } = createListingHistory({
    courier: { exchanges: () => all },
    judging: context,
    page: (exchange: Exchange) => ({ exchange, reading: readPets(exchange, context) }),
    store: () => viewStore(all),
    acceptedCreations: () => created,
  });
  return whole({ page, ...asked });
}
