import { sameAnimal, type Added } from '../src/judge/checks/animals.js';
import {
  answers,
  refused,
  succeeded,
  asIfRemoved,
  existingIsServed,
  gone,
  isRequestedAnimal,
  notFoundAgain,
  removedMeanwhile,
  stillThere,
} from '../src/judge/checks/status.js';
import { blocked, observed, untried, type Judgement } from '../src/judge/findings/finding.js';
import { petsOf } from '../src/judge/checks/listing.js';
import { outcomeOf, valuesOf } from '../src/judge/checks/observing.js';
import { type Single, animalsIn, prerequisite } from '../src/judge/checks/pets.js';
import {
  addedRightly,
  fetchedIdsKeepDigits,
  idOf,
  isFindable,
  isShared,
  returnedId,
  roundedId,
  rowOfWrongIds,
} from '../src/judge/world/created-ids.js';
import { isRemoved } from '../src/judge/world/absent-animals.js';
import { isOwnGone } from '../src/drive/suite/lacking-listings.js';
import { showsEverything } from '../src/judge/world/whole-pages.js';
import { sameAsDouble } from '../src/judge/checks/rounded-ids.js';
import { INT64 } from '../src/base/kernel/json.js';
import { statusOf } from '../src/wire/exchange/headers.js';
import type { Exchange } from '../src/wire/exchange/types.js';
import type { FetchedCreation } from '../src/drive/probes/fetches.js';
import type { Probes } from '../src/drive/probes/probes.js';
import { expects, open } from '../src/drive/probes/specs.js';
import { requirement, test } from '../src/drive/suite/host.js';
import type { Tools } from '../src/drive/suite/judge-requirement.js';
import { afterRemoval, beforeRemoval, untakenNames } from '../src/drive/suite/operations.js';

/** Part 4, "Get an animal", which is deprecated, and part 9, "Deprecation". */

/** Explains why a 404 may be for an existing animal: its only known id is wrong, or from a creation only. */
async function wrongIdOf(exchange: Exchange, probes: Probes): Promise<Judgement | null> {
  if (!asIfRemoved(exchange)) return null;
  const row = rowOfWrongIds(probes.world());
  if (row !== null)
    return blocked(row, `“${exchange.probe}” requests an id that a response reported wrongly`, [exchange]);
  const census = await probes.firstCensus();
  const ids = petsOf(census).map(({ id }) => id);
  return ids.length > 0 && ids.every((id) => id === null)
    ? blocked('pet-shape', `“${census.exchange.probe}” has no integer id`, [census.exchange])
    : null;
}

/** Explains a 404 by another client that removed the animal; null if listings still show it. */
async function whyRemoved(
  id: string,
  { exchange }: Single,
  { probes, contract }: Pick<Tools, 'probes' | 'contract'>,
): Promise<Judgement | null> {
  if (!asIfRemoved(exchange)) return null;
  if (!isRemoved(id, probes.world()) && probes.affords(1))
    await probes.listedAgain({ limit: contract.pageSize.max });
  return isRemoved(id, probes.world()) ? removedMeanwhile(id, exchange) : null;
}

/** True if an animal is missing although others are served: then the operation is not removed. */
async function servesOthers(exchange: Exchange, probes: Probes): Promise<boolean> {
  if (!asIfRemoved(exchange)) return false;
  const created = (await probes.fetchedCreations()).map(({ fetched }) => fetched.exchange);
  return [(await probes.existing()).exchange, ...created].some(succeeded);
}

/** Judges that an existing animal is served. Where others are, a missing one is no removed operation. */
const isServed = async (exchange: Exchange, probes: Probes): Promise<Judgement> =>
  (await servesOthers(exchange, probes)) ? answers('get-ok', exchange) : existingIsServed(exchange);

test(
  ...requirement('get-until-removal', async ({ probes, facts, judge }) => {
    beforeRemoval(facts);
    const { exchange } = await probes.existing();
    const wrongId = await wrongIdOf(exchange, probes);
    if (wrongId === null && (await servesOthers(exchange, probes)))
      judge(blocked('get-ok', 'other animals are found', [exchange]));
    else judge(wrongId ?? stillThere(exchange));
  }),
);

