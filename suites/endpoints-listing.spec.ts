import { observed, outOfScope, unestablished, untried } from '../src/checks/finding.js';
import type { Page } from '../src/checks/listing.js';
import {
  asManyAs,
  asManyAsFull,
  filled,
  noMoreThan,
  onlyWithStatus,
  onPage,
  petsOf,
  shows,
  underOneFilter,
} from '../src/checks/listing.js';
import { listingOutcome, orderOf, valuesOf } from '../src/checks/observing.js';
import { prerequisite } from '../src/checks/pets.js';
import { answers } from '../src/checks/status.js';
import type { PetStatus } from '../src/contract/contract.js';
import { countAnimals, mostCommonStatus } from '../src/probes/store.js';
import { obstacleTo } from '../src/probes/unsettled.js';
import { requirement, test } from '../src/suite/host.js';
import { beforeRemoval } from '../src/suite/removal.js';

/** Part 4, "List all animals", also as the replacement of the deprecated operation, and part 8, "Page size". */

/**
 * The requests that the rows of this file take from list-limit-default on: a page of 20, each filter without a limit and
 * with a small one, one filter with the largest, four limits out of range and a status that is none.
 */
const STILL_TO_COME = 13;

test(
  ...requirement('list-ok', async ({ probes, judge }) => {
    judge(answers('list-ok', (await probes.listed()).exchange));
  }),
);

test(
  ...requirement('list-limit-bounds', async ({ probes, contract, judge }) => {
    for (const limit of [contract.pageSize.min, contract.pageSize.max])
      judge(answers('list-limit-bounds', (await probes.listed({ limit })).exchange));
  }),
);

test(
  ...requirement('list-limit-max-items', async ({ probes, contract, judge }) => {
    await probes.holds(contract.pageSize.min + 1);
    for (const limit of [contract.pageSize.min, contract.pageSize.default, contract.pageSize.max]) {
      // Fewer animals than the limit cannot break it; the page is read all the same when it was asked for.
      if (countAnimals(probes.store()) > limit) judge(noMoreThan(limit, await probes.listedNow({ limit })));
    }
  }),
);

test(
  ...requirement('list-limit-default', async ({ probes, contract, judge }) => {
    const limit = contract.pageSize.default;
    await probes.holds(limit + 1);
    const status = mostCommonStatus(probes.store(), contract.statuses);
    const others = contract.statuses.filter((other) => other !== status);
    const fullOthers = others.filter((other) => countAnimals(probes.store(), other) >= limit);
    const withFilter = await probes.canHold(limit + 1, status, STILL_TO_COME + fullOthers.length);
    await probes.shown();
    await judgeDefault({}, await probes.listedSettled({ limit }));
    if (!withFilter) judge(untried(`the default with a filter, against too many (no status has ${limit + 1} animals)`));
    // The filters' pages are asked for anyway; their control only where they have fewer animals than they should.
    for (const filter of contract.statuses) {
      const matching = Math.min(limit, countAnimals(probes.store(), filter));
      const page = await probes.listedSettled({ status: filter });
      const control = petsOf(page).length < matching ? await probes.listedSettled({ status: filter, limit }) : null;
      if (countAnimals(probes.store(), filter) > limit) await judgeDefault({ status: filter }, control);
      // Too few to fill a page can still be more than a smaller default lets through.
      else if (control && petsOf(control).length >= matching) judge(asManyAs(page, control));
    }

    async function judgeDefault(query: { readonly status?: PetStatus }, control: Page | null): Promise<void> {
      const page = await probes.listedSettled(query);
      judge(noMoreThan(limit, page));
      if (control) judge(asManyAsFull(limit, page, control));
    }
  }),
);

test(
  ...requirement('list-status-filter', async ({ probes, contract, judge }) => {
    await probes.shown();
    for (const status of contract.statuses) {
      const shortage = await obstacleTo(probes.holdsWithAndWithout(status));
      for (const page of await probes.filtered(status)) {
        const empty = page.reading.ok && page.reading.value.length === 0;
        const judgement = empty
          ? unestablished(
              'too-little-data',
              `“${page.exchange.probe}” returned nothing although an animal with that status is known`,
              [page.exchange],
            )
          : onlyWithStatus(status, page);
        // A store in which a broken filter could look sound passes none; what a broken one lets through shows all the same.
        judge(judgement.kind === 'violated' ? judgement : (shortage ?? judgement));
      }
    }
    const pages = probes.pagesSoFar().filter(({ limit }) => limit >= contract.pageSize.default);
    judge(underOneFilter(pages, probes.addedIds()));
  }),
);

