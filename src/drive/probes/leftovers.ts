import type { KnownPage } from '../../judge/checks/listing-asked.js';
import type { Page } from '../../judge/checks/listing.js';
import { mustBeRefused } from '../../judge/checks/status.js';
import { longestDelayMs } from '../../judge/world/leftovers.js';
import { fullestPages, isWhole, wholePages } from '../../judge/world/whole-pages.js';
import { PATIENCE_MS } from '../../judge/world/known-animals.js';
import { waitUntil } from '../../wire/exchange/connection.js';
import { answeredAt } from '../../wire/exchange/headers.js';
import type { ProbeContext } from './context.js';
import type { createListings } from './listings.js';

/**
 * Most requests with the key after that listing: the refusals and one more listing, fetches of added and
 * unknown animals, another method, and the listing's pages.
 */
const STILL_TO_COME = 45;

/** Usual delay of additions by a worker or a queue, ms. A run waits for them once. */
const IN_THE_BACKGROUND_MS = 400;

/** Longest pause to compare with a span, ms: a slow server makes spans long. */
const LONGEST_PAUSE_MS = 15_000;

/** Creates the probes of animals left by creations that must be refused. */
export function createLeftovers(
  { courier, judging, world, affords }: ProbeContext,
  { settled, listedNow, listedAgain }: ReturnType<typeof createListings>,
) {
  const limit = judging.contract.pageSize.max;

  /**
   * Lists all, after the last valid creation and before the first to be refused. It does not wait for
   * additions to show. If no request is left for it, only the name identifies a leftover.
   */
  async function beforeRefusals(): Promise<void> {
    if (!affords(1 + STILL_TO_COME)) return;
    const lastWrite = world().creations.findLast((exchange) => !mustBeRefused(exchange));
    const all = fullestPages(world());
    const isKnown = all.some(({ exchange }) => lastWrite === undefined || exchange.sentAt > lastWrite.sentAt);
    // A store larger than a page does not shrink.
    if (!isKnown && all.every((page) => isWhole(page, world()))) await listedNow({ limit });
  }

  /** Lists all after the refusals, at least as long after as background and own additions take to show. */
  async function afterRefusals(): Promise<KnownPage> {
    const last = world().creations.findLast(mustBeRefused);
    const since = last ? answeredAt(last) : -Infinity;
    if (wholePages(world()).length > 0) await waitUntil(since + IN_THE_BACKGROUND_MS);
    const page = await settled();
    const due = since + longestDelayMs(world());
    const isAmongWhole = wholePages(world()).some(({ exchange }) => exchange.id === page.exchange.id);
    if (!isAmongWhole || page.exchange.sentAt >= due) return page;
    await waitUntil(due);
    return listedAgain({ limit });
  }

  /**
   * Lists all again, after the time for late leftovers to show.
   *
   * @param ms wait for as long as this, if it is longer
   */
  async function afterAWhile(ms = 0): Promise<Page> {
    const pauseMs = Math.max(PATIENCE_MS / 2, Math.min(ms, LONGEST_PAUSE_MS));
    await courier.pause({ ms: pauseMs, what: 'animals of rejected creations to appear in listings' });
    return listedAgain({ limit });
  }

  return { beforeRefusals, afterRefusals, afterAWhile };
}
