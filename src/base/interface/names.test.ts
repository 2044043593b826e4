import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ReasonCode } from '../../judge/findings/finding.js';
import type { Probes } from '../../drive/probes/probes.js';
import { configPath } from '../kernel/config-file.js';
import { loadLedger, parseLedger, withKnownIds } from './ledger.js';
import { requirementIds, type RequirementId } from './requirement-ids.js';
import {
  operationNames,
  type OperationName,
  type KeyName,
  planNames,
  type PlanName,
  profileNames,
  type ProfileName,
} from './names.js';

test('an invalid name does not compile', () => {
  // @ts-expect-error: an id outside the ledger
  const id: RequirementId = 'rate-windw';
  // @ts-expect-error: an arbitrary text is no id
  const text: RequirementId = String(id);
  // @ts-expect-error: an unknown profile
  const profile: ProfileName = 'brust';
  // @ts-expect-error: an unknown plan
  const plan: PlanName = 'gold';
  // @ts-expect-error: the sacrificial key is no plan
  const key: PlanName = 'sacrificial' satisfies KeyName;
  // @ts-expect-error: an unknown operation
  const operation: OperationName = 'listPet';
  // @ts-expect-error: an unknown reason
  const code: ReasonCode = 'store-to-small';
  // @ts-expect-error: an unknown probe
  const probe: keyof Probes = 'listd';
  assert.equal([id, text, profile, plan, key, operation, code, probe].length, 8);
});

const LEDGER = configPath('interface', 'requirements.yaml');

test('the ledger and the ids in the code must match in both directions', () => {
  assert.deepEqual(
    loadLedger().rows.map(({ id }) => id),
    requirementIds,
  );
  const text = readFileSync(LEDGER, 'utf8');
  const read = (ledger: string): unknown => withKnownIds(parseLedger(ledger, LEDGER), LEDGER);
  const misspelt = text.replace('- id: rate-window\n', '- id: rate-windw\n');
  assert.throws(() => read(misspelt), { code: 'unknown-requirement', nearest: 'rate-window' });
  const cutShort = text.slice(0, text.indexOf('  - id: environments-agree\n'));
  assert.throws(() => read(cutShort), { code: 'unknown-requirement', message: /environments-agree/ });
});

const SCHEMAS = configPath('schemas');

/** Collects the lists of permitted values in the published schemas. */
const enums = (value: unknown): readonly (readonly unknown[])[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]): readonly (readonly unknown[])[] =>
        name === 'enum' && Array.isArray(member) ? [member] : enums(member),
      );

test('the published schemas list all plans, profiles and operations', () => {
  const lists = readdirSync(SCHEMAS).flatMap((file) =>
    enums(JSON.parse(readFileSync(join(SCHEMAS, file), 'utf8'))),
  );
  for (const names of [planNames, profileNames, operationNames]) {
    const holding = lists.filter((list) => list.includes(names[0]));
    assert.notEqual(holding.length, 0, names[0]);
    for (const list of holding)
      assert.deepEqual(
        names.filter((name) => !list.includes(name)),
        [],
        list.join(' '),
      );
  }
});
