import { unestablished, untried } from '../src/judge/findings/finding.js';
import type { KnownPage } from '../src/judge/checks/listing-asked.js';
import {
  asManyAsFull,
  noMoreThan,
  onlyWithStatus,
  petsOf,
  shownElsewhere,
} from '../src/judge/checks/listing.js';
import { answers } from '../src/judge/checks/status.js';
import type { PetStatus } from '../src/base/interface/contract.js';
import { countAnimals, mostCommonStatus } from '../src/judge/world/animals.js';
import { obstacleTo } from '../src/drive/probes/unjudgeable.js';
import { listed } from '../src/base/kernel/format.js';
import { requirement, test } from '../src/drive/suite/host.js';
import { isFiltered, judgedByControl, noMoreThanDefault } from '../src/drive/suite/default-page.js';
import { listsIds, underOneFilterAgain } from '../src/drive/suite/lacking-listings.js';
import {
  tooDear,
  beyond,
  beyondWithFilter,
  isSeenFull,
  OTHER_LIMITS,
  STILL_TO_COME,
} from '../src/drive/suite/untested-limits.js';

/** Part 4, "List all animals", and part 8, "Page size": what limit and status leave of a listing. */

test(
  ...requirement('list-ok', async ({ probes, judge }) => {
    judge(answers('list-ok', (await probes.listed()).exchange));
  }),
);

test(
  ...requirement('list-limit-bounds', async ({ probes, contract, judge }) => {
    const { min, max } = contract.pageSize;
    for (const limit of [min, max])
      judge(answers('list-limit-bounds', (await probes.listed({ limit })).exchange));
    // Much depends on the largest page, so it is requested twice.
    const { probe } = (await probes.census()).exchange;
    if (probes.exchanges().filter((exchange) => exchange.probe === probe).length > 1) return;
    judge(
      probes.affords(1 + STILL_TO_COME)
        ? answers('list-limit-bounds', (await probes.listedAgain({ limit: max })).exchange)
        : untried(
            `limit=${max} a second time (it would take more than ${probes.most} requests with this key)`,
          ),
    );
  }),
);

test(
  ...requirement('list-limit-default', async (tools) => {
    const { probes, contract, judge } = tools;
    const limit = contract.pageSize.default;
    const hasMany = await probes.affordsToHold(limit + 1, undefined, STILL_TO_COME);
    if (!hasMany)
      judge(
        untried(`a listing without limit against more than ${limit} animals (${tooDear(probes, limit)})`),
      );
    const status = mostCommonStatus(probes.world(), contract.statuses);
    // One status gets enough animals for a too long page. Without them the other pages are still judged.
    await obstacleTo(probes.affordsToHold(limit + 1, status, STILL_TO_COME));
    await probes.creationsListed();
    // A server may keep its limit for the connection. list-limit-max-items asks for it too, if for all of them.
    const above = limit + 1;
    if (countAnimals(probes.world()) > above && probes.affords(OTHER_LIMITS.length + STILL_TO_COME))
      await probes.listedNow({ limit: above });
    // These pages are needed anyway. Only a short one needs its control.
    for (const filter of contract.statuses) {
      const matching = countAnimals(probes.world(), filter);
      const page = await probes.listedSettled({ status: filter });
      const isShort = petsOf(page).length < Math.min(limit, matching);
      const control = isShort ? await probes.listedSettled({ status: filter, limit }) : null;
      await judgeDefault(
        { status: filter },
        control && isFiltered(filter, control) ? control : null,
        matching,
      );
    }
    // Last, so that no page without a limit follows this one: a kept limit of 20 would look like the default.
    await judgeDefault({}, await probes.listedSettled({ limit }), countAnimals(probes.world()));
    const few = contract.statuses.filter((filter) => countAnimals(probes.world(), filter) <= limit);
    if (few.length > 0)
      judge(untried(`the default with the filter ${listed(few)} against more than ${limit} animals`));

    async function judgeDefault(
      query: { readonly status?: PetStatus },
      control: KnownPage | null,
      matching: number,
    ): Promise<void> {
      const page = await probes.listedSettled(query);
      judge(await noMoreThanDefault(probes, query, page, { limit, toCome: STILL_TO_COME }));
      if (!control) return;
      if (matching > limit) judge(asManyAsFull(limit, page, control));
      // Too few animals for a full page may still exceed a smaller default.
      else if (petsOf(control).length >= matching) judge(await judgedByControl(tools, query, page, control));
    }
  }),
);

