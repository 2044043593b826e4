import type { PetStatus } from '../../base/interface/contract.js';
import { petStatuses } from '../../base/interface/names.js';
import { nearestName } from '../../base/kernel/nearest-name.js';
import { parseYaml, readText, type YamlPath } from '../../base/kernel/yaml-source.js';
import { CONDITION, NAME, THRESHOLD, withDefaults } from './threshold.js';
import { JOURNEY, checkJourneys, journeyOf, operationOf } from './journey-file.js';
import { scenarioFile, type ScenarioFile } from './scenario-file.js';
import { durationOf, failing, HINT, LONGEST_SECONDS, type Fail } from './mistakes.js';
import { perSecondOf } from './units.js';
import { count } from '../../base/kernel/format.js';
import { ConfigError, together } from '../../base/kernel/errors.js';
import { checkShape } from '../../base/kernel/check-shape.js';
import {
  count as integer,
  optional,
  kinds,
  list,
  number,
  object,
  orNull,
  text,
  type Of,
} from '../../base/kernel/shape.js';
import { operation, plan } from '../exchange/shapes.js';
import { thresholdOf, abortOf } from './scenario-thresholds.js';

export type Phase = Of<typeof PHASE>;
export type OpenPhase = Extract<Phase, { kind: 'open' }>;
const PHASE = kinds({
  /** Arrivals on a schedule, whatever the responses. Rates in arrivals per second. */
  open: { name: NAME, seconds: number, from: number, to: number },
  /** Each connection sends its next request after a response. */
  closed: { name: NAME, seconds: number, connections: integer },
});

/** An operation, or a journey by its first operation, with its weight. Several query values take turns. */
export type OperationShare = Of<typeof OPERATION>;
const OPERATION = object({
  operation,
  weight: number,
  limits: list(number),
  statuses: list(text<PetStatus>()),
  /** Name of the journey; absent for a single request. */
  journey: optional(NAME),
});

/** A load scenario from a file, with defaults filled in. */
export type Scenario = Of<typeof SCENARIO>;
export const SCENARIO = object({
  name: NAME,
  phases: list(PHASE),
  operations: list(OPERATION),
  /** Absent in logs of older kits. */
  journeys: optional(list(JOURNEY)),
  /** If empty, the target's suite key. */
  keys: list(plan),
  overLimit: text<'refuse' | 'allow'>(),
  thresholds: list(THRESHOLD),
  abort: orNull(object({ when: CONDITION, text: NAME, afterSeconds: number })),
});

/** Highest rate: no machine sends more, and docs/scale.md plans for no more. */
export const MOST_PER_SECOND = 1_000_000;

/** Throws ConfigError. */
export const readScenarioFile = (file: string): Scenario => parseScenario(readScenarioText(file), file);

/** Throws ConfigError. */
export const readScenarioText = (file: string): string =>
  readText(file, 'Give the path of a readable scenario file.');

/** Parses a scenario from the text of a file; errors name `file`. Pure; throws ConfigError with the line. */
export function parseScenario(text: string, file: string): Scenario {
  const source = parseYaml(text, file);
  const raw = checkShape(source, source.toValue(), scenarioFile(), HINT);
  const fail = failing(source);
  const mistakes: ConfigError[] = [];
  /** Reads a part, and keeps its mistake for the end: all mistakes of a file are reported together. */
  const tried = <T>(read: () => T): readonly T[] => {
    try {
      return [read()];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      mistakes.push(error);
      return [];
    }
  };
  const phases = raw.phases.flatMap((phase, at) => tried(() => phaseOf(phase, ['phases', at], fail)));
  const names = raw.phases.map(({ name }) => name);
  names.forEach((name, at) =>
    tried(() => {
      if (names.indexOf(name) !== at)
        fail(['phases', at, 'name'], `Two phases have the name "${name}".`, 'a unique name');
    }),
  );
  const total = phases.reduce((sum, { seconds }) => sum + seconds, 0);
  tried(() => {
    if (total > LONGEST_SECONDS)
      fail(['phases'], 'The phases last longer than a day in total.', 'at most 24h in total');
  });
  const journeys = (raw.journeys ?? []).flatMap((each, at) =>
    tried(() => journeyOf(each, ['journeys', at], fail)),
  );
  const operations = raw.operations.flatMap((each, at) =>
    tried(() => shareOf(each, raw, ['operations', at], fail)),
  );
  const weighed = raw.operations.flatMap(({ operation, journey, weight = 1 }) => {
    const steps = raw.journeys?.find(({ name }) => name === journey)?.steps.map(operationOf) ?? [];
    return [...(operation === undefined ? [] : [operation]), ...steps].map((each) => ({
      operation: each,
      weight,
    }));
  });
  tried(() => checkJourneys(raw, fail));
  tried(() => {
    if (raw.operations.every(({ weight = 1 }) => weight === 0))
      fail(['operations'], 'All weights are 0, so nothing would be sent.', 'at least one weight above 0');
  });
  const thresholds = (raw.thresholds ?? []).flatMap((each, at) =>
    tried(() => thresholdOf(each, ['thresholds', at], { phases: names, operations: weighed }, fail)),
  );
  const { abort } = raw;
  const aborts = abort === undefined ? [] : tried(() => abortOf(abort, fail));
  const [first, ...others] = mistakes;
  if (first) throw together([first, ...others], HINT);
  return {
    name: raw.name,
    phases,
    operations,
    ...(journeys.length > 0 && { journeys }),
    keys: raw.keys ?? [],
    overLimit: raw.overLimit ?? 'refuse',
    thresholds: withDefaults(thresholds, names),
    abort: aborts[0] ?? null,
  };
}

