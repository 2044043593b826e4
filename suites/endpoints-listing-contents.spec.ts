import {
  blocked,
  observed,
  outOfScope,
  unestablished,
  untried,
  type Judgement,
} from '../src/judge/findings/finding.js';
import type { KnownPage } from '../src/judge/checks/listing-asked.js';
import { filled, petsOf, isNamedOn, shows } from '../src/judge/checks/listing.js';
import { listingOutcome, orderOf, valuesOf } from '../src/judge/checks/observing.js';
import { hasStatus, onRead, prerequisite } from '../src/judge/checks/pets.js';
import { addedIds, listedAs, shownBefore } from '../src/judge/world/animals.js';
import { rowOfWrongIds } from '../src/judge/world/created-ids.js';
import { endOf, mayBeBehind } from '../src/judge/world/whole-pages.js';
import { knownAnimals, lacksSince, missingIn } from '../src/judge/world/known-animals.js';
import { matchingAtOnce, matchingSurely } from '../src/judge/world/matching-animals.js';
import { removedMeanwhile } from '../src/judge/checks/status.js';
import { obstacleTo } from '../src/drive/probes/unjudgeable.js';
import type { Probes } from '../src/drive/probes/probes.js';
import { requirement, test } from '../src/drive/suite/host.js';
import { beforeRemoval } from '../src/drive/suite/operations.js';
import { shortDefaults, judgeShortDefaults } from '../src/drive/suite/default-page.js';
import {
  lateAnimals,
  whatFiltersLack,
  hasChangedSince,
  isGone,
  whyLacking,
} from '../src/drive/suite/lacking-listings.js';
import {
  beyond,
  beyondWithFilter,
  isSeenFull,
  OTHER_LIMITS,
  STILL_TO_COME,
} from '../src/drive/suite/untested-limits.js';

/** Part 4, "List all animals", also as the replacement of the deprecated operation: what listings show. */

/** Explains why a filtered listing lacks an animal: a listing without a filter shows it with another status. */
function listedUnlike(id: string, page: KnownPage, probes: Probes): Judgement | null {
  const { exchange, status } = page;
  if (status === undefined || petsOf(page).some((pet) => pet.id === id)) return null;
  const unlike = probes
    .world()
    .pages.findLast(
      (other) =>
        other.status === undefined &&
        petsOf(other).some((pet) => pet.id === id && pet.status !== undefined && !hasStatus(pet, status)),
    );
  return unlike
    ? blocked('list-matches-created', `“${unlike.exchange.probe}” shows animal ${id} with another status`, [
        exchange,
        unlike.exchange,
      ])
    : null;
}

test(
  ...requirement('list-shows-created', async ({ probes, facts, contract, judge }) => {
    for (const { exchange, reading, sent } of await probes.allCreated()) {
      if (!reading.ok || reading.value.id === null) {
        judge(
          onRead({ exchange, reading: reading.ok ? { ok: true, value: [] } : reading }, () =>
            unestablished('prerequisite', 'the creation returned no id', [exchange]),
          ),
        );
        continue;
      }
      const { id } = reading.value;
      const plain = await probes.fullyListed(undefined, [id]);
      // What only a creation's response says of the status is charged elsewhere, so listings decide.
      const isKept = reading.value.status === sent.status;
      const { status } = isKept ? reading.value : (listedAs(id, probes.world()) ?? reading.value);
      const filter = contract.statuses.find((known) => known === status);
      const isAnothers = shownBefore(id, exchange, probes.world()) !== undefined;
      for (const { page, whole, waitedMs } of [
        plain,
        ...(filter ? [await probes.fullyListed(filter, [id])] : []),
      ]) {
        const listedOtherwise = listedUnlike(id, page, probes);
        if (!whole && page.reading.ok) judge(await probes.notWhole(page));
        else if (listedOtherwise) judge(listedOtherwise);
        else if (isAnothers && !isNamedOn(page, sent.name))
          judge(
            blocked('pet-id-unique', `“${exchange.probe}” returned the id of another animal`, [exchange]),
          );
        else {
          const judgement = shows(id, page, 'which was created', sent.name);
          const isMissing = facts.removal === 'before' && judgement.kind === 'violated';
          judge((isMissing && (await whyLacking(probes, id, page))) || judgement);
        }
        if (waitedMs > 0)
          judge(
            observed(
              [page.exchange],
              `visible ${waitedMs} ms after the first request for it`,
              exchange.probe,
            ),
          );
      }
    }
    judge(...lateAnimals(probes));
  }),
);