test(
  ...requirement('get-ok', async (tools) => {
    const { probes, facts, judge } = tools;
    beforeRemoval(facts);
    const existing = await probes.existing();
    const wrongId = await wrongIdOf(existing.exchange, probes);
    const id = await probes.existingId();
    const why = wrongId ?? (await whyRemoved(id, existing, tools));
    judge(why ?? (await isServed(existing.exchange, probes)));
    judge(isRequestedAnimal(id, existing));
    for (const { fetched, creation } of await probes.fetchedCreations())
      if (!asIfRemoved(fetched.exchange) && isFindable(creation, probes.world()))
        judge(existingIsServed(fetched.exchange));
    const other = await probes.existingToo();
    if (other) {
      const { id: otherId, fetched } = other;
      const whyOther =
        (await wrongIdOf(fetched.exchange, probes)) ?? (await whyRemoved(otherId, fetched, tools));
      judge(whyOther ?? (await isServed(fetched.exchange, probes)));
      judge(isRequestedAnimal(otherId, fetched));
    }
    const before = petsOf(await probes.firstCensus()).filter(({ id }) => id !== null).length;
    if (before < 2)
      judge(untried(`an animal from before the run with others in the store (${before} there)`));
  }),
);

test(
  ...requirement('get-matches-created', async ({ probes, facts, contract, judge }) => {
    beforeRemoval(facts);
    const control = (await probes.existing()).exchange;
    const fetches = await probes.fetchedCreations();
    if (fetches.length === 0)
      for (const { reading, exchange } of addedRightly(probes.world()))
        if (!reading.ok) judge(prerequisite(reading.broken, exchange));
    if (fetches.length > 0) judge(...(await untakenNames(probes)));
    const newest = probes.newestOpen();
    if (newest && !fetches.some(({ creation }) => idOf(creation) === idOf(newest)))
      judge(untried('a fetch of the newest animal'));
    const found: FetchedCreation[] = [];
    for (const created of fetches) {
      let judgement = asCreated(created, control, probes);
      if (judgement.kind === 'violated') {
        await lookFor(created.creation, probes, contract.pageSize.max);
        const { exchange } = created.fetched;
        const id = idOf(created.creation) ?? '';
        judgement =
          statusOf(exchange) === 404 && (await isOwnGone(probes, id))
            ? removedMeanwhile(id, exchange)
            : asCreated(created, control, probes);
      }
      judge(judgement);
      if (judgement.kind === 'kept') found.push(created);
      const { creation, fetched, waitedMs } = created;
      if (waitedMs > 0)
        judge(
          observed(
            [fetched.exchange],
            `visible ${waitedMs} ms after the first request for it`,
            creation.exchange.probe,
          ),
        );
    }
    // A large category shows more of what a cache may lose.
    const cached = found.find(({ hasBigCategory }) => hasBigCategory) ?? found[0];
    if (cached === undefined) return;
    const fetched = await probes.fetchedTwice(idOf(cached.creation) ?? '');
    judge(
      fetched ? asCreated({ ...cached, fetched }, control, probes) : untried('a second fetch of an animal'),
    );
  }),
);

/** True if a fetch found an animal whose id is the same double, and another fetch shows that digits get lost. */
const isLookedUpAsDouble = (
  { creation, fetched: { reading } }: Pick<FetchedCreation, 'creation' | 'fetched'>,
  probes: Probes,
): boolean =>
  reading.ok &&
  reading.value.id !== null &&
  sameAsDouble(idOf(creation) ?? '0', reading.value.id) &&
  fetchedIdsKeepDigits(probes.world()).length > 0;

/** Requests the listing most likely to show an animal by name, because its id may be wrong. */
async function lookFor({ sent: { status } }: Added, probes: Probes, limit: number): Promise<void> {
  if (status !== undefined && probes.affords(1)) await probes.listedNow({ status, limit });
}

