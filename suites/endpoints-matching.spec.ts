import { newPetMembers } from '../src/base/interface/resources.js';
import { blocked, kept, unestablished, untried, type Judgement } from '../src/judge/findings/finding.js';
import { returnedOtherId } from '../src/judge/checks/rounded-ids.js';
import {
  comparable,
  differenceFrom,
  listedAsCreated,
  listedTwice,
  onSecondLook,
  readsOtherwise,
  type ListedPet,
} from '../src/judge/checks/matching.js';
import type { Added } from '../src/judge/checks/animals.js';
import { petsOf } from '../src/judge/checks/listing.js';
import { type Single, hasStatus, onRead, prerequisite } from '../src/judge/checks/pets.js';
import {
  addedRightly,
  appearances,
  isShared,
  listedPets,
  returnedId,
  twin,
  withoutDigits,
  wrongInCategories,
} from '../src/judge/world/created-ids.js';
import { BIG_CATEGORY } from '../src/drive/probes/creation-bodies.js';
import { asIfRemoved } from '../src/judge/checks/status.js';
import { isRemoved } from '../src/judge/world/absent-animals.js';
import type { Probes } from '../src/drive/probes/probes.js';
import { listed } from '../src/base/kernel/format.js';
import type { Exchange } from '../src/wire/exchange/types.js';
import { requirement, test } from '../src/drive/suite/host.js';
import { beforeRemoval, reportUncompared, untakenNames } from '../src/drive/suite/operations.js';

/** Part 4, "List all animals": compares listed animals with their creation and their fetch. */

/** Most repetitions of two reads whose status changed. */
const MAX_LOOKS = 3;

/** Most animals to fetch because listings disagree about them. */
const MAX_SUSPECTS = 3;

test(
  ...requirement('list-matches-created', async ({ probes, facts, contract, judge, judgeFor }) => {
    await probes.allCreated();
    await probes.creationsListed();
    const isDoubtful = (creation: Added): boolean => returnedId(creation, probes.world()).kind !== 'right';
    if (addedRightly(probes.world()).some(isDoubtful) && facts.removal === 'before')
      await probes.fetchedCreations();
    let isSeen = false;
    for (const creation of addedRightly(probes.world())) {
      const listedPets = listedPetsOf(creation, probes);
      const { sent } = creation;
      // pet-int64 judges digits beyond a double.
      const isDigits = sent.categoryId === BIG_CATEGORY && !wrongInCategories(probes.world()).has('listPets');
      const members = newPetMembers.filter((name) => !isDigits || name !== 'categoryId');
      const amiss = idAmiss(creation, probes);
      if (amiss) judge(amiss);
      else if (listedPets.length > 0) {
        const judgement = listedAsCreated(creation, sent, listedPets, members);
        const isNamed = listedPets.some(({ pet }) => pet.name === sent.name);
        if (isDigits && listedAsCreated(creation, sent, listedPets, ['categoryId']).kind === 'violated')
          judge(untried('a category beyond 2^53 in listings (pet-int64 judges it)'));
        judge(
          judgement.kind === 'violated' && !isNamed && areToldWrongly(probes)
            ? blocked(
                'pet-id-unique',
                `responses to creations had wrong ids, perhaps also “${creation.exchange.probe}”`,
                [creation.exchange],
              )
            : judgement,
        );
      }
      isSeen ||= amiss !== null || listedPets.length > 0;
    }
    if (!isSeen) judge(await whyUnseen(probes));
    const added = addedRightly(probes.world());
    const why = isSeen
      ? 'no response shows their animals under these ids by name'
      : 'no listing shows their animals';
    if (added.length > 0 && !(isSeen && added.some((creation) => isConfirmed(creation, probes))))
      judgeFor('pet-id-unique', untried(`the ids in responses to creations (${why})`));
    if (added.some((creation) => returnedId(creation, probes.world()).kind === 'either'))
      judgeFor(
        'pet-id-unique',
        untried('whether creations or listings have the right ids (no fetch shows which)'),
      );
    judge(...(await untakenNames(probes)));
    judge(...unseenPlainly(added, probes), ...unseenBeyond(probes, contract.pageSize.default));
  }),
);

