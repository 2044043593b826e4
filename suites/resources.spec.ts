import { echoes, hasCategory, int64, newId } from '../src/checks/animals.js';
import { observed, unestablished } from '../src/checks/finding.js';
import { idsAreUnique } from '../src/checks/listing.js';
import { prerequisite } from '../src/checks/pets.js';
import { statusOf } from '../src/exchange/headers.js';
import { requirement, test } from '../src/suite/host.js';

/** Part 2: resources and their fields, in lists, creations and fetches alike. */

test(
  ...requirement('pet-int64', async ({ probes, facts, judge }) => {
    await probes.census();
    const big = probes.writes ? await probes.withBigCategory() : null;
    const others = probes.writes
      ? (await probes.allCreated()).filter(({ exchange }) => exchange !== big?.exchange)
      : [];
    if (probes.writes) await probes.shown();
    if (probes.writes && facts.removal === 'before') await probes.fetchedCreations();
    for (const { exchange, pets } of probes.animalsSoFar()) judge(int64(exchange, pets));
    if (!big) return;
    if (statusOf(big.exchange) === 400) {
      // An ordinary category was taken, so that this one is refused for not being known: then ids alone decide.
      judge(
        observed([big.exchange], 'answered 400, so that digits beyond 2^53 cannot be tried', 'a category beyond 2^53'),
      );
      const ordinary = await probes.created();
      if (!ordinary.reading.ok) judge(prerequisite(ordinary.reading.broken, ordinary.exchange));
      return;
    }
    // Where ordinary categories come back wrong as well, digits are not what is at fault.
    const misleading = others.flatMap((other) =>
      [other, ...probes.sightings(other)]
        .filter((single) => echoes(other.sent, single, ['categoryId']).kind === 'violated')
        .map(({ exchange }) => exchange.operation),
    );
    const seen = probes.sightings(big).filter(({ reading }) => reading.ok && hasCategory(reading.value));
    for (const single of [big, ...seen])
      judge(
        misleading.includes(single.exchange.operation)
          ? unestablished('prerequisite', `“${single.exchange.probe}” carries other categories wrong, too`, [
              single.exchange,
            ])
          : echoes(big.sent, single, ['categoryId']),
      );
  }),
);

test(
  ...requirement('pet-id-unique', async ({ probes, judge }) => {
    await probes.census();
    for (const { page } of probes.pagesSoFar()) judge(idsAreUnique(page));
    if (!probes.writes) return;
    await probes.allCreated();
    for (const creation of probes.added()) judge(newId(creation, probes.idsBefore(creation.exchange)));
  }),
);

test(
  ...requirement('created-pet-echo', async ({ probes, judge }) => {
    // How long a name may be is the service's own affair (create-name-length).
    const pairs = [await probes.pending(), await probes.sold()].flatMap(({ byStatus, byName, asLong }) =>
      asLong !== null && statusOf(asLong.exchange) === 400 ? [byStatus] : [byStatus, byName],
    );
    for (const creation of new Set([await probes.created(), ...pairs, await probes.withoutStatus()])) {
      if (statusOf(creation.exchange) === 400 && creation.sent.name.length >= 100) continue;
      judge(echoes(creation.sent, creation));
    }
    for (const filler of probes.fillers()) judge(echoes(filler.sent, filler));
    // Its digits are the affair of pet-int64, and so is a refusal.
    const big = await probes.withBigCategory();
    if (statusOf(big.exchange) !== 400) judge(echoes(big.sent, big, ['name', 'status']));
  }),
);