/**
 * Compares a fetched animal with its creation. After wrong ids in other creations, an unconfirmed id is not
 * judged.
 */
function asCreated(
  { creation, fetched, hasBigCategory }: FetchedCreation,
  control: Exchange,
  probes: Probes,
): Judgement {
  const { exchange } = fetched;
  const of = creation.exchange;
  if (isShared(creation, probes.world()))
    return blocked('pet-id-unique', `another animal has the id of “${of.probe}”`, [of]);
  const kinds = addedRightly(probes.world()).map((each) => returnedId(each, probes.world()).kind);
  const row = rowOfWrongIds(probes.world()) === 'pet-int64' ? 'pet-int64' : 'pet-id-unique';
  if (!isFindable(creation, probes.world()))
    return blocked(row, `the response to “${of.probe}” has another id than its animal`, [of]);
  const judgement =
    asIfRemoved(exchange) && !asIfRemoved(control)
      ? notFoundAgain(exchange, of)
      : sameAnimal(fetched, creation, creation.sent, hasBigCategory ? ['id', 'name', 'status'] : undefined);
  if (isLookedUpAsDouble({ creation, fetched }, probes))
    return blocked(
      'pet-int64',
      `“${exchange.probe}” finds another animal, as by an id without its last digits`,
      [exchange],
    );
  const isRounded = asIfRemoved(exchange) && roundedId(probes.world()) !== null;
  return judgement.kind === 'violated' &&
    (isRounded || kinds.some((kind) => kind === 'digits' || kind === 'answer'))
    ? blocked(row, `responses to creations had wrong ids, perhaps also “${of.probe}”`, [of])
    : judgement;
}

test(
  ...requirement('get-unknown', async ({ probes, facts, judge }) => {
    beforeRemoval(facts);
    const control = (await probes.existing()).exchange;
    const isWhole = showsEverything(await probes.firstCensus(), probes.world());
    const greatest = INT64.max.toString();
    const isTaken = untried(`the id ${greatest} (an animal has it)`);
    for (const id of [probes.unknownId(), greatest]) {
      if (probes.world().animals.has(id)) {
        judge(isTaken);
        continue;
      }
      const { exchange } = await probes.fetched(id, expects('get-unknown', 404));
      // Ids may be assigned from the largest one down, and unlisted animals may have it.
      const exists = id === greatest && !isWhole && animalsIn(exchange).some((pet) => pet.id === id);
      judge(exists ? isTaken : refused('get-unknown', exchange, control));
    }
  }),
);

test(
  ...requirement('get-after-removal', async ({ probes, facts, judge }) => {
    afterRemoval(facts);
    judge(
      gone(
        await probes.ask({
          probe: 'GET of an existing animal after the removal',
          operation: null,
          method: 'GET',
          path: `/pets/${await probes.existingId()}`,
          identity: probes.key,
          intent: open('get-after-removal'),
        }),
      ),
    );
  }),
);

test(
  ...requirement('get-malformed-id', async ({ probes, facts, judge }) => {
    beforeRemoval(facts);
    const { exchange: control, reading } = await probes.existing();
    if (!succeeded(control) && !reading.ok) return judge(prerequisite(reading.broken, control));
    const { exchange } = await probes.fetched('abc', open('get-malformed-id'));
    judge(observed([exchange], outcomeOf(exchange), 'the id “abc”'));
  }),
);

test(
  ...requirement('deprecation-signals', async ({ probes, facts, judge }) => {
    beforeRemoval(facts);
    const { exchange } = await probes.existing();
    judge(observed([exchange], valuesOf(exchange, ['Deprecation', 'Sunset', 'Link'])));
  }),
);

test(
  ...requirement('undeclared-method', async ({ probes, judge }) => {
    const exchange = await probes.ask({
      probe: 'PATCH /pets',
      operation: null,
      method: 'PATCH',
      path: '/pets',
      identity: probes.key,
      intent: open('undeclared-method'),
    });
    judge(observed([exchange], `${outcomeOf(exchange)}, ${valuesOf(exchange, ['Allow'])}`, 'PATCH /pets'));
  }),
);