function unseenBeyond(probes: Probes, usual: number): readonly Judgement[] {
  const longest = Math.max(0, ...probes.world().pages.map((page) => petsOf(page).length));
  return longest > usual
    ? []
    : [untried(`listings of more than ${usual} animals (the longest had ${longest})`)];
}

function unseenPlainly(animals: readonly Single[], probes: Probes): readonly Judgement[] {
  const unseen = animals.filter(
    (animal) => !listedPetsOf(animal, probes).some(({ exchange }) => isUnfiltered(exchange, probes)),
  );
  return unseen.length > 0
    ? [
        untried(
          `listings without a filter for animals that they do not show (${unseen.length} of ${animals.length})`,
        ),
      ]
    : [];
}

const isUnfiltered = ({ id }: Exchange, probes: Probes): boolean =>
  probes.world().pages.some(({ exchange, status }) => exchange.id === id && status === undefined);

const areToldWrongly = (probes: Probes): boolean =>
  addedRightly(probes.world()).some((creation) =>
    ['digits', 'answer'].includes(returnedId(creation, probes.world()).kind),
  );

/** True if another response shows the creation's animal, by name, under the creation's id. */
const isConfirmed = (creation: Added, probes: Probes): boolean =>
  appearances(creation, probes.world()).some(
    ({ reading }) => reading.ok && reading.value.name === creation.sent.name,
  );

/** Judges a wrong id: listings show another animal under it, or the animal under another id. */
function idAmiss(creation: Added, probes: Probes): Judgement | null {
  const { exchange } = creation;
  const id = creation.reading.ok ? creation.reading.value.id : null;
  if (id === null)
    return onRead(creation, () => unestablished('prerequisite', 'the creation returned no id', [exchange]));
  const returned = returnedId(creation, probes.world());
  if (returned.kind === 'listing' || returned.kind === 'either') return returnedOtherId(creation, returned);
  if (returned.kind !== 'right' || isShared(creation, probes.world()))
    return blocked(
      returned.kind === 'digits' ? 'pet-int64' : 'pet-id-unique',
      returned.kind === 'right'
        ? `another animal has the id of “${exchange.probe}”`
        : `the response to “${exchange.probe}” has another id than its animal`,
      [exchange],
    );
  const copy = twin(creation, probes.world());
  return copy ? listedTwice(creation, copy) : null;
}

const listedPetsOf = ({ reading }: Single, probes: Probes): readonly ListedPet[] =>
  reading.ok
    ? listedPets(probes.world()).filter(({ pet }) => pet.id !== null && pet.id === reading.value.id)
    : [];

async function whyUnseen(probes: Probes): Promise<Judgement> {
  const { page, whole } = await probes.fullyListed(undefined, []);
  if (!page.reading.ok) return prerequisite(page.reading.broken, page.exchange);
  return whole
    ? blocked('list-shows-created', 'no listing shows a created animal', [page.exchange])
    : probes.notWhole(page);
}

