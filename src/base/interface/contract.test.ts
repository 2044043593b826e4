import { errorMembers, newPetMembers, petMembers } from './resources.js';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { configPath } from '../kernel/config-file.js';
import { loadContract, parseContract } from './contract.js';
import { listingParameters } from './listing-query.js';

const text = readFileSync(configPath('interface', 'openapi.yaml'), 'utf8');

test('the contract declares three operations with their status codes', () => {
  const { operations, anyRequestStatuses, document } = loadContract();
  assert.deepEqual(operations, {
    listPets: { statuses: [200, 401] },
    createPet: { statuses: [201, 400, 401] },
    getPet: { statuses: [200, 401, 404] },
  });
  assert.deepEqual(anyRequestStatuses, [429]);
  const named = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  );
  assert.deepEqual(named, ['get /pets listPets', 'post /pets createPet', 'get /pets/{petId} getPet']);
});

test('the contract contains the values of the interface', () => {
  const { interfaceVersion, removalDate, pageSize, statuses, markers, hash } = loadContract();
  assert.equal(interfaceVersion, '1.0.0');
  assert.equal(removalDate, '2030-12-05');
  assert.deepEqual(pageSize, { min: 1, max: 100, default: 20 });
  assert.deepEqual(statuses, ['available', 'pending', 'sold']);
  assert.deepEqual(markers, {});
  assert.match(hash, /^[0-9a-f]{64}$/);
});

test('the kit knows the query parameters of the listing, and refuses a contract with others', () => {
  const { listing } = loadContract();
  assert.deepEqual(listing, {
    limit: { kind: 'integer', min: 1, max: 100 },
    status: { kind: 'choice', values: ['available', 'pending', 'sold'] },
  });
  assert.deepEqual(Object.keys(listing), listingParameters);
  const sorted = text.replace(
    '- name: limit',
    '- { name: sort, in: query, schema: { enum: [name] } }\n        - name: limit',
  );
  assert.throws(() => parseContract(sorted, 'a.yaml'), /does not know the listing's parameter sort/);
  const without = text.replace('- name: status\n          in: query', '- name: status\n          in: header');
  assert.notEqual(without, text);
  assert.throws(() => parseContract(without, 'a.yaml'), /lacks the parameter status/);
});

test('the kit knows the members of each resource', () => {
  const { schemas } = loadContract().document.components;
  const membersOf = (name: string) => Object.keys((schemas[name] as { properties: object }).properties);
  const [, ofPet] = (schemas['Pet'] as unknown as { allOf: { properties?: object }[] }).allOf;
  assert.deepEqual([...Object.keys(ofPet?.properties ?? {}), ...newPetMembers], petMembers);
  assert.deepEqual(membersOf('NewPet'), newPetMembers);
  assert.deepEqual(membersOf('Error'), errorMembers);
  assert.deepEqual((schemas['Error'] as { required: unknown }).required, errorMembers);
});

test('every operation requires a bearer key', () => {
  const document = loadContract().document as unknown as Record<
    string,
    Record<string, Record<string, unknown>>
  >;
  assert.deepEqual(document['security'], [{ apiKey: [] }]);
  assert.deepEqual(document['components']?.['securitySchemes']?.['apiKey'], {
    type: 'http',
    scheme: 'bearer',
  });
});

test('a stability marker is read', () => {
  const marked = text.replace('operationId: createPet', 'operationId: createPet\n      x-stability: beta');
  assert.deepEqual(parseContract(marked, 'a.yaml').markers, { createPet: 'beta' });
});

test('every response documents the three rate limit headers', () => {
  for (const methods of Object.values(loadContract().document.paths)) {
    for (const { responses } of Object.values(methods)) {
      for (const response of Object.values(responses)) {
        const { headers } = response as { headers?: object };
        assert.deepEqual(Object.keys(headers ?? {}), [
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
        ]);
      }
    }
  }
});

test('no schema uses keywords that the response validator handles wrongly', () => {
  const seen: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (['default', 'nullable', 'exclusiveMinimum', 'exclusiveMaximum', 'writeOnly'].includes(name))
        seen.push(path);
      walk(member, `${path}/${name}`);
    }
  };
  walk(loadContract().document.components.schemas, '');
  assert.deepEqual(seen, []);
});

test('a contract without required parts is rejected', () => {
  assert.throws(() => parseContract(text.replace(/x-removal-date.*/, ''), 'a.yaml'), /removal date/);
  assert.throws(
    () => parseContract(text.replaceAll('operationId: getPet', 'operationId: fetch'), 'a.yaml'),
    /getPet/,
  );
});
