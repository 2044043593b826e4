import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigError } from '../../base/kernel/errors.js';
import { parseProperties } from './case-properties.js';

const IDS = ['list-ok', 'get-ok', 'error-shape'];
const parse = (text: string) => parseProperties(text, 'map.yaml', IDS);

describe('a map of own properties', () => {
  test('gives each requirement names with values, as text', () => {
    assert.deepEqual(
      parse('list-ok: { test_key: PET-12, weight: 3 }\nget-ok: {}\n'),
      new Map([
        [
          'list-ok',
          [
            ['test_key', 'PET-12'],
            ['weight', '3'],
          ],
        ],
        ['get-ok', []],
      ]),
    );
    assert.deepEqual(parse(''), new Map());
  });

  const refused: readonly (readonly [what: string, text: string, code: string, nearest?: string])[] = [
    ['an unknown requirement', 'list-okk: { a: b }', 'unknown-requirement', 'list-ok'],
    ['a name of the kit', 'list-ok: { level: high }', 'bad-value'],
    ['a list as value', 'list-ok: { a: [b] }', 'bad-value'],
    ['a name with a space', 'list-ok: { "a b": c }', 'bad-value'],
    ['no properties', 'list-ok: PET-12', 'wrong-type'],
    ['a list', '- list-ok', 'wrong-type'],
    ['no YAML', 'list-ok: {', 'yaml-syntax'],
  ];
  for (const [what, text, code, nearest] of refused)
    test(`is refused with ${what}`, () => {
      assert.throws(
        () => parse(text),
        (error) =>
          error instanceof ConfigError &&
          error.code === code &&
          error.where === 'map.yaml:1: ' &&
          (nearest === undefined || JSON.stringify(error).includes(nearest)),
      );
    });
});
