import type { PlanName } from '../base/interface/types.js';
import { aligned, count, counted, duration, listed, sum, sumAll } from '../base/kernel/format.js';
import { rateText } from '../wire/scenario/units.js';
import type { FindPlan } from './find/search.js';
import type { CapacityPlan } from './plan.js';
import { journeysByName } from '../wire/scenario/journey.js';
import type { Journey } from '../wire/scenario/journey-file.js';
import type { OperationShare, Phase, Scenario } from '../wire/scenario/scenario.js';

/** Columns of a label. */
export const CAPACITY_LABEL = 12;

const block = (label: string, texts: readonly string[]): readonly string[] =>
  texts.map((text, place) => `${(place === 0 ? label : '').padEnd(CAPACITY_LABEL)}${text}`);

/**
 * Describes a plan for `--dry-run`: schedule and requests by key. Pure. `mostSeconds` is the most that a run
 * takes.
 */
export function describeCapacity(
  plan: CapacityPlan,
  target: { readonly name: string; readonly baseUrl: string; readonly windows: { readonly minute: number } },
  mostSeconds: number,
): readonly string[] {
  const { scenario, phases, operations, leftOut, keys } = plan;
  // A journey is several requests.
  const arrival = plan.perArrival.mean > 1 ? 'arrival' : 'request';
  const length = duration(phases.at(-1)?.endMs ?? 0);
  const most = `at most ${duration(mostSeconds * 1000)} if the server is slow or a key is used up`;
  const rows = phases.map(({ phase, startMs, count }) => [
    duration(startMs),
    phase.name,
    paceText(phase),
    count === null ? closedText(plan, phase) : counted(count, arrival),
  ]);
  const schedule = aligned(rows, ['right', 'left', 'left']);
  const thresholds = scenario.thresholds.map(
    ({ text, isDefault }) => `${text}${isDefault ? ' (default: the scenario sets none on errors)' : ''}`,
  );
  return [
    ...block('target', [`${target.name}  ${target.baseUrl}`]),
    ...(plan.find
      ? block('find', findTexts(plan.find, scenario.name))
      : block('scenario', [
          `${scenario.name}: ${counted(phases.length, 'phase')}, ${length}; ${most}`,
          ...schedule,
        ])),
    ...block('operations', [
      ...operations.map((share) => operationText(share, scenario)),
      ...leftOut.map(
        ({ operation, journey, reason }) => `left out: ${journey ?? operation}, because ${reason}`,
      ),
    ]),
    ...block('', creationsOf(plan)),
    ...block('keys', [
      ...keys.map((key) => `${key.padEnd(11)} ${keyText(plan, key, target.windows.minute)}`),
      ...(scenario.overLimit === 'allow' ? ['exceeds the limits of the plans (overLimit: allow)'] : []),
    ]),
    ...block('thresholds', thresholds),
    ...(scenario.abort ? block('abort', [abortText(scenario.abort)]) : []),
    'nothing was sent',
  ];
}

function keyText({ spending, find }: CapacityPlan, key: PlanName, minute: number): string {
  const spent = spending.get(key);
  const most = spent ? `${count(spent.mostInWindow)} in the busiest ${minute} s` : '';
  // The steps of a search are not known before.
  if (find) return most;
  const closed = sumAll(spent?.closed.values() ?? []);
  const more =
    closed === 0
      ? ''
      : `, and ${closed === Infinity ? 'any number' : `at most ${count(closed)}`} in closed loop`;
  return `${counted(spent?.total ?? 0, 'request')} on schedule, ${most}${more}`;
}

function findTexts({ conditions, settings, mostIs, bound }: FindPlan, scenario: string): readonly string[] {
  const texts = conditions.map(({ text, isDefault }) => `${text}${isDefault ? ' (default)' : ''}`);
  const why = mostIs === 'plan' ? 'more is beyond the plans of its keys' : '--find-most';
  return [
    `the highest rate with ${listed(texts)}, for the operations of ${scenario}`,
    `from ${rateText(settings.first)} to at most ${rateText(settings.most)} (${why})`,
    `at most ${counted(bound.steps, 'step')}, ${duration(bound.seconds * 1000)}, ` +
      counted(bound.requests, 'request'),
    `a step needs ${counted(settings.samples, 'request')} to judge this, and lasts 10 s to 2 min`,
  ];
}

