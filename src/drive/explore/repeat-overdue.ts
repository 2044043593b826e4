import { isWhole } from '../../judge/world/whole-pages.js';
import { PATIENCE_MS } from '../../judge/world/known-animals.js';
import type { World } from '../../judge/world/world.js';
import { petsOf } from '../../judge/checks/listing.js';
import { readPets } from '../../judge/checks/pets.js';
import { now } from '../../wire/exchange/connection.js';
import { answeredAt } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { judgeOverdue, type Overdue } from './judge.js';
import { perform, type Counterexample, type Stage } from './perform.js';
import type { PetStatus } from '../../base/interface/contract.js';
import { everything } from './stories.js';
import type { Act } from './story.js';
import { PLAIN_NAME, PLAIN_CATEGORY } from './values/animals.js';
import { grouped } from '../../base/kernel/format.js';

/**
 * Result of repeating the reads of one story that lacked an animal; counterexamples are those that still lack
 * it.
 */
interface Repeated {
  readonly path?: string;
  readonly exchanges: readonly Exchange[];
  readonly counterexamples: readonly Counterexample[];
}

type Missed = Overdue & { readonly path?: string };

/** Repeats each overdue read once, after the time within which every animal must show up. */
export async function repeatOverdue(missed: readonly Missed[], stage: Stage): Promise<readonly Repeated[]> {
  if (missed.length === 0) return [];
  const since = Math.max(...missed.map(({ id }) => createdAt(id, stage.world())));
  const ms = since + PATIENCE_MS - now();
  if (ms > 0) await stage.line.pause({ ms, what: 'created animals to appear' });
  const repeated: Repeated[] = [];
  for (const of of grouped(missed, ({ ask }) => ask.spec.probe).values()) {
    const [first] = of;
    const answers = first ? await stage.line.send([first.ask.spec]) : null;
    const exchange = answers?.[0];
    if (!first || !exchange) break;
    stage.onAnswer(first.ask, exchange, [], 'alone');
    stage.learn(exchange);
    const world = stage.world();
    for (const each of of) {
      const violations = judgeOverdue(each, exchange, world, stage.context, (page) => isWhole(page, world));
      if (violations.length === 0) continue;
      const created = world.animals.get(each.id)?.own?.exchange;
      repeated.push({
        ...(each.path !== undefined && { path: each.path }),
        exchanges: [...(created ? [created] : []), exchange],
        counterexamples: violations.map((violation) => ({ act: each.ask.act, violation })),
      });
    }
  }
  return repeated;
}

const createdAt = (id: string, { animals }: World): number => {
  const created = animals.get(id)?.own?.exchange;
  return created ? answeredAt(created) : -Infinity;
};

/** Two, because one may get lost too. */
const ADDED = 2;

const filterOf = ({ act }: Repeated['counterexamples'][number]): PetStatus | 'none' | null =>
  act.do !== 'list' ? null : act.query.kind === 'within' && act.query.status ? act.query.status : 'none';

/**
 * Keeps the violations that hold even if the target limits its pages to any size, which breaks no must. A
 * lack counts only if listings grow with additions: those of all animals and, with a filter, those of its
 * status. One of several statuses is tried, and violations of the others are dropped. A full page of all
 * animals cannot grow, and is ignored.
 */
export async function confirmed(repeated: readonly Repeated[], stage: Stage): Promise<readonly Repeated[]> {
  const filters = repeated.flatMap(({ counterexamples }) =>
    counterexamples.flatMap((one) => filterOf(one) ?? []),
  );
  if (filters.length === 0) return repeated;
  const status = filters.find((filter) => filter !== 'none');
  const asked = [everything(), ...(status ? [everything(status)] : [])];
  const added: Act = {
    do: 'create',
    animal: { name: PLAIN_NAME, category: PLAIN_CATEGORY, status: status ?? 'available', spelling: 'plain' },
  };
  const { exchanges } = await perform(
    [...asked, ...Array.from({ length: ADDED }, () => added), ...asked],
    stage,
  );
  const listings = exchanges.filter(({ operation }) => operation === 'listPets');
  const [before, after] = [listings.slice(0, asked.length), listings.slice(asked.length)];
  const isFull = lengthOf(before[0], stage) >= stage.context.contract.pageSize.max;
  const isLonger = (later: readonly Exchange[]): readonly boolean[] =>
    asked.map((_, at) => (at === 0 && isFull) || lengthOf(later[at], stage) > lengthOf(before[at], stage));
  let longer = isLonger(after);
  if (longer.includes(false)) {
    await stage.line.pause({ ms: PATIENCE_MS, what: 'created animals to appear' });
    longer = isLonger((await perform(asked, stage)).exchanges);
  }
  const [all = false, filtered = false] = longer;
  const holds = (one: Repeated['counterexamples'][number]): boolean => {
    const filter = filterOf(one);
    return filter === null || (all && (filter === 'none' || (filter === status && filtered)));
  };
  return repeated.flatMap((each) => {
    const counterexamples = each.counterexamples.filter(holds);
    return counterexamples.length === 0 ? [] : [{ ...each, counterexamples }];
  });
}

function lengthOf(exchange: Exchange | undefined, { context }: Stage): number {
  if (!exchange) return -1;
  const reading = readPets(exchange, context);
  return reading.ok ? petsOf({ exchange, reading }).length : -1;
}
