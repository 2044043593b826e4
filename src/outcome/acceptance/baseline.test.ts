import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { acceptedEntry as entry } from './baseline.test.support.js';
import { parseBaseline } from './baseline.js';
import { ConfigError } from '../../base/kernel/errors.js';

const fileOf = (...accepted: readonly object[]): string =>
  JSON.stringify({ schemaVersion: 1, accepted }, null, 2);

describe('a baseline file', () => {
  test('can be JSON or YAML', () => {
    const yaml = [
      'schemaVersion: 1',
      'accepted:',
      '  - requirement: list-ok',
      '    outcome: failed',
      '    reason: mended in the next release',
      '    link: https://tracker.example.com/1',
      "    expires: '2026-12-31'",
    ].join('\n');
    const expected = { schemaVersion: 1, accepted: [entry()] };
    assert.deepEqual(parseBaseline(fileOf(entry()), 'baseline.json'), expected);
    assert.deepEqual(parseBaseline(yaml, 'baseline.yaml'), expected);
  });

  const refused = [
    ['invalid JSON', '{', 'yaml-syntax'],
    ['no list', '{ "schemaVersion": 1 }', 'missing-field'],
    ['another version', '{ "schemaVersion": 2, "accepted": [] }', 'bad-value'],
    ['an unknown member', fileOf({ ...entry(), reasons: 'x' }), 'unknown-name'],
    ['no reason', fileOf({ ...entry(), reason: undefined }), 'missing-field'],
    ['an empty reason', fileOf(entry({ reason: '' })), 'bad-value'],
    ['an outcome that cannot be accepted', fileOf({ ...entry(), outcome: 'error' }), 'bad-value'],
    ['an invalid date', fileOf(entry({ expires: 'soon' })), 'bad-value'],
    ['a date that does not exist', fileOf(entry({ expires: '2027-02-30' })), 'bad-value'],
    ['an unknown requirement', fileOf({ ...entry(), requirement: 'list-okk' }), 'unknown-requirement'],
    ['a requirement twice', fileOf(entry(), entry({ outcome: 'inconclusive' })), 'duplicate-id'],
  ] as const;
  for (const [name, text, code] of refused) {
    test(`a file with ${name} is rejected`, () => {
      assert.throws(
        () => parseBaseline(text, 'baseline.json'),
        (error) => error instanceof ConfigError && error.code === code && error.file === 'baseline.json',
      );
    });
  }

  test('an error names its line', () => {
    assert.throws(
      () => parseBaseline(fileOf(entry(), entry({ requirement: 'get-ok', expires: '2027-02-30' })), 'b.json'),
      (error) => error instanceof ConfigError && error.line === 16,
    );
  });

  test('an unknown requirement is named with its line and the nearest one, all of them together', () => {
    const text = fileOf(
      entry(),
      { ...entry(), requirement: 'get-okk', heldUpBy: ['list-ok', 'create-okk'] },
      { ...entry(), requirement: 'own-anything' },
    );
    assert.throws(
      () => parseBaseline(text, 'b.json'),
      (error) =>
        error instanceof ConfigError &&
        error.line === 12 &&
        error.nearest === 'get-ok' &&
        error.details.some(([, said]) => said.includes('"create-okk"')) &&
        error.details.some(([label, said]) => label === 'did you mean' && said === 'create-ok') &&
        error.details.some(([, said]) => said.includes('"own-anything"')),
    );
  });
});