function phaseOf(phase: ScenarioFile['phases'][number], path: YamlPath, fail: Fail): Phase {
  const { name, rate, connections } = phase;
  const seconds = durationOf(phase.duration, [...path, 'duration'], `The phase "${name}"`, fail);
  if ((rate === undefined) === (connections === undefined))
    return fail(
      path,
      `The phase "${name}" has ${rate === undefined ? 'neither a rate nor' : 'both a rate and'} connections.`,
      'a rate (open loop) or connections (closed loop), not both',
    );
  if (connections !== undefined) return { kind: 'closed', name, seconds, connections };
  const place = [...path, 'rate'];
  if (typeof rate === 'string') {
    const constant = rateOf(rate, place, name, fail);
    if (constant === 0)
      return fail(place, `The rate of the phase "${name}" is 0.`, 'a rate above 0, e.g. 60/min');
    return { kind: 'open', name, seconds, from: constant, to: constant };
  }
  const [from, to] = [rate?.from ?? '', rate?.to ?? ''].map((text) => rateOf(text, place, name, fail));
  if (!from && !to) return fail(place, `The rate of the phase "${name}" is always 0.`, 'a rate above 0');
  return { kind: 'open', name, seconds, from: from ?? 0, to: to ?? 0 };
}

function rateOf(text: string, path: YamlPath, name: string, fail: Fail): number {
  const rate = perSecondOf(text);
  if (rate === null)
    return fail(
      path,
      `The phase "${name}" has no valid rate.`,
      'a number and a unit, e.g. 1000/min or 100/s',
    );
  if (rate < 0) return fail(path, `The rate of the phase "${name}" is negative.`, 'a rate above 0');
  if (rate > MOST_PER_SECOND)
    return fail(path, `The rate of the phase "${name}" is too high.`, `at most ${count(MOST_PER_SECOND)}/s`);
  return rate;
}

const listOf = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly T[]) : [value as T];

function shareOf(
  each: ScenarioFile['operations'][number],
  { journeys = [] }: ScenarioFile,
  path: YamlPath,
  fail: Fail,
): OperationShare {
  const { operation: named, journey, weight = 1, query } = each;
  if ((named === undefined) === (journey === undefined))
    return fail(
      path,
      'An entry of operations names no request, or two.',
      'an operation or a journey, not both',
    );
  const names = journeys.map(({ name }) => name);
  const [first] = journeys.find(({ name }) => name === journey)?.steps ?? [];
  const operation = named ?? (first === undefined ? undefined : operationOf(first));
  if (operation === undefined)
    return fail(
      [...path, 'journey'],
      `There is no journey "${journey}".`,
      names.length === 0 ? 'a name of journeys' : `one of ${names.join(', ')}`,
      nearestName(journey ?? '', names),
    );
  if (query !== undefined && operation !== 'listPets')
    return fail([...path, 'query'], `${operation} takes no query.`, 'a query only with listPets');
  const statuses = listOf(query?.status);
  // Of a single word, the schema checks only the type.
  const unknown = statuses.find((status) => !petStatuses.includes(status));
  if (unknown !== undefined)
    return fail(
      [...path, 'query', 'status'],
      `"${unknown}" is not a status of an animal.`,
      `one of ${petStatuses.join(', ')}`,
      nearestName(unknown, petStatuses),
    );
  return {
    operation,
    weight,
    limits: listOf(query?.limit),
    statuses,
    ...(journey !== undefined && { journey }),
  };
}
