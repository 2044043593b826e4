import { sentIn } from '../../judge/checks/animals.js';
import type { Single } from '../../judge/checks/pets.js';
import { countAnimals } from '../../judge/world/animals.js';
import { statusBreak } from '../../judge/checks/layers.js';
import { succeeded } from '../../judge/checks/status.js';
import type { PetStatus } from '../../base/interface/contract.js';
import type { NewPet } from '../../base/interface/types.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange, Intent } from '../../wire/exchange/types.js';
import type { ProbeContext } from './context.js';
import { AWKWARD_TEXT, BIG_CATEGORY, longName, nameFor, petBody } from './creation-bodies.js';
import type { createListings } from './listings.js';
import { creating, expects } from './specs.js';
import { categoryUnlike, guessedCategory, knownCategory } from './store.js';
import { undecided } from './unjudgeable.js';

export interface Creation extends Single {
  readonly sent: NewPet;
}

/** Two properties of a creation, tried together; after a refusal, each separately. */
export interface Pair {
  readonly both: Creation;
  readonly byStatus: Creation;
  readonly byName: Creation;
  /**
   * A plain name of equal length in bytes, sent after a refusal of the name: the service may limit the
   * length.
   */
  readonly asLong: Creation | null;
}

export const PLAIN = { label: 'a valid animal', pet: { status: 'available' } } as const;
const PLAINER = { label: 'without status', pet: {} } as const;
const CREATED = expects('create-ok', 201);
const WITHOUT_STATUS = expects('create-status-optional', 201);

/** A name that no maximum length excludes. */
const SHORT_NAME = 'Rex';