test(
  ...requirement('list-matches-get', async ({ probes, facts, contract, judge }) => {
    beforeRemoval(facts);
    const other = await probes.existingToo();
    const fetched = [await probes.existing(), ...(other ? [other.fetched] : [])];
    const created = probes.writes ? await probes.fetchedCreations() : [];
    fetched.push(...created.map(({ fetched: one }) => one));
    if (probes.writes) await probes.creationsListed();
    const why = probes.writes ? 'no creation returned an animal that can be fetched' : 'writes are off';
    const known = new Set(fetched.map(({ exchange }) => exchange.probe));
    for (const id of suspects(probes).slice(0, MAX_SUSPECTS)) {
      const { value } = await probes.fetchedSoon(id);
      if (!known.has(value.exchange.probe)) fetched.push(value);
    }
    let isSeen = false;
    const compared = new Set<unknown>();
    const members = new Set<string>();
    for (const single of new Set(fetched)) {
      if (isOfRemoved(single, probes)) {
        judge(untried(`“${single.exchange.probe}” against listings (the animal was removed meanwhile)`));
        continue;
      }
      const judgement = await matched(single, probes);
      if (judgement) judge(judgement);
      isSeen ||= judgement !== null;
      if (!judgement || !single.reading.ok) continue;
      const { value } = single.reading;
      compared.add(value.name);
      for (const { pet } of listedPetsOf(single, probes))
        for (const name of comparable(value, pet)) members.add(name);
    }
    if (created.length === 0) judge(untried(`long names and names with special characters (${why})`));
    else judge(...(await reportUncompared(compared, probes)));
    const lost = newPetMembers.filter((name) => isSeen && !members.has(name));
    if (lost.length > 0)
      judge(untried(`the ${listed(lost)} of animals (listings or fetches have no readable one)`));
    if (!isSeen) judge(await whyUnseen(probes));
    judge(
      ...unseenPlainly([...new Set(fetched)], probes),
      ...unseenBeyond(probes, contract.pageSize.default),
    );
    const before = petsOf(await probes.firstCensus());
    const missing = contract.statuses.filter((status) => !before.some((pet) => hasStatus(pet, status)));
    if (missing.length > 0)
      judge(untried(`animals from before the run with status ${listed(missing)} (there was none)`));
  }),
);

function isOfRemoved({ exchange }: Single, probes: Probes): boolean {
  const [, id] = /^GET \/pets\/(-?\d+)$/.exec(exchange.probe) ?? [];
  return id !== undefined && asIfRemoved(exchange) && isRemoved(id, probes.world());
}

/** Ids of animals that listings show differently. */
function suspects(probes: Probes): readonly string[] {
  const { shared } = probes.world();
  const first = new Map<string, ListedPet>();
  const found = new Set<string>();
  for (const listedPet of listedPets(probes.world())) {
    const { id } = listedPet.pet;
    if (id === null || shared.has(id)) continue;
    const before = first.get(id);
    if (before && differenceFrom(before.pet, [listedPet])) found.add(id);
    if (!before && listedPet.statusCounts) first.set(id, listedPet);
  }
  return [...found];
}

/** Compares a fetched animal with every listing that shows it; null if none does. */
async function matched(single: Single, probes: Probes): Promise<Judgement | null> {
  const { exchange, reading } = single;
  if (!reading.ok) return prerequisite(reading.broken, exchange);
  const { id } = reading.value;
  if (id === null || probes.world().shared.has(id) || exchange.probe !== `GET /pets/${id}`)
    return unestablished('prerequisite', `“${exchange.probe}” does not return exactly the requested animal`, [
      exchange,
    ]);
  const listedPets = listedPetsOf(single, probes);
  if (listedPets.length === 0) return null;
  const pet = withoutDigits(reading.value, probes.world());
  const difference = differenceFrom(pet, listedPets);
  if (!difference) return kept([exchange, ...listedPets.map((listedPet) => listedPet.exchange)]);
  if (difference.member !== 'status') return readsOtherwise(exchange, reading.value, difference);
  const contrary = listedPets.filter((listedPet) => differenceFrom(pet, [listedPet]) !== null);
  const listedPet = probes.likeliestAgain(contrary) ?? difference.listedPet;
  let before = { fetched: reading.value, listed: listedPet.pet };
  for (let left = MAX_LOOKS; ; left -= 1) {
    const look = await probes.lookAgain(id, listedPet);
    const judgement = onSecondLook(before, look);
    const { fetched, listed } = look;
    if (judgement.kind !== 'inconclusive' || left === 1 || !fetched || !listed) return judgement;
    before = { fetched, listed };
  }
}
