import { echoes, hasCategory, int64, newId } from '../src/judge/checks/animals.js';
import { blocked, observed, unestablished, untried } from '../src/judge/findings/finding.js';
import { idsAreUnique, petsOf } from '../src/judge/checks/listing.js';
import {
  categoriesKeepDigits,
  collided,
  isBeyondDouble,
  roundedAway,
  returnedOtherId,
} from '../src/judge/checks/rounded-ids.js';
import { prerequisite } from '../src/judge/checks/pets.js';
import { refusedUnlike } from '../src/judge/checks/status.js';
import { statusOf } from '../src/wire/exchange/headers.js';
import { shownBefore } from '../src/judge/world/animals.js';
import {
  addedRightly,
  appearances,
  collidedIn,
  fetchedIdsKeepDigits,
  idOf,
  returnedId,
  roundedId,
  wrongInCategories,
} from '../src/judge/world/created-ids.js';
import { requirement, test } from '../src/drive/suite/host.js';
import { untakenNames } from '../src/drive/suite/operations.js';

/** Part 2: resources and their fields in lists, creations and fetches. */

test(
  ...requirement('pet-int64', async ({ probes, facts, judge }) => {
    await probes.census();
    const big = probes.writes ? await probes.withBigCategory() : null;
    if (probes.writes) await probes.creationsListed();
    if (probes.writes && facts.removal === 'before') await probes.fetchedCreations();
    for (const { exchange, pets } of probes.world().shown) judge(int64(exchange, pets));
    judge(categoriesKeepDigits(probes.world().shown, probes.world().shared));
    for (const creation of addedRightly(probes.world())) {
      const returned = returnedId(creation, probes.world());
      if (returned.kind === 'digits') judge(returnedOtherId(creation, returned));
    }
    const lost = roundedId(probes.world());
    if (lost) judge(roundedAway(lost.exchange, lost.id));
    const several = collidedIn(probes.world());
    if (several) judge(collided(several.page.exchange, several.id));
    judge(...fetchedIdsKeepDigits(probes.world()));
    const { shown } = probes.world();
    const isFetched = shown.some(({ exchange }) => exchange.operation === 'getPet');
    if (!isFetched && shown.some(({ pets }) => pets.some(({ id }) => id !== null && isBeyondDouble(id))))
      judge(untried('whether ids beyond 2^53 have all their digits (no animal was fetched by such an id)'));
    if (!big) return judge(untried('a category beyond 2^53 (writes are off)'));
    if (statusOf(big.exchange) === 400) {
      // Ordinary categories are accepted, so this one is refused as unknown. Then only ids decide.
      judge(
        observed(
          [big.exchange],
          'returned 400, so digits beyond 2^53 cannot be tested',
          'a category beyond 2^53',
        ),
        untried('digits of a category beyond 2^53 (the target rejects such a category)'),
      );
      const ordinary = await probes.created();
      if (!ordinary.reading.ok) judge(prerequisite(ordinary.reading.broken, ordinary.exchange));
      return;
    }
    // If ordinary categories come back wrong too, digits are not the cause.
    const goWrong = wrongInCategories(probes.world());
    const seen = appearances(big, probes.world()).filter(
      ({ reading }) => reading.ok && hasCategory(reading.value),
    );
    if (!seen.some(({ exchange }) => exchange.operation === 'listPets'))
      judge(untried('digits beyond 2^53 in a listing (no listing shows that animal)'));
    if (facts.removal === 'before' && !seen.some(({ exchange }) => exchange.operation === 'getPet'))
      judge(untried('digits beyond 2^53 in a fetch (no fetch shows that animal)'));
    for (const single of [big, ...seen]) {
      const judgement = echoes(big.sent, single, ['categoryId']);
      const { exchange } = single;
      judge(
        judgement.kind === 'violated' && goWrong.has(exchange.operation)
          ? unestablished('prerequisite', `“${exchange.probe}” returns other categories wrong, too`, [
              exchange,
            ])
          : judgement,
      );
    }
  }),
);

test(
  ...requirement('pet-id-unique', async ({ probes, judge }) => {
    await probes.census();
    const areRounded = collidedIn(probes.world()) !== null;
    for (const page of probes.world().pages) judge(idsAreUnique(page, areRounded));
    if (!probes.writes) return judge(untried('the ids of new animals (writes are off)'));
    const before = petsOf(await probes.firstCensus()).length;
    if (!probes.sentKnownId()) judge(untried('an id in the body of a creation (no such request was sent)'));
    if (before === 0) judge(untried('new ids against ids of animals from before the run (there were none)'));
    await probes.allCreated();
    for (const creation of addedRightly(probes.world())) {
      const returned = returnedId(creation, probes.world());
      const unique = newId(creation, (id) => shownBefore(id, creation.exchange, probes.world()));
      if (unique.kind === 'violated' && areRounded && isBeyondDouble(idOf(creation) ?? '0'))
        judge(
          blocked('pet-int64', `the id in “${creation.exchange.probe}” may have lost its last digits`, [
            creation.exchange,
          ]),
        );
      else
        judge(
          unique.kind !== 'violated' && returned.kind === 'answer'
            ? returnedOtherId(creation, returned)
            : unique,
        );
    }
  }),
);

test(
  ...requirement('created-pet-echo', async ({ probes, judge, judgeFor }) => {
    // The service may limit the length of a name (create-name-length).
    const pairs = [await probes.pending(), await probes.sold()].flatMap(({ byStatus, byName, asLong }) =>
      asLong !== null && statusOf(asLong.exchange) === 400 ? [byStatus] : [byStatus, byName],
    );
    for (const creation of new Set([await probes.created(), ...pairs, await probes.withoutStatus()])) {
      if (statusOf(creation.exchange) === 400 && creation.sent.name.length >= 100) continue;
      judge(echoes(creation.sent, creation));
    }
    for (const filler of probes.fillers()) judge(echoes(filler.sent, filler));
    for (const { filler, like } of probes.refusedFillers())
      judgeFor('create-ok', refusedUnlike(filler, like));
    for (const creation of probes.oddCreations()) judge(echoes(creation.sent, creation));
    judge(...(await untakenNames(probes)));
    // pet-int64 judges its digits, and its refusal.
    const big = await probes.withBigCategory();
    if (statusOf(big.exchange) !== 400) judge(echoes(big.sent, big, ['name', 'status']));
  }),
);