test(
  ...requirement('get-replacement', async ({ probes, facts, contract, judge }) => {
    beforeRemoval(facts);
    const existing = await probes.existing();
    const { reading, exchange } = existing;
    if (!reading.ok) return judge(prerequisite(reading.broken, exchange));
    if (reading.value.id === null)
      return judge(unestablished('prerequisite', 'the fetched animal has no id', [exchange]));
    // Uses an animal from the start, or else an added one. That one may have a status, or a filter with few matches.
    const added = probes.writes ? (await probes.fetchedCreations()).map(({ fetched }) => fetched) : [];
    let obstacle = outOfScope('store-too-small', 'the run knows no animal with a status that can be fetched');
    let withoutAll: string | null = null;
    for (const fetched of [existing, ...added]) {
      const { id = null, name, status: fetchedStatus } = fetched.reading.ok ? fetched.reading.value : {};
      if (id === null) continue;
      if (fetched.exchange.probe !== `GET /pets/${id}`) {
        obstacle = blocked(
          'get-ok',
          `“${fetched.exchange.probe}” returned another animal than the requested one`,
          [fetched.exchange],
        );
        continue;
      }
      const ownName = typeof name === 'string' && name.startsWith(probes.prefix) ? name : undefined;
      // A fetch with a wrong status is charged elsewhere, so listings decide.
      const status = (listedAs(id, probes.world()) ?? { status: fetchedStatus }).status;
      const filter = contract.statuses.find((value) => value === status);
      if (filter === undefined) continue;
      const { page, whole } = await probes.fullyListed(filter, [id]);
      if (whole || !page.reading.ok) {
        const judgement = shows(id, page, 'which getPet returns', ownName);
        const isMissing = judgement.kind === 'violated';
        if (isMissing && (await isGone(probes, id))) {
          obstacle = removedMeanwhile(id, page.exchange);
          continue;
        }
        // list-shows-created judges the run's own animals.
        if (isMissing && addedIds(probes.world()).has(id))
          judge(
            blocked('list-shows-created', `“${page.exchange.probe}” lacks an animal of the run`, [
              page.exchange,
            ]),
          );
        else if (isMissing && (await hasChangedSince(probes, id, fetchedStatus)))
          judge(
            unestablished(
              'too-little-data',
              `the status in “${fetched.exchange.probe}” changes from request to request`,
            ),
          );
        else judge(judgement);
        if (withoutAll !== null) judge(untried(withoutAll));
        judge(...(await whatFiltersLack(probes, contract.pageSize.max)));
        return;
      }
      obstacle = await probes.notWhole(page);
      // Another animal may suffice, but the report names this gap.
      withoutAll ??= `animal ${id}, which “${page.exchange.probe}” does not show (the listing is incomplete)`;
    }
    judge(obstacle);
  }),
);

test(
  ...requirement('list-page-full', async (tools) => {
    const { probes, contract, judge, judgeFor } = tools;
    const { min, default: usual, max } = contract.pageSize;
    const before = probes.exchanges().length;
    await obstacleTo(probes.affordsToHold(usual + 1, undefined, STILL_TO_COME));
    await probes.creationsListed();
    await probes.listedNow({ limit: usual });
    // An incomplete page is requested again until the time to show is over.
    if (probes.affords(1)) await probes.patientlyListed({ limit: max });
    for (const status of contract.statuses) {
      for (const { limit } of probes.smallPages(status))
        if (probes.affords(1)) await probes.listedNow({ status, limit });
      // What earlier pages show counts without further ones.
      if (!probes.affords(1)) {
        judge(untried(`another page with the filter ${status} (no request left)`));
        continue;
      }
      const page = await probes.listedNow({ status });
      // A page that ends early shows the fault already.
      const isTelling =
        petsOf(page).length >= usual ||
        (lacksSince(page, probes.world()) !== null && endOf(page, probes.world()) === null);
      if (isTelling && probes.affords(1 + 2 * shortDefaults(probes, usual).length))
        await probes.patientlyListed({ status, limit: max });
      await judgeShortDefaults(tools);
    }
    // Until now a page of usual length may have looked like the end of all pages (flaw later-animals-never-listed).
    judgeFor('list-shows-created', ...lateAnimals(probes, probes.exchanges().slice(before)));
    const known = probes.world().pages.filter(({ isDefault }) => !isDefault);
    // list-limit-default judges the length of a listing without a limit.
    const matchingOf = rowOfWrongIds(probes.world()) === null ? matchingSurely : matchingAtOnce;
    const isLate = lateAnimals(probes).length > 0;
    for (const each of known) {
      const matching = matchingOf(each, probes.world());
      if (mayBeBehind(each, probes.world()) || matching <= petsOf(each).length) continue;
      if (matching <= each.limit && endOf(each, probes.world()) === null) continue;
      const lacksOnlyOwn = missingIn(each, knownAnimals(probes.world())).every(({ own }) => own);
      judge(
        isLate && lacksOnlyOwn
          ? blocked('list-shows-created', `“${each.exchange.probe}” lacks animals of the run`, [
              each.exchange,
            ])
          : filled(Math.min(each.limit, matching), matching, each),
      );
    }
    const untested = [min, usual, max, ...OTHER_LIMITS].filter((limit) => !isSeenFull(probes, limit));
    if (untested.length > 0) judge(untried(beyond(untested, probes)));
    const few = contract.statuses.filter((status) => !isSeenFull(probes, max, status));
    if (few.length > 0) judge(untried(beyondWithFilter(max, few)));
    const longest = Math.max(0, ...probes.world().pages.map((page) => petsOf(page).length));
    if (longest < max)
      judgeFor('json-media-type', untried(`a body of ${max} animals (the longest had ${longest})`));
  }),
);

for (const [row, queries] of [
  ['list-limit-out-of-range', [0, 101, -1, 'abc'].map((limit) => ({ limit }))],
  ['list-status-unknown', [{ status: 'borrowed' }]],
] as const)
  test(
    ...requirement(row, async ({ probes, judge }) => {
      if (!probes.affords(queries.length))
        return judge(outOfScope('thrift', `the suites send at most ${probes.most} requests with this key`));
      for (const query of queries) {
        const page = await probes.listed(query);
        judge(observed([page.exchange], listingOutcome(page), Object.entries(query).flat().join('=')));
      }
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
      observed(
        [exchange],
        valuesOf(exchange, ['Link', 'X-Total-Count', 'X-Next-Page', 'X-Page', 'Content-Range']),
      ),
    );
  }),
);
