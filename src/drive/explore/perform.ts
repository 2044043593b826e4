import type { PassiveContext } from '../../judge/checks/passive.js';
import { readPet } from '../../judge/checks/pets.js';
import { residents } from '../../judge/world/animals.js';
import type { World } from '../../judge/world/world.js';
import type { NewPet, OperationName, RequirementId } from '../../base/interface/types.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Manner } from './coverage.js';
import type { Violation } from '../../judge/findings/finding.js';
import { judgeAct, type Overdue } from './judge.js';
import type { PacedLine } from './paced-line.js';
import { askOf, CONTROL, withUsualCategory, type Ask, type Making } from './requests.js';
import { actsOf, type Act, type Step, type Story } from './story.js';
import { PLAIN } from './values/value.js';

export interface Stage extends Pick<Making, 'plan' | 'usual'> {
  readonly line: PacedLine;
  /** The store as the responses so far show it. */
  readonly world: () => World;
  /** Adds a response to it. `sent` are the members of a creation that must come back. */
  readonly learn: (exchange: Exchange, sent?: Partial<NewPet>) => void;
  readonly context: PassiveContext;
  /** Animals that may still be added: on purpose, and at all. A request to be refused may add one. */
  readonly animalsLeft: () => { readonly onPurpose: number; readonly atAll: number };
  /** True while more requests are left than the end of the run needs. */
  readonly hasSpare: () => boolean;
  /** Called with each judged response, before the world learns from it. */
  readonly onAnswer: (ask: Ask, exchange: Exchange, kept: readonly RequirementId[], manner: Manner) => void;
}

/** A violation, with the act whose response shows it. */
export interface Counterexample {
  readonly act: Act;
  readonly violation: Violation;
}

interface Course {
  /** Requests in order, with the additional ones. */
  readonly exchanges: Exchange[];
  readonly counterexamples: Counterexample[];
  readonly overdue: Overdue[];
  /** Ids of the animals that the story created. */
  readonly cast: string[];
}

/** True if an act may add an animal, on purpose or because a refusal fails to come. */
const mayAdd = (act: Act): boolean =>
  act.do === 'create' || act.do === 'wrong' || (act.do === 'stranger' && act.operation === 'createPet');

/**
 * Returns the plain request that must succeed in this run before a refusal of the act counts (ledger, rule
 * 1), and its operation. A replayed story sends it too. Null if the census has sent it.
 */
function controlOf(act: Act, world: World): { readonly operation: OperationName; readonly act: Act } | null {
  if (mayAdd(act)) return { operation: 'createPet', act: CONTROL };
  if (act.do === 'get' && act.whom.of === 'id') {
    // Another animal: without one that is found, a 404 looks like a removed operation.
    const nth = residents(world)[0]?.id === act.whom.id ? 1 : 0;
    return { operation: 'getPet', act: { do: 'get', whom: { of: 'store', nth } } };
  }
  const isFetch = act.do === 'get about' || (act.do === 'stranger' && act.operation === 'getPet');
  return isFetch ? { operation: 'getPet', act: { do: 'get', whom: { of: 'store', nth: 0 } } } : null;
}

/**
 * Performs a story until the line closes. Skips acts whose animal does not exist, and those that would add
 * too many.
 */
export async function perform(story: Story, stage: Stage): Promise<Readonly<Course>> {
  const course: Course = { exchanges: [], counterexamples: [], overdue: [], cast: [] };
  for (const step of story) if (!(await takeStep(step, stage, course))) break;
  return course;
}

/** False if the line is closed. */
async function takeStep(step: Step, stage: Stage, course: Course): Promise<boolean> {
  if (step.do === 'again') {
    const before = course.counterexamples.length;
    for (const act of actsOf(step)) {
      if (!(await sendAll([act], stage, course, 'repeatedly'))) return false;
      // The story ends with the first failure.
      if (course.counterexamples.length > before || !stage.hasSpare()) break;
    }
    return true;
  }
  const acts = actsOf(step);
  for (const control of acts.flatMap((act) => controlOf(act, stage.world()) ?? [])) {
    if (stage.world().served.has(control.operation)) continue;
    if (!(await sendAll([control.act], stage, course))) return false;
    if (!stage.world().served.has(control.operation)) return true;
  }
  if (!(await sendAll(acts, stage, course, step.do === 'at once' ? 'in parallel' : 'alone'))) return false;
  const [act] = acts;
  if (act?.do !== 'create') return true;
  return retryWithUsual(act, stage, course);
}

/**
 * Resends a creation refused with an odd category. It now has a usual one, so only its name can cause a
 * refusal.
 */
async function retryWithUsual(act: Act & { do: 'create' }, stage: Stage, course: Course): Promise<boolean> {
  const last = course.exchanges.at(-1);
  const isRefused = last?.operation === 'createPet' && statusOf(last) === 400;
  return (
    !isRefused || act.animal.category.class === PLAIN || sendAll([withUsualCategory(act)], stage, course)
  );
}

async function sendAll(
  acts: readonly Act[],
  stage: Stage,
  course: Course,
  manner: Manner = 'alone',
): Promise<boolean> {
  const { line, context } = stage;
  const { onPurpose, atAll } = stage.animalsLeft();
  const asks = acts
    .filter((act, at) => {
      const before = acts.slice(0, at).filter(mayAdd).length;
      return !mayAdd(act) || before < (act.do === 'create' ? onPurpose : atAll);
    })
    .flatMap(
      (act) =>
        askOf(act, { ...stage, world: stage.world(), contract: context.contract, cast: course.cast }) ?? [],
    );
  if (asks.length === 0) return line.closed() === null;
  const answers = await line.send(asks.map(({ spec }) => spec));
  if (!answers) return line.closed() === null;
  let disputed: string | null = null;
  for (const [at, exchange] of answers.entries()) {
    const ask = asks[at];
    if (!ask) continue;
    const verdict = judgeAct(ask, exchange, stage.world(), context);
    stage.onAnswer(ask, exchange, verdict.kept, manner);
    stage.learn(exchange, ask.sent);
    course.exchanges.push(exchange);
    course.counterexamples.push(...verdict.violations.map((violation) => ({ act: ask.act, violation })));
    course.overdue.push(...verdict.overdue);
    disputed ??= verdict.disputed;
    if (ask.act.do === 'create' || ask.act.do === 'wrong') castIn(exchange, stage, course);
  }
  const world = stage.world();
  const nth = residents(world).findIndex(({ id }) => id === disputed);
  return (
    nth < 0 ||
    !world.served.has('getPet') ||
    sendAll([{ do: 'get', whom: { of: 'store', nth } }], stage, course)
  );
}

function castIn(exchange: Exchange, { context }: Stage, course: Course): void {
  const reading = statusOf(exchange) === 201 ? readPet(exchange, context) : null;
  if (reading?.ok && reading.value.id !== null) course.cast.push(reading.value.id);
}