export function createCreations(
  { courier, judging, key, prefix, single, world, needWrites, affords }: ProbeContext,
  { listed, firstCensus }: ReturnType<typeof createListings>,
) {
  const { pageSize } = judging.contract;

  /** Category for the whole run, even if other clients add animals. */
  const category = async (): Promise<string> => {
    const census = await firstCensus();
    return knownCategory(census) ?? guessedCategory(census);
  };

  /**
   * Lists a status that no animal has yet. This shows an empty listing, and must come before the first
   * creation with it.
   */
  async function askForNone(status: PetStatus): Promise<void> {
    const { reading } = await firstCensus();
    if (!reading.ok || reading.value.length >= pageSize.max || countAnimals(world(), status) > 0) return;
    // In an empty store one filter shows what each would.
    if (reading.value.length === 0 && world().additions.length > 0) return;
    await listed({ status });
  }

  async function attempt(label: string, pet: Partial<NewPet>, intent: Intent): Promise<Creation> {
    const census = await firstCensus();
    const categoryId = categoryUnlike(census, pet.status ?? null) ?? guessedCategory(census);
    const body: NewPet = { name: nameFor(prefix, label), categoryId, ...pet };
    const exchange = await courier.ask(creating(label, petBody(body), key, intent));
    // The request may have been sent earlier with another category.
    return { sent: { ...body, ...sentIn(exchange, judging) }, ...single(exchange) };
  }

  /**
   * Sends a creation that must succeed. Throws Unjudgeable if the target may have refused its guessed
   * category.
   */
  async function create(label: string, pet: Partial<NewPet>, intent: Intent): Promise<Creation> {
    needWrites(`“POST /pets, ${label}”`);
    if (pet.status !== undefined) await askForNone(pet.status);
    const creation = await attempt(label, pet, intent);
    if (pet.categoryId !== undefined || statusOf(creation.exchange) !== 400) return creation;
    if (await isCategoryTaken()) {
      if (pet.name === undefined) await passUsualLength(creation);
      return creation;
    }
    const { exchange, sent } = creation;
    const lack =
      'the store holds no animal with a category from 0 to 2^53-1, which would show one that exists';
    throw undecided(
      'store-too-small',
      `the target rejected “${exchange.probe}”, perhaps only for category ${sent.categoryId}: ${lack}`,
      [exchange],
    );
  }

  /** True if the creations' category is known to exist, from an animal or an accepted creation. */
  async function isCategoryTaken(): Promise<boolean> {
    if (knownCategory(await firstCensus()) !== null || world().additions.length > 0) return true;
    const plain = [
      await attempt(PLAIN.label, PLAIN.pet, CREATED),
      await attempt(PLAINER.label, PLAINER.pet, WITHOUT_STATUS),
    ];
    return plain.some(({ exchange }) => succeeded(exchange));
  }

  const attemptNamed = (label: string, name: string): Promise<Creation> =>
    attempt(label, { name, status: 'available' }, expects('create-ok', 201, 400));

  /**
   * Throws Unjudgeable if the target accepts a short name and no name of the usual length: how long a name
   * may be is not shown (variant names-of-twenty-at-most). Sends nothing once one of that length was
   * accepted.
   */
  async function passUsualLength({ exchange, sent: { name } }: Creation): Promise<void> {
    const isShortOne = (added: Exchange): boolean => sentIn(added, judging)?.name === SHORT_NAME;
    if (world().additions.some((addition) => !isShortOne(addition.exchange)) || !affords(2)) return;
    const short = await attemptNamed('a short name', SHORT_NAME);
    if (!succeeded(short.exchange)) return;
    const asLong = await attemptNamed('a name of letters only', SHORT_NAME.padEnd(name.length, 'x'));
    if (statusOf(asLong.exchange) !== 400) return;
    throw undecided(
      'refused-legally',
      `the target rejects names of ${name.length} characters, and the names of a run are no shorter (create-name-length)`,
      [exchange, short.exchange, asLong.exchange],
    );
  }

  /** Plainest valid creation; the control of every refusal. */
  const created = (): Promise<Creation> => create(PLAIN.label, PLAIN.pet, CREATED);

  /** Plainest creation in the category of another: its control, since a target may refuse the category. */
  async function plainLike({ sent: { categoryId } }: Creation): Promise<Creation> {
    const plain = await created();
    return plain.sent.categoryId === categoryId || !affords(1)
      ? plain
      : create(`${PLAIN.label} in category ${categoryId}`, { ...PLAIN.pet, categoryId }, CREATED);
  }

  function plainAndAsLong({ sent }: Creation): Promise<Creation> {
    const label = 'a plain name as long';
    const name = `${nameFor(prefix, label)} `.padEnd(Buffer.byteLength(sent.name), '0123456789');
    return create(label, { name, status: 'available' }, expects('create-ok', 201, 400));
  }

  /** Tries a status and a name in one creation, because they are independent; separately if it does not get 201. */
  async function pair(
    status: PetStatus,
    kind: string,
    rename: (name: string) => string,
    nameIntent: Intent,
  ): Promise<Pair> {
    const named = (label: string, itsStatus: PetStatus): Promise<Creation> =>
      create(label, { name: rename(nameFor(prefix, label)), status: itsStatus }, nameIntent);
    const both = await named(`status ${status} and ${kind}`, status);
    if (statusOf(both.exchange) === 201) return { both, byStatus: both, byName: both, asLong: null };
    const byStatus = await create(`status ${status}`, { status }, expects('create-each-status', 201));
    const byName = await named(kind, 'available');
    const mayBeTooLong = statusOf(byName.exchange) === 400 && statusBreak(byName.exchange) !== null;
    return { both, byStatus, byName, asLong: mayBeTooLong ? await plainAndAsLong(byName) : null };
  }

  const pending = (): Promise<Pair> =>
    pair(
      'pending',
      'a name with special characters',
      (name) => `${name} ${AWKWARD_TEXT}`,
      expects('create-ok', 201),
    );
  // A name of 100 characters may be refused: the interface shows no maximum length.
  const sold = (): Promise<Pair> =>
    pair('sold', 'a name of 100 characters', longName, expects('create-ok', 201, 400));
  const withoutStatus = (): Promise<Creation> => create(PLAINER.label, PLAINER.pet, WITHOUT_STATUS);
  // An unknown category may be refused.
  const withBigCategory = (): Promise<Creation> =>
    create(
      'a category beyond 2^53',
      { categoryId: BIG_CATEGORY, status: 'available' },
      expects('create-ok', 201, 400),
    );

  return {
    category,
    create,
    created,
    plainLike,
    pending,
    sold,
    withoutStatus,
    withBigCategory,
    withStatus: async (status: PetStatus): Promise<Creation> =>
      status === 'available' ? created() : (await (status === 'pending' ? pending() : sold())).byStatus,
    /** Successful creations among all that must succeed. */
    allCreated: async (): Promise<readonly Creation[]> => {
      const pairs = [await pending(), await sold()].flatMap(({ byStatus, byName }) => [byStatus, byName]);
      const all = [await created(), ...pairs, await withoutStatus(), await withBigCategory()];
      return [...new Map(all.map((creation) => [creation.exchange.id, creation])).values()].filter(
        ({ exchange }) => statusOf(exchange) === 201,
      );
    },
    /** Creations with a part that is easily mangled. */
    telltales: async () => [
      { what: 'a name with special characters', creation: (await pending()).byName },
      { what: 'a name of 100 characters', creation: (await sold()).byName },
      { what: 'no status', creation: await withoutStatus() },
    ],
  };
}