/** Returns a scenario's settings as lines, to compare two runs. Thresholds are with their outcomes. Pure. */
export function askedOf(scenario: Scenario, keys: readonly string[]) {
  const { phases, operations, overLimit, abort } = scenario;
  return {
    phases: phases.map((phase) => `${phase.name} ${paceText(phase)}`),
    operations: operations.map((share) => operationText(share, scenario)),
    keys,
    rules: [
      ...(overLimit === 'allow' ? ['overLimit: allow'] : []),
      ...(abort ? [`abort ${abortText(abort)}`] : []),
    ],
  };
}

const operationText = (
  { operation, journey, weight, limits, statuses }: OperationShare,
  { journeys = [] }: Pick<Scenario, 'journeys'>,
): string =>
  [
    `${journey === undefined ? operation : `journey ${journey}`} with weight ${weight}`,
    ...journeys.flatMap((each) => (each.name === journey ? [journeyText(each)] : [])),
    ...(limits.length > 0 ? [`limit ${limits.join('/')}`] : []),
    ...(statuses.length > 0 ? [`status ${statuses.join('/')}`] : []),
  ].join(', ');

const abortText = ({ text, afterSeconds }: NonNullable<Scenario['abort']>): string =>
  `when ${text} for ${duration(afterSeconds * 1000)}`;

function journeyText({ steps, thinkMs }: Journey): string {
  const texts = steps.map(({ operation, limit, status, until, tries }) =>
    [
      operation,
      ...(limit === undefined ? [] : [`limit ${limit}`]),
      ...(status === undefined ? [] : [`status ${status}`]),
      ...(until === 'shown' ? [`until it shows the animal (at most ${counted(tries, 'time')})`] : []),
    ].join(' '),
  );
  return [texts.join(', then '), ...(thinkMs > 0 ? [`${duration(thinkMs)} to think`] : [])].join('; ');
}

export function paceText(phase: Phase): string {
  const long = duration(phase.seconds * 1000);
  if (phase.kind === 'closed') return `${long} on ${counted(phase.connections, 'connection')}`;
  const rate =
    phase.from === phase.to ? rateText(phase.from) : `${rateText(phase.from)} to ${rateText(phase.to)}`;
  return `${long} at ${rate}`;
}

function closedText({ keys, spending }: CapacityPlan, { name }: Phase): string {
  const most = sum(keys, (key) => spending.get(key)?.closed.get(name) ?? 0);
  return most === Infinity
    ? 'as fast as possible'
    : `as fast as possible, at most ${counted(most, 'request')} ` +
        `(left by the ${listed(keys)} ${keys.length === 1 ? 'plan' : 'plans'})`;
}

/** Line on the pets that the schedule creates, with the room of closed loop; none if it creates none. */
function creationsOf({ scenario, operations, phases, spending, find }: CapacityPlan): readonly string[] {
  const byName = journeysByName(scenario.journeys);
  const all = sum(operations, ({ weight }) => weight);
  const creating = sum(operations, ({ operation, journey = '', weight }) => {
    const steps = byName.get(journey)?.steps ?? [{ operation }];
    return weight * steps.filter((step) => step.operation === 'createPet').length;
  });
  const arrivals = find ? find.bound.requests : sum(phases, ({ count }) => count ?? 0);
  const closed = sumAll([...spending.values()].flatMap((spent) => [...spent.closed.values()]));
  const inClosedLoop = closed === Infinity ? 0 : closed;
  const most = Math.round(((arrivals + inClosedLoop) * creating) / all);
  if (most === 0 && !(closed === Infinity && creating > 0)) return [];
  const how = closed === 0 && !find ? 'about' : closed === Infinity ? 'at least' : 'at most';
  return [`creates ${how} ${counted(most, 'animal')}, which cannot be removed`];
}
