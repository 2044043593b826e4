import type { Environments } from '../words/changes.js';
import { listed } from '../../base/kernel/format.js';
import { oneLine } from '../../base/kernel/visible.js';
import type { Results } from '../results/results.js';
import type { CapacityComparison } from './compare-capacity.js';

/**
 * Returns whether the older of two runs of one target was given second: then each change is shown backwards.
 * Pure.
 */
export const isBackwards = (
  before: Pick<Results, 'startedAt'>,
  after: Pick<Results, 'startedAt'>,
  names: Environments | null,
): boolean => names === null && Date.parse(before.startedAt) > Date.parse(after.startedAt);

const isPart = ({ scope, capacity }: Results): boolean => scope.selection !== null && !capacity;

/**
 * Returns reasons other than the target why two runs may differ, as sentences. Pure.
 *
 * @param names of two environments; null for two runs of one
 */
export function remarksOn(
  before: Results,
  after: Results,
  names: Environments | null,
  capacity: CapacityComparison | undefined,
): readonly string[] {
  const [one, other] = names ? names.map((name) => `run of ${name}`) : ['earlier run', 'later run'];
  const ofBoth = (said: (run: Results, which: string) => string) => [
    said(before, one ?? ''),
    said(after, other ?? ''),
  ];
  const differ = (what: string, first: string, second: string): string =>
    first === second
      ? ''
      : names
        ? `${what}: ${first} on ${names[0]}, ${second} on ${names[1]}.`
        : `${what}: ${first} before, ${second} now.`;
  return [
    isBackwards(before, after, names)
      ? 'The first run started after the second, so each change is shown backwards. Give the older run first.'
      : '',
    ...ofBoth(({ complete, obstacle }, which) => (complete || obstacle ? '' : `The ${which} was cut short.`)),
    ...ofBoth(({ obstacle }, which) => (obstacle ? `The ${which} never started: ${obstacle.message}` : '')),
    ...(isPart(before) && isPart(after)
      ? ['Both runs judged only a selection of the requirements.']
      : ofBoth((run, which) =>
          isPart(run) ? `The ${which} judged only a selection of the requirements.` : '',
        )),
    ...(capacity?.differences ?? []),
    ...ofBoth((run, which) =>
      run.capacity?.generator.saturated ? `The generator of the ${which} was saturated.` : '',
    ),
    names ? '' : differ('Another target', before.target.name, after.target.name),
    names === null || names[0] === oneLine(before.target.baseUrl)
      ? ''
      : differ('Addresses', before.target.baseUrl, after.target.baseUrl),
    differ('Another version of the kit', before.kit.version, after.kit.version),
    differ('Another version of the interface', before.interface.version, after.interface.version),
    differ('Other plans tested', plans(before), plans(after)),
  ].filter((remark) => remark !== '');
}

const plans = ({ scope }: Results): string => listed(scope.plans) || 'none';