test(
  ...requirement('list-filter-with-limit', async ({ probes, contract, judge }) => {
    await probes.census();
    const pages: { readonly page: Page; readonly status: PetStatus }[] = [];
    for (const status of contract.statuses) {
      const limit = probes.limitBelow(status);
      if (limit === null) continue;
      const page = await probes.listedNow({ status, limit });
      pages.push({ page, status });
      judge(noMoreThan(limit, page), onlyWithStatus(status, page));
    }
    if (pages.length > 0) judge(underOneFilter(pages, probes.addedIds()));
    // What other rows have asked for with a filter keeps its limit as well; without one, list-limit-default says so.
    for (const { page, limit, status, isDefault } of probes.pagesSoFar())
      if (status !== undefined && !isDefault && page.reading.ok) judge(noMoreThan(limit, page));
    if (contract.statuses.every((status) => probes.limitBelow(status) === null)) {
      await probes.holds(2, 'available');
      await probes.settled();
      const page = await probes.listed({ status: 'available', limit: 1 });
      judge(noMoreThan(1, page), onlyWithStatus('available', page));
    }
  }),
);

test(
  ...requirement('list-page-full', async ({ probes, contract, judge }) => {
    await probes.holds(contract.pageSize.default + 1);
    await probes.shown();
    await probes.listedNow({ limit: contract.pageSize.default });
    for (const status of contract.statuses) {
      const limit = probes.limitBelow(status);
      if (limit !== null) await probes.listedNow({ status, limit });
    }
    // How many a listing without a limit holds is the affair of list-limit-default.
    for (const known of probes.pagesSoFar().filter(({ isDefault }) => !isDefault)) {
      const matching = probes.matchingThen(known);
      if (matching > known.limit) judge(filled(known.limit, matching, known.page));
    }
  }),
);

test(
  ...requirement('list-shows-created', async ({ probes, contract, judge }) => {
    for (const { exchange, reading, sent } of await probes.allCreated()) {
      if (!reading.ok || reading.value.id === null) {
        judge(
          onPage({ exchange, reading: reading.ok ? { ok: true, value: [] } : reading }, () =>
            unestablished('prerequisite', 'the creation gave no id', [exchange]),
          ),
        );
        continue;
      }
      const { id } = reading.value;
      const plain = await probes.fullyListed(undefined, [id]);
      // As listings know it, where the creation's answer tells another status than was sent: that is a fault of its own.
      const isKept = sent.status !== undefined && reading.value.status === sent.status;
      const { status } = isKept ? reading.value : (probes.listedAs(id) ?? reading.value);
      const filter = contract.statuses.find((known) => known === status);
      for (const { page, whole, waitedMs } of [plain, ...(filter ? [await probes.fullyListed(filter, [id])] : [])]) {
        judge(whole || !page.reading.ok ? shows(id, page, 'which was created') : probes.notWhole(page));
        if (waitedMs > 0)
          judge(observed([page.exchange], `shown ${waitedMs} ms after it was first asked for`, exchange.probe));
      }
    }
  }),
);

test(
  ...requirement('get-replacement', async ({ probes, facts, contract, judge }) => {
    beforeRemoval(facts);
    const fetched = await probes.existing();
    const { reading, exchange } = fetched;
    if (!reading.ok) return judge(prerequisite(reading.broken, exchange));
    const { id } = reading.value;
    if (id === null) return judge(unestablished('prerequisite', 'the animal fetched has no id', [exchange]));
    // As listings know it: a fetch that tells another status is a fault of its own.
    const { status } = probes.listedAs(id) ?? reading.value;
    const filter = contract.statuses.find((value) => value === status);
    if (filter === undefined)
      return judge(outOfScope('store-too-small', 'no animal with a status is known that could be fetched'));
    const { page, whole } = await probes.fullyListed(filter, [id]);
    judge(
      whole || !page.reading.ok ? onPage(page, () => shows(id, page, 'which getPet serves')) : probes.notWhole(page),
    );
  }),
);

test(
  ...requirement('list-limit-out-of-range', async ({ probes, judge }) => {
    for (const limit of [0, 101, -1, 'abc']) {
      const page = await probes.listed({ limit });
      judge(observed([page.exchange], listingOutcome(page), `limit=${limit}`));
    }
  }),
);

test(
  ...requirement('list-status-unknown', async ({ probes, judge }) => {
    const page = await probes.listed({ status: 'borrowed' });
    judge(observed([page.exchange], listingOutcome(page), 'status=borrowed'));
  }),
);

test(
  ...requirement('list-order', async ({ probes, judge }) => {
    const page = await probes.census();
    judge(observed([page.exchange], orderOf(page)));
  }),
);

test(
  ...requirement('list-pagination', async ({ probes, judge }) => {
    const { exchange } = await probes.listed();
    judge(
      observed([exchange], valuesOf(exchange, ['Link', 'X-Total-Count', 'X-Next-Page', 'X-Page', 'Content-Range'])),
    );
  }),
);
