import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { petstoreHere, start, type Ended } from './command.js';
import { folder } from './folder.js';
import { resultsIn } from './results.js';
import { reference } from './targets.js';

/** Key that no server knows. */
export const KEY = 'pk-some-key-of-a-load-test';

/** Returns a short scenario within the plans of the reference server. */
export const scenario = (more = ''): string => `
name: small
phases:
  - { name: warm, duration: 1s, rate: { from: 10/s, to: 40/s } }
  - { name: hold, duration: 2s, rate: 40/s }
operations:
  - { operation: listPets, weight: 6, query: { limit: [5, 20], status: [available, pending, sold] } }
  - { operation: getPet, weight: 3 }
  - { operation: createPet, weight: 1 }
keys: [business, enterprise]
${more}`;

type Loading = readonly [
  cwd: string,
  baseUrl: string,
  keys: Readonly<Record<string, string>>,
  text: string,
  words?: readonly string[],
];

/** Writes a target and a scenario, and starts the command against them. */
export const loading = (...given: Loading) => start(...commandFor(given));

/** Runs `loading` to its end in this process. */
export const loadingHere = (...given: Loading) => petstoreHere(...commandFor(given));

function commandFor([cwd, baseUrl, keys, text, words = []]: Loading): Parameters<typeof start> {
  writeFileSync(
    join(cwd, 't.yaml'),
    `name: t\nbaseUrl: ${baseUrl}\nkeys: { ${Object.keys(keys)
      .map((name) => `${name}: "\${${name.toUpperCase()}}"`)
      .join(', ')} }\nplans: { enterprise: { perMinute: 2400, perDay: 500000 } }\n`,
  );
  writeFileSync(join(cwd, 's.yaml'), text);
  const env = Object.fromEntries(Object.entries(keys).map(([name, key]) => [name.toUpperCase(), key]));
  return [
    ['load', '--target', 't.yaml', '--scenario', 's.yaml', '--report-dir', 'out', ...words],
    { cwd, env },
  ];
}

/**
 * Runs a scenario to its end against a new reference server, in this process or by another way to run the
 * command.
 */
export async function against(
  t: TestContext,
  text: string,
  options: Parameters<typeof reference>[1] = {},
  words: readonly string[] = [],
  run: (...given: Loading) => Promise<Ended> = loadingHere,
) {
  const cwd = folder(t);
  const server = await reference(t, options);
  const { business, enterprise } = server.keys;
  const ended = await run(cwd, server.baseUrl, { business, enterprise }, text, words);
  return { cwd, server, directory: join(cwd, 'out'), ...ended };
}

/**
 * True if this machine was too slow to send as scheduled, so that a threshold could not be judged, and none
 * was missed. Then the run ends with 3: at any speed it is never 1 for a sound server.
 */
export function wasTooSlow(directory: string): boolean {
  const { capacity } = resultsIn(directory);
  const outcomes = new Set(capacity?.thresholds.map(({ outcome }) => outcome));
  const isOpen = outcomes.has('inconclusive') && !outcomes.has('missed');
  const isExplained =
    capacity?.generator.saturated === true ||
    capacity?.phases.some(
      ({ dropped, remarks }) => dropped > 0 || remarks.some((remark) => remark.includes('stood still')),
    );
  assert.ok(!isOpen || isExplained, 'a threshold is open although everything was sent on time');
  return isOpen;
}
