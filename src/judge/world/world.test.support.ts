import type { PetStatus } from '../../base/interface/contract.js';
import type { RequirementId } from '../../base/interface/types.js';
import { answeredAt } from '../../wire/exchange/headers.js';
import { judging } from '../checks/exchange.test.support.js';
import { judgeAnswer } from '../checks/judge-answer.js';
import { knownPage, type KnownPage } from '../checks/listing-asked.js';
import { petsOf } from '../checks/listing.js';
import { ownAnimal } from './animals.js';
import { addedRightly, returnedId, roundedId, twin, wrongInCategories } from './created-ids.js';
import { endOf, isWhole, mayBeBehind } from './whole-pages.js';
import { lackedBy, ownLackedBy } from './absent-animals.js';
import { matchingBeyond, matchingThen } from './matching-animals.js';
import { PATIENCE_MS } from './known-animals.js';
import { PREFIX, type Answered, type Step, type Together } from './store.test.support.js';
import { newWorld, type World } from './world.js';
import { worldAfter } from './world-after.js';

const context = {
  ...judging,
  rates: { perMinute: 60, perDay: 1_000, minuteSeconds: 60, daySeconds: 86_400 },
};

export const STATUSES: readonly PetStatus[] = ['available', 'pending', 'sold'];

export const alone = (step: Step): Together => ({ steps: [step], turns: [0] });
export const ALL: Step = { do: 'list', limit: 100, lagMs: 0 };
export const CREATED: Step = { do: 'create', status: 'available' };

/** Returns the ids of the run's animals that a page lacks although they had time to show. */
const overdueOn = (page: KnownPage, world: World): readonly string[] =>
  ownLackedBy(page, world).filter((id) => {
    const created = ownAnimal(id, world)?.exchange;
    return created !== undefined && answeredAt(created) + PATIENCE_MS <= page.exchange.sentAt;
  });

/** Folds responses, and collects what the world before each finds wrong with it. */
export function judged(answers: readonly Answered[]) {
  let world: World = newWorld(judging, PREFIX);
  const rows = new Set<RequirementId>();
  const late = new Set<string>();
  const disputed = new Set<string>();
  for (const { exchange, asked } of answers) {
    const { findings, disputed: id } = judgeAnswer(exchange, asked, world, context);
    for (const finding of findings) if (finding.kind === 'violated') rows.add(finding.requirement);
    if (id !== null) disputed.add(id);
    const page = knownPage(exchange, judging);
    if (page && matchingBeyond(page, world) !== null) rows.add('list-page-full');
    world = worldAfter(world, exchange, asked.sent);
    if (page && isWhole(page, world)) for (const each of overdueOn(page, world)) late.add(each);
  }
  return { world, rows: [...rows].sort(), late: [...late], disputed: [...disputed] };
}

/** Contradictions that the whole of the responses shows. */
export function contradictionsIn(world: World) {
  return {
    shared: [...world.shared],
    wrongIds: addedRightly(world).flatMap((creation) => {
      const { kind } = returnedId(creation, world);
      return kind === 'right' ? [] : [kind];
    }),
    copies: addedRightly(world).flatMap((creation) => twin(creation, world)?.pet.id ?? []),
    rounded: roundedId(world),
    categories: [...wrongInCategories(world)],
    lacked: world.pages.flatMap((page) => lackedBy(page, world).map(({ id }) => id)),
    short: world.pages.filter(
      (page) =>
        !mayBeBehind(page, world) &&
        petsOf(page).length < page.limit &&
        (matchingThen(page, world) > page.limit || endOf(page, world) !== null),
    ).length,
  };
}
