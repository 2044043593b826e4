import { ownAnimal } from '../../judge/world/animals.js';
import { animalsIn } from '../../judge/checks/pets.js';
import { parsedJson } from '../../base/kernel/json.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Sent } from './broken-operation.js';
import { judgeAct } from './judge.js';
import { perform, type Counterexample, type Stage } from './perform.js';
import { replayOf, PATH_OF_LISTING } from './replay-paths.js';
import { askOf } from './requests.js';
import type { Found } from './shrink.js';

/**
 * Returns an earlier creation whose animal breaks a row wherever a listing shows it; null for any other
 * violation, and where an animal of the story itself breaks it too. Without that creation the story shows
 * nothing.
 *
 * @param exchanges of the story
 */
export function creationBehind(
  { act, violation }: Counterexample,
  exchanges: readonly Exchange[],
  stage: Pick<Stage, 'world' | 'context' | 'plan' | 'usual'>,
): Exchange | null {
  const listing = exchanges.find(({ id }) => violation.exchanges.includes(id));
  if (act.do !== 'list' || listing?.answer.kind !== 'response') return null;
  const { context } = stage;
  const { answer } = listing;
  const world = stage.world();
  const elements = parsedJson(answer.text);
  const animals = animalsIn(listing);
  const ask = askOf(act, { ...stage, world, contract: context.contract, cast: [] });
  if (!Array.isArray(elements) || animals.length !== elements.length || ask === null) return null;
  const breaks = (some: readonly unknown[]): boolean =>
    judgeAct(
      ask,
      { ...listing, answer: { ...answer, text: JSON.stringify(some) } },
      world,
      context,
    ).violations.some(({ requirement }) => requirement === violation.requirement);
  // No animal causes what a header breaks, or a page of few animals.
  if (breaks([])) return null;
  const creations = animals
    .filter((_, at) => breaks([elements[at]]))
    .flatMap(({ id }) => (id === null ? [] : (ownAnimal(id, world)?.exchange ?? [])));
  const isOfStory = creations.some((creation) => exchanges.some(({ id }) => id === creation.id));
  return isOfStory ? null : (creations[0] ?? null);
}

/** Returns the find of such a listing: the creation, and the listing, which is sent once more. */
export async function foundBehind(
  cause: Sent,
  path: string,
  { act, violation }: Counterexample,
  exchanges: readonly Exchange[],
  stage: Stage,
): Promise<Found> {
  const listing = exchanges.filter(({ id }) => violation.exchanges.includes(id));
  const replay = replayOf([cause.path, path === '' ? PATH_OF_LISTING : path]);
  const again = await perform([act], stage);
  const same = again.counterexamples.find((one) => one.violation.requirement === violation.requirement);
  if (same === undefined)
    return { path: replay, violation, exchanges: [cause.exchange, ...listing], seen: 1, of: 2 };
  return {
    path: replay,
    violation: same.violation,
    exchanges: [cause.exchange, ...again.exchanges],
    seen: 2,
    of: 2,
  };
}