test(
  ...requirement('list-limit-max-items', async ({ probes, contract, judge }) => {
    const { min, default: usual, max } = contract.pageSize;
    await probes.holds(min + 1);
    // The bounds and the default come first: a small plan has room only for these.
    const untested: number[] = [];
    for (const limit of [min, usual, max, ...OTHER_LIMITS]) {
      // A limit can be exceeded only if there are more animals.
      const isSignificant = countAnimals(probes.world()) > limit;
      if (isSignificant && (!OTHER_LIMITS.includes(limit) || probes.affords(1 + STILL_TO_COME)))
        judge(noMoreThan(limit, await probes.listedNow({ limit })));
      else untested.push(limit);
    }
    if (untested.length > 0) judge(untried(beyond(untested, probes)));
    for (const page of probes.world().pages)
      if (page.status === undefined && !page.isDefault && page.reading.ok)
        judge(noMoreThan(page.limit, page));
  }),
);

test(
  ...requirement('list-status-filter', async ({ probes, contract, judge, judgeFor }) => {
    await probes.creationsListed();
    for (const status of contract.statuses) {
      const shortage = await obstacleTo(probes.holdsWithAndWithout(status));
      for (const page of await probes.filtered(status)) {
        const empty = page.reading.ok && page.reading.value.length === 0;
        const judgement = empty
          ? unestablished(
              'too-little-data',
              `“${page.exchange.probe}” returned no animal although one with that status is known`,
              [page.exchange],
            )
          : onlyWithStatus(status, page, shownElsewhere(probes.exchanges()));
        // In a store where a broken filter may look right, a right page proves nothing.
        judge(judgement.kind === 'kept' || empty ? (shortage ?? judgement) : judgement);
      }
    }
    const pages = probes.world().pages.filter(({ limit }) => limit >= contract.pageSize.default);
    judge(await underOneFilterAgain(probes, pages));
    if (!listsIds(probes))
      judge(untried('the status of filtered animals in other listings (no listing has ids)'));
    const animals = [...probes.world().animals.values()];
    const missing = [
      ...contract.statuses
        .filter((status) => countAnimals(probes.world(), status) === 0)
        .map((status) => `with status ${status}`),
      ...(animals.every(({ newest }) => newest.status !== undefined) ? ['without a status'] : []),
    ];
    if (missing.includes('without a status'))
      judgeFor('pet-shape', untried('an animal without a status (the run knows none)'));
    if (missing.length > 0) judge(untried(`filters against animals ${listed(missing)} (the run knows none)`));
    if (probes.world().pages.some((page) => page.reading.ok && petsOf(page).length === 0)) return;
    for (const row of ['declared-status', 'pets-array'] as const)
      judgeFor(row, untried('a filter that matches nothing (each status had animals)'));
  }),
);

test(
  ...requirement('list-filter-with-limit', async ({ probes, contract, judge }) => {
    await probes.census();
    const pages: KnownPage[] = [];
    for (const status of contract.statuses) {
      // With two animals of a status, a page of one can test the filter.
      await obstacleTo(probes.affordsToHold(2, status, STILL_TO_COME));
      const tested = new Set<string>();
      for (const { limit, tests } of probes.smallPages(status)) {
        if (!probes.affords(1)) break;
        const page = await probes.listedNow({ status, limit });
        pages.push(page);
        judge(noMoreThan(limit, page), onlyWithStatus(status, page, shownElsewhere(probes.exchanges())));
        for (const each of tests) tested.add(each);
      }
      const untested = ['limit', 'filter'].filter((each) => !tested.has(each));
      if (untested.length > 0)
        judge(
          untried(
            `the ${listed(untested)} of a small page with the filter ${status} (the animals there cannot show it)`,
          ),
        );
    }
    if (pages.length > 0) judge(await underOneFilterAgain(probes, pages));
    // Filtered pages of other rows must respect the limit too. list-limit-default judges those without a limit.
    for (const page of probes.world().pages)
      if (page.status !== undefined && !page.isDefault && page.reading.ok)
        judge(noMoreThan(page.limit, page));
    const few = contract.statuses.filter((status) => !isSeenFull(probes, contract.pageSize.max, status));
    if (few.length > 0) judge(untried(beyondWithFilter(contract.pageSize.max, few)));
  }),
);
